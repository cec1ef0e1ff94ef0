/* safe: the jump goes out behind the write, and the lock is freed at its target. */
#include <pthread.h>
#include <setjmp.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
static void fail(jmp_buf *b) {
  longjmp(*b, 1);
}
static void *w(void *q) {
  jmp_buf b;
  pthread_mutex_lock(&m);
  if (setjmp(b) == 0) { x++; if (q) fail(&b); }
  x--;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) { pthread_t s, t; pthread_create(&s, 0, w, 0); pthread_create(&t, 0, w, &x); pthread_join(s, 0); pthread_join(t, 0); return 0; }
