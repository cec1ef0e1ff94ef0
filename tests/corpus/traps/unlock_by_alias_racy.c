// race: unsafe lines 13 — the mutex is released through a pointer that may point to it
#include <pthread.h>

static int value;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_t *other = *(int *)arg ? &a : &b;
  pthread_mutex_lock(&a);
  if (other == &b) pthread_mutex_lock(other);
  pthread_mutex_unlock(other);
  value++;
  if (other == &b) pthread_mutex_unlock(&a);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  int yes = 1, no = 0;
  pthread_create(&t, NULL, work, &yes);
  pthread_create(&u, NULL, work, &no);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return value > 2;
}
