// assert: open — a turn that counts is none that only waits
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *work(void *arg) {
  flag = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  unsigned char turns = 0;
  pthread_create(&t, NULL, work, NULL);
  while (!flag) turns++;
  assert(turns != 200);
  pthread_join(t, NULL);
  return 0;
}
