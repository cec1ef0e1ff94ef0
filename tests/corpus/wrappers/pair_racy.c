// race: unsafe lines 12 21 — the wrapper that should lock is called after the access
#include <pthread.h>

static int value;
static pthread_mutex_t big = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) { pthread_mutex_lock(&big); }
static void leave(void) { pthread_mutex_unlock(&big); }

static void *bump(void *arg) {
  enter();
  value++;
  leave();
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, bump, NULL);
  pthread_create(&b, NULL, bump, NULL);
  int now = value;
  enter();
  leave();
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return now > 2;
}
