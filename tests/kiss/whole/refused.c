// assert: open — a thread may not be had
#include <assert.h>
#include <pthread.h>

static void *work(void *unused) {
  return unused;
}

int main(void) {
  pthread_t t;
  int r = pthread_create(&t, NULL, work, NULL);
  assert(r == 0);
  return 0;
}
