/* bad: the counter wraps to 0 behind 5. */
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int c;
static int get(void) { pthread_mutex_lock(&m); int r = c; pthread_mutex_unlock(&m); return r; }
static void *up(void *p) {
  while (1) {
    pthread_mutex_lock(&m);
    if (c == 5) c = 0; else c++;
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, up, 0); pthread_create(&b, 0, up, 0);
  while (1) { int x = get(); int y = get(); assert(x <= y); }
}
