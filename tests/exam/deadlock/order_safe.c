/* safe: both threads take a before b. */
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *p(void *x) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return 0; }
static void *q(void *x) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return 0; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, p, 0); pthread_create(&t, 0, q, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }
