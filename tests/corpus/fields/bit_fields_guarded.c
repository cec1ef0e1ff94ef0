// race: safe — bit-fields that share a word, all under one mutex
#include <pthread.h>

static struct {
  unsigned ready : 1;
  unsigned level : 7;
} state;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *set_ready(void *arg) {
  pthread_mutex_lock(&lock);
  state.ready = 1;
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *set_level(void *arg) {
  pthread_mutex_lock(&lock);
  state.level = 5;
  pthread_mutex_unlock(&lock);
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
