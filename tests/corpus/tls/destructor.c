// race: safe — the destructor of thread-specific data counts under a lock
#include <pthread.h>

static pthread_key_t key;
static int ended;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void finish(void *value) {
  (void)value;
  pthread_mutex_lock(&lock);
  ended++;
  pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
  pthread_setspecific(key, arg);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int x = 1;
  pthread_key_create(&key, finish);
  pthread_create(&a, NULL, work, &x);
  pthread_create(&b, NULL, work, &x);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return ended - 2;
}
