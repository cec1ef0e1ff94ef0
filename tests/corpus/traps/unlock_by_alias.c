// race: safe — both locks are taken, and whichever is given back first, the other one guards
#include <pthread.h>

static int value;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_t *one = *(int *)arg ? &a : &b;
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(one);
  value++;
  pthread_mutex_unlock(one == &a ? &b : &a);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  int yes = 1, no = 0;
  pthread_create(&t, NULL, work, &yes);
  pthread_create(&u, NULL, work, &no);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return value - 2;
}
