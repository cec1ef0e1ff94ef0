/* safe: thread i writes r[perm[i]], perm is a permutation; all joined. */
#include <pthread.h>
#define N 4
static const int perm[N] = { 2, 0, 3, 1 };
int r[N];
static void *w(void *p) { long i = (long)p; r[perm[i]] = (int)i; return 0; }
int main(void) { pthread_t t[N]; for (long i = 0; i < N; i++) pthread_create(&t[i], 0, w, (void *)i); for (int i = 0; i < N; i++) pthread_join(t[i], 0); return r[0]; }
