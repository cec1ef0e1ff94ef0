// race: safe — trylock first, and where it fails the ordinary lock
#include <pthread.h>

static int value, contended;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) {
  if (pthread_mutex_trylock(&lock) != 0) {
    pthread_mutex_lock(&lock);
    contended++;
  }
}

static void *bump(void *arg) {
  enter();
  value++;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, bump, NULL);
  pthread_create(&b, NULL, bump, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value - 2 + (contended > 1);
}
