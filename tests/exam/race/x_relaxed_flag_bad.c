/* bad: a relaxed flag orders nothing. */
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag; int data;
static void *w(void *q) { data = 1; atomic_store_explicit(&flag, 1, memory_order_relaxed); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); while (!atomic_load_explicit(&flag, memory_order_acquire)) ; return data; }
