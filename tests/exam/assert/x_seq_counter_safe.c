/* safe: produced - consumed is what is in the buffer, in endless loops, any number of threads (all modulo 2^32). */
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; unsigned made, used, in;
static void *p(void *a) { while (1) { pthread_mutex_lock(&m); if (in < 100) { in++; made++; } pthread_mutex_unlock(&m); } return 0; }
static void *c(void *a) {
  while (1) {
    pthread_mutex_lock(&m);
    if (in > 0) {
      used++; in--;
    }
    assert(made - used == in);
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) { pthread_t t; while (1) { pthread_create(&t, 0, p, 0); pthread_create(&t, 0, c, 0); } }
