// deadlock: unsafe; race: safe — the compiler's own jump leaves the lock behind, and the second way takes it again
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *back[5];

static __attribute__((noinline)) void leave(void) {
  __builtin_longjmp(back, 1);
}

int main(void) {
  if (__builtin_setjmp(back) == 0) {
    pthread_mutex_lock(&m);
    leave();
  }
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
