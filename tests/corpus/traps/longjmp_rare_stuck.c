// deadlock: unsafe; race: safe — for one input a jump leaves the lock behind, and it is taken again
#include <pthread.h>
#include <setjmp.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static jmp_buf back;

int main(void) {
  int again = setjmp(back);
  pthread_mutex_lock(&m);
  if (!again && __VERIFIER_nondet_int() * 7 == 700007) longjmp(back, 1);
  pthread_mutex_unlock(&m);
  return 0;
}
