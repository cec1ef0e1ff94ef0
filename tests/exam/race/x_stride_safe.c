/* safe: even and odd indices. */
#include <pthread.h>
int a[12];
static void *e(void *q) { for (int i = 0; i < 12; i += 2) a[i] = i; return 0; }
static void *o(void *q) { for (int i = 1; i < 12; i += 2) a[i] = i; return 0; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, e, 0); pthread_create(&t, 0, o, 0); pthread_join(s, 0); pthread_join(t, 0); return a[3]; }
