// deadlock: safe; race: safe — the caller releases the mutex before it calls
#include <pthread.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int get(void) {
  pthread_mutex_lock(&lock);
  int result = value;
  pthread_mutex_unlock(&lock);
  return result;
}

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  value++;
  pthread_mutex_unlock(&lock);
  return get() ? arg : NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  int seen = get();
  pthread_join(t, NULL);
  return seen > 1;
}
