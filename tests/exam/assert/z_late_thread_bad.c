/* bad: one of many is seen between its stages */
#include <assert.h>
#include <pthread.h>

enum { WORKERS = 90 };

static int first, second;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  pthread_mutex_lock(&a);
  first = 1;
  pthread_mutex_unlock(&a);
  pthread_mutex_lock(&b);
  second = 2;
  pthread_mutex_unlock(&b);
  return unused;
}

static void *look(void *unused) {
  pthread_mutex_lock(&a);
  int one = first;
  pthread_mutex_unlock(&a);
  pthread_mutex_lock(&b);
  int two = second;
  pthread_mutex_unlock(&b);
  assert(!one || two);
  return unused;
}

int main(void) {
  pthread_t workers[WORKERS], last;
  for (int i = 0; i < WORKERS; i++) pthread_create(&workers[i], NULL, work, NULL);
  pthread_create(&last, NULL, look, NULL);
  for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], NULL);
  pthread_join(last, NULL);
  return 0;
}
