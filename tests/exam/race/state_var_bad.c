/* bad: a thread that sees `done` resets it to idle while the owner still writes. */
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
enum { IDLE, BUSY, DONE };
int state; int x;
static void *w(void *a) {
  while (1) {
    int old;
    __VERIFIER_atomic_begin();
    old = state;
    if (state == IDLE) state = BUSY;
    __VERIFIER_atomic_end();
    if (old == IDLE) {
      x++;
      __VERIFIER_atomic_begin(); state = DONE; __VERIFIER_atomic_end();
      x--;
      __VERIFIER_atomic_begin(); state = IDLE; __VERIFIER_atomic_end();
    }
    if (old == DONE) { __VERIFIER_atomic_begin(); state = IDLE; __VERIFIER_atomic_end(); }
  }
  return 0;
}
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, w, 0); }
