/* safe: p[-1] of the second half is the first half's last, which nobody else touches. */
#include <pthread.h>
int a[8];
static void *hi(void *q) { int *p = a + 4; p[-1] = 1; p[0] = 2; return 0; }
static void *lo(void *q) { for (int i = 0; i < 3; i++) a[i] = i; return 0; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, hi, 0); pthread_create(&t, 0, lo, 0); pthread_join(s, 0); pthread_join(t, 0); return a[3]; }
