// race: unsafe lines 8 20 — the loader calls what stands in a section, and that starts a thread
#include <pthread.h>

static pthread_t thread;
static int count;

static void *work(void *arg) {
  count++;
  return arg;
}

static void begin(void) {
  pthread_create(&thread, 0, work, 0);
}

__attribute__((section(".init_array"), used)) static void (*const entry)(void) = begin;

int main(void) {
  /* the thread runs already */
  count++;
  pthread_join(thread, 0);
  return 0;
}
