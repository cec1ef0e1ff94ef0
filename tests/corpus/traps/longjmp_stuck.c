// deadlock: unsafe; race: safe — a jump leaves the lock behind, and the second way takes it again
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static jmp_buf back;
static int done;

int main(void) {
  int again = setjmp(back);
  pthread_mutex_lock(&m);
  if (!again) longjmp(back, 1);
  done = 1;
  pthread_mutex_unlock(&m);
  return done - 1;
}
