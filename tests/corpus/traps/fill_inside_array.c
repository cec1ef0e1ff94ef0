// race: safe — memset of one element, and the member behind the array
#include <pthread.h>
#include <string.h>

static struct {
  int a[4];
  int next;
} g;

static void *first(void *arg) {
  memset(&g.a[2], 0, 8);
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
