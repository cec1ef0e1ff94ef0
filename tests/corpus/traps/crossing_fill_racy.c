// race: unsafe lines 14 19 — a fill that starts in one element reaches into the next
#include <pthread.h>
#include <string.h>

struct Pair {
  int first, second;
};

static struct Pair pairs[4];
static int zero;

static void *clear(void *arg) {
  (void)arg;
  memset(&pairs[0].second, zero, 2 * sizeof(int));
  return NULL;
}

static void *count(void *arg) {
  pairs[*(int *)arg].first++;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int which = 1;
  pthread_create(&a, NULL, clear, NULL);
  pthread_create(&b, NULL, count, &which);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
