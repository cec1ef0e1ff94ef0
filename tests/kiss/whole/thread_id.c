// assert: open — nobody knows the number of a thread
#include <assert.h>
#include <pthread.h>

static void *work(void *unused) {
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  assert(t % 2 == 0);
  return 0;
}
