// deadlock: unsafe — the destructor of thread-specific data takes the locks the other way round
#include <pthread.h>

static pthread_key_t key;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void finish(void *value) {
  (void)value;
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
}

static void *work(void *arg) {
  pthread_setspecific(key, arg);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  int x = 1;
  pthread_key_create(&key, finish);
  pthread_create(&t, NULL, work, &x);
  pthread_create(&u, NULL, work, &x);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
