// race: safe — writers hold mutex and spin lock, so either of them is enough to read
#include <pthread.h>

static int value;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;

static void *writer(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_spin_lock(&spin);
  value++;
  pthread_spin_unlock(&spin);
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void *slow_reader(void *arg) {
  pthread_mutex_lock(&mutex);
  *(int *)arg = value;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void *fast_reader(void *arg) {
  pthread_spin_lock(&spin);
  *(int *)arg = value;
  pthread_spin_unlock(&spin);
  return NULL;
}

int main(void) {
  pthread_t w, s, f;
  int x = 0, y = 0;
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&s, NULL, slow_reader, &x);
  pthread_create(&f, NULL, fast_reader, &y);
  pthread_join(w, NULL);
  pthread_join(s, NULL);
  pthread_join(f, NULL);
  return x + y > 2;
}
