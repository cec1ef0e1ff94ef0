// race: safe — a bit-field and the ordinary member behind it are separate
#include <pthread.h>

static struct {
  unsigned char flags : 4;
  unsigned char count;
} state;

static void *set_flags(void *arg) {
  state.flags = 3;
  return arg;
}

static void *set_count(void *arg) {
  state.count++;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, set_flags, NULL);
  pthread_create(&b, NULL, set_count, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return state.flags + state.count - 4;
}
