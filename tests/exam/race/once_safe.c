/* safe: everybody goes through pthread_once before the table is read. */
#include <pthread.h>
pthread_once_t o = PTHREAD_ONCE_INIT; int table[4];
static void init(void) { for (int i = 0; i < 4; i++) table[i] = i * i; }
static void *a(void *p) { pthread_once(&o, init); return (void *)(long)table[2]; }
static void *b(void *p) {
  pthread_once(&o, init);
  return (void *)(long)table[3];
}
int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, a, 0); pthread_create(&y, 0, b, 0);
  pthread_join(x, 0); pthread_join(y, 0);
  return 0;
}
