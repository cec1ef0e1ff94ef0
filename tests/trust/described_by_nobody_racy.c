// race: unsafe lines 21 — a function that nobody described touches more than its arguments reach
#include <pthread.h>

int value;
int touch(int by);
/* Its body is seen by the assembler only, which puts the name of the variable together. Outside of the corpus, for
 * without --strict heddle is right to say: safe, if touch does what is assumed of it. */
__asm__(".macro add a, b\n  addl %edi, \\a\\b(%rip)\n.endm\n"
        ".text\n.globl touch\ntouch:\n  add val, ue\n  movl %edi, %eax\n  ret\n");

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  touch(1);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  value = 1;
  pthread_join(t, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
