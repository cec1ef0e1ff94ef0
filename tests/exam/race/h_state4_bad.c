/* bad: CLOSING may be entered from OPENING. */
#include <pthread.h>
#include <stdatomic.h>
enum { CLOSED, OPENING, OPEN, CLOSING };
atomic_int st; int regs;
static int go(int from, int to) { return atomic_compare_exchange_strong(&st, &from, to); }
static void *op(void *a) { if (go(CLOSED, OPENING)) { regs = 1; atomic_store(&st, OPEN); } return 0; }
static void *cl(void *a) {
  if (go(OPEN, CLOSING) || go(OPENING, CLOSING)) { regs = 0; atomic_store(&st, CLOSED); }
  return 0;
}
int main(void) { pthread_t t; while (1) { pthread_create(&t, 0, op, 0); pthread_create(&t, 0, cl, 0); } }
