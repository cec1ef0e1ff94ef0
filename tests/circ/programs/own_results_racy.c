/* race: unsafe. Both write to what they are given, which is the same. */
#include <pthread.h>

static int shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *user(void *arg) {
  pthread_mutex_lock(&lock);
  int seen = shared++;
  pthread_mutex_unlock(&lock);
  *(int *)arg = seen;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int x, y;
  pthread_create(&a, NULL, user, &x);
  pthread_create(&b, NULL, user, &x);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
