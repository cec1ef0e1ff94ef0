// race: unsafe lines 10 15 — the members of a union overlap
#include <pthread.h>

static union {
  int number;
  char text[8];
} both;

static void *set_number(void *arg) {
  both.number = 7;
  return arg;
}

static void *set_text(void *arg) {
  both.text[1] = 'x';
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, set_number, NULL);
  pthread_create(&b, NULL, set_text, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return both.number == 0;
}
