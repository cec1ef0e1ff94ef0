// The result is read when the thread has ended; its address is what the thread returns.
#include <assert.h>
#include <pthread.h>

static int result;

static void *work(void *arg) {
  result = 1;
  result = 2;
  return &result;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  void *where;
  if (pthread_join(thread, &where)) return 1;
  int seen = *(int *)where;
  assert(seen != 1);
  return 0;
}
