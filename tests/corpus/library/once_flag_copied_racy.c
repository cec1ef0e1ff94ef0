// race: unsafe lines 10 14 19 20 — the flag is made new while it is used: the routine may run twice
#include <pthread.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_once_t fresh = PTHREAD_ONCE_INIT;
static int x;

static void routine(void) {
  x++;
}

static void *first(void *unused) {
  pthread_once(&once, routine);
  return unused;
}

static void *second(void *unused) {
  memcpy(&once, &fresh, sizeof once);
  pthread_once(&once, routine);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
