// race: safe — lock and unlock are reached through a table of function pointers
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void do_lock(void) { pthread_mutex_lock(&lock); }
static void do_unlock(void) { pthread_mutex_unlock(&lock); }

struct Guard {
  void (*enter)(void);
  void (*leave)(void);
};

static const struct Guard guard = {do_lock, do_unlock};

static void *bump(void *arg) {
  guard.enter();
  value++;
  guard.leave();
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, bump, NULL);
  pthread_create(&b, NULL, bump, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value - 2;
}
