// race: unsafe lines 13 23 — memcpy into the end of an array and the member behind it, through a parameter
#include <pthread.h>
#include <string.h>

struct item {
  char a[6];
  short next;
};
static struct item g;

static void fill(struct item *to, int at) {
  static const char from[4];
  memcpy(to->a + at, from, sizeof from);
}

static void *first(void *arg) {
  fill(&g, 0);
  fill(&g, 3);
  return arg;
}

static void *second(void *arg) {
  g.next = 1;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
