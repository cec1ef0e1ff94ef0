/* bad: a thread-local mutex protects nothing. */
#include <pthread.h>
static __thread pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
static void *w(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, w, 0); }
