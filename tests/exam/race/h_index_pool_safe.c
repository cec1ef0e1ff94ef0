/* safe: the stack of free indices is under the lock; an index that was taken belongs to the taker. */
#include <pthread.h>
#define N 3
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int freei[N] = { 0, 1, 2 }, nfree = N; int obj[N];
static int take(void) { int i = -1; pthread_mutex_lock(&m); if (nfree > 0) i = freei[--nfree]; pthread_mutex_unlock(&m); return i; }
static void give(int i) { pthread_mutex_lock(&m); freei[nfree++] = i; pthread_mutex_unlock(&m); }
static void *w(void *a) {
  int i = take();
  if (i < 0) return 0;
  obj[i]++;
  give(i);
  return 0;
}
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, w, 0); }
