/* bad: p and q hold each other up for ever while main goes on polling. */
#include <pthread.h>
#include <stdatomic.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER; atomic_int stop;
static void *p(void *x) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return 0; }
static void *q(void *x) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return 0; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, p, 0); pthread_create(&t, 0, q, 0); while (!atomic_load(&stop)) ; return 0; }
