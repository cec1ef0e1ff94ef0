/* race: safe. Every thread has an element of an array, main a number of its own: one function counts for all, so that its
 * access may be to either, and is told apart by the address. No element lies behind the end of the array. */
#include <pthread.h>
static long mine[4];
static void count(long *p) {
  *p += 1;
}
static void *work(void *u) {
  long *slot = &mine[(long)u & 3];
  count(slot);
  return u;
}
int main(void) {
  long total = 0;
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, work, (void *)i);
  count(&total);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return total != 1;
}
