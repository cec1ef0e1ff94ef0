// race: safe — a bit-field of width zero starts a new memory location
#include <pthread.h>

static struct {
  unsigned ready : 1;
  unsigned : 0;
  unsigned level : 6;
} state;

static void *set_ready(void *arg) {
  state.ready = 1;
  return arg;
}

static void *set_level(void *arg) {
  state.level = 5;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, set_ready, NULL);
  pthread_create(&b, NULL, set_level, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return state.ready + state.level - 6;
}
