// race: unsafe lines 10 32 — the next owner of a robust mutex is told that the last one has ended with it
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int repairs;

static void *mends(void *unused) {
  (void)unused;
  repairs = 0;
  return NULL;
}

static void *dies(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attribute;
  pthread_t first, second;
  pthread_mutexattr_init(&attribute);
  pthread_mutexattr_setrobust(&attribute, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&lock, &attribute);
  pthread_create(&first, NULL, dies, NULL);
  pthread_join(first, NULL);
  pthread_create(&second, NULL, mends, NULL);
  int how = pthread_mutex_lock(&lock);
  if (how == EOWNERDEAD) {
    pthread_mutex_consistent(&lock);
    repairs = 1;
  }
  pthread_mutex_unlock(&lock);
  pthread_join(second, NULL);
  return 0;
}
