/* The lock is that of another account. */
#include "small.h"

struct account {
  Mutex lock;
  int balance;
} accounts[2] = {{MUTEX, 10}, {MUTEX, 20}};
static void *work(void *p) {
  struct account *a = &accounts[0], *l = RACY && p ? &accounts[1] : a;
  lock(&l->lock);
  a->balance++;
  unlock(&l->lock);
  return 0;
}
int main(void) {
  pthread_t a = start(work, 0), b = start(work, accounts);
  finish(a);
  finish(b);
  return 0;
}
