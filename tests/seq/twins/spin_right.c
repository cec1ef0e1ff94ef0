// The flag is raised when the data is there; main waits for it in a loop, and then for nothing.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *work(void *arg) {
  data = 1;
  atomic_store(&flag, 1);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  while (!atomic_load(&flag)) sched_yield();
  assert(data == 1);
  for (;;) continue;
}
