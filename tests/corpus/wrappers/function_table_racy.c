// race: unsafe lines 22 — the table's lock function does nothing
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void do_lock(void) { pthread_mutex_lock(&lock); }
static void do_unlock(void) { pthread_mutex_unlock(&lock); }
static void do_nothing(void) {}

struct Guard {
  void (*enter)(void);
  void (*leave)(void);
};

static const struct Guard real = {do_lock, do_unlock};
static const struct Guard fake = {do_nothing, do_nothing};

static void *bump(void *arg) {
  const struct Guard *guard = arg;
  guard->enter();
  value++;
  guard->leave();
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, bump, (void *)&real);
  pthread_create(&b, NULL, bump, (void *)&fake);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 2;
}
