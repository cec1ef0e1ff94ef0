/* safe: each thread's count is its own. */
#include <pthread.h>
#include <assert.h>
static __thread int n;
static void *w(void *p) { for (int i = 0; i < 3; i++) { n++; } assert(n == 3); return 0; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, w, 0); pthread_create(&t, 0, w, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }
