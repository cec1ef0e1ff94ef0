// race: unsafe lines 8 17 — a constructor starts a thread before main begins
#include <pthread.h>

static pthread_t early;
static int value;

static void *work(void *arg) {
  value = 1;
  return arg;
}

__attribute__((constructor)) static void before_main(void) {
  pthread_create(&early, NULL, work, NULL);
}

int main(void) {
  int seen = value;
  pthread_join(early, NULL);
  return seen > 1;
}
