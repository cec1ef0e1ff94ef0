// race: unsafe — the assembly calls the function whose address it is handed
#include <pthread.h>

static int calls;

static void count(void) {
  calls++;
}

static void *work(void *unused) {
  void (*what)(void) = count;
#ifdef __x86_64__
  __asm__ volatile("subq $136, %%rsp\n\tcall *%0\n\taddq $136, %%rsp"
                   : "+b"(what)
                   :
                   : "memory", "cc", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10",
                     "r11");
#else
  what();
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  calls = 0;
  pthread_join(t, NULL);
  return 0;
}
