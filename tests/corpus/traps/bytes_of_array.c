// race: safe — an array of bytes by index, and the members around it
#include <pthread.h>

static struct {
  int first;
  char name[4];
  int last;
} g;

static void *first(void *arg) {
  for (int i = 0; i < 4; i++) g.name[i] = 'x';
  return arg;
}

static void *second(void *arg) {
  g.first = 1;
  g.last = 1;
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
