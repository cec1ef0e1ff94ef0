// race: unsafe lines 13 20 — each bit-field has its own lock, but they share their bytes
#include <pthread.h>

static struct {
  unsigned ready : 1;
  unsigned level : 7;
} state;
static pthread_mutex_t ready_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t level_lock = PTHREAD_MUTEX_INITIALIZER;

static void *set_ready(void *arg) {
  pthread_mutex_lock(&ready_lock);
  state.ready = 1;
  pthread_mutex_unlock(&ready_lock);
  return arg;
}

static void *set_level(void *arg) {
  pthread_mutex_lock(&level_lock);
  state.level = 5;
  pthread_mutex_unlock(&level_lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, set_ready, NULL);
  pthread_create(&b, NULL, set_level, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return state.ready + state.level > 6;
}
