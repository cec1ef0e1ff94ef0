/* safe: consumers take as many as producers give. */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int n;
static void *prod(void *v) { for (int i = 0; i < 3; i++) { pthread_mutex_lock(&m); n++; pthread_cond_signal(&c); pthread_mutex_unlock(&m); } return 0; }
static void *cons(void *v) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&m); while (n == 0) pthread_cond_wait(&c, &m); n--; pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) { pthread_t s, t; pthread_create(&s, 0, prod, 0); pthread_create(&t, 0, cons, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }
