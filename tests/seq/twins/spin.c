// The flag is raised too early; main waits for it in a loop.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *work(void *arg) {
  atomic_store(&flag, 1);
  data = 1;
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  while (!atomic_load(&flag)) sched_yield();
  assert(data == 1);
  for (;;) continue;
}
