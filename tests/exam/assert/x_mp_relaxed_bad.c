/* bad: relaxed message passing may read y == 1 and x == 0 (C11). */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x, y;
static void *a(void *p) { atomic_store_explicit(&x, 1, memory_order_relaxed); atomic_store_explicit(&y, 1, memory_order_relaxed); return 0; }
static void *b(void *p) { if (atomic_load_explicit(&y, memory_order_relaxed)) assert(atomic_load_explicit(&x, memory_order_relaxed) == 1); return 0; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, a, 0); pthread_create(&t, 0, b, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }
