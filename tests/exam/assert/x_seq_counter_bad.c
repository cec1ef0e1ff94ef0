/* bad: the consumer counts before it takes. */
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; unsigned made, used, in;
static void *p(void *a) { while (1) { pthread_mutex_lock(&m); if (in < 100) { in++; made++; } pthread_mutex_unlock(&m); } return 0; }
static void *c(void *a) {
  while (1) {
    pthread_mutex_lock(&m);
    if (in > 0) {
      used++; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); in--;
    }
    assert(made - used == in);
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) { pthread_t t; while (1) { pthread_create(&t, 0, p, 0); pthread_create(&t, 0, c, 0); } }
