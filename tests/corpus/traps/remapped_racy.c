// race: unsafe lines 8 18 — a mapping that grows stays where it is
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>

static int *now;
static void *work(void *arg) {
  *now = 1;
  return arg;
}
int main(void) {
  pthread_t thread;
  int *before = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (before == MAP_FAILED) return 1;
  now = mremap(before, 4096, 8192, 0);
  if (now != before) return 1;
  pthread_create(&thread, 0, work, 0);
  *before = 2;
  pthread_join(thread, 0);
  return 0;
}
