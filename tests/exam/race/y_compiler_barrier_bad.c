/* bad: a compiler barrier between two plain variables is no synchronisation. */
#include <pthread.h>
int data;
int flag;
static void *w(void *q) { data = 1; __asm__ volatile("" ::: "memory"); flag = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); int r = 0; if (flag) r = data; pthread_join(t, 0); return r; }
