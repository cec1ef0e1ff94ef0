/* safe: a full barrier's flag is atomic. */
#include <pthread.h>
#include <stdatomic.h>
int data;
atomic_int flag;
static void *w(void *q) { data = 1; __asm__ volatile("" ::: "memory"); flag = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); int r = 0; if (flag) r = data; pthread_join(t, 0); return r; }
