/* safe: m and &m[0] are one lock. */
#include <pthread.h>
pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER }; int x;
static void *a(void *p) { pthread_mutex_lock(m); x++; pthread_mutex_unlock(m); return 0; }
static void *b(void *p) { pthread_mutex_lock(&m[0]); x++; pthread_mutex_unlock(&m[0]); return 0; }
int main(void) { pthread_t t; while (1) { pthread_create(&t, 0, a, 0); pthread_create(&t, 0, b, 0); } }
