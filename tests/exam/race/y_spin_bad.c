/* bad: trylock's answer is not looked at. */
#include <pthread.h>
pthread_spinlock_t l; int x;
static void *w(void *q) {
  int r = pthread_spin_trylock(&l); x++; if (!r) pthread_spin_unlock(&l);
  return 0; }
int main(void) { pthread_t t; pthread_spin_init(&l, 0); while (1) pthread_create(&t, 0, w, 0); }
