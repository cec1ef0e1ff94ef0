// race: unsafe — the assembly reads a variable that is none of its operands
#include <pthread.h>
#include <stdint.h>

int level;

static void *look(void *unused) {
  int seen;
  (void)unused;
#ifdef __x86_64__
  __asm__ volatile("movl level(%%rip), %0" : "=r"(seen));
#else
  seen = level;
#endif
  return (void *)(intptr_t)seen;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, look, NULL);
  level = 2;
  pthread_join(t, NULL);
  return 0;
}
