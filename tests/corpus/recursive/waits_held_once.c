// deadlock: safe; race: safe — a wait under a recursive mutex that is held once
#include <pthread.h>

static pthread_mutex_t lock;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *announces(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void await(void) {
  pthread_mutex_lock(&lock);
  while (!ready) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
}

int main(void) {
  pthread_mutexattr_t attribute;
  pthread_t thread;
  pthread_mutexattr_init(&attribute);
  pthread_mutexattr_settype(&attribute, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &attribute);
  pthread_create(&thread, NULL, announces, NULL);
  await();
  pthread_join(thread, NULL);
  return 0;
}
