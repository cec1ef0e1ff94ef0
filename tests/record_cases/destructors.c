/* Destructors of thread-local data are part of the thread.
 * TRACE: main.1 lock m
 * TRACE: main.1 write released 4
 * TRACE: main.1 unlock m
 * COUNT: end 1 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
int released;

static void destroy(void *data) {
  pthread_mutex_lock(&m);
  released += *(int *)data;
  pthread_mutex_unlock(&m);
}

static void *worker(void *a) {
  pthread_setspecific(key, a);
  return a;
}

int main(void) {
  pthread_t t;
  int one = 1;
  pthread_key_create(&key, destroy);
  pthread_create(&t, NULL, worker, &one);
  pthread_join(t, NULL);
  printf("%d\n", released);
  return 0;
}
