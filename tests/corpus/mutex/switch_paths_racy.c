// race: unsafe lines 11 14 — one case of a switch releases the lock too early
#include <pthread.h>

enum { PUSH, POP, CLEAR };
static int depth;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void act(int what) {
  pthread_mutex_lock(&lock);
  switch (what) {
  case PUSH: depth++; break;
  case CLEAR:
    pthread_mutex_unlock(&lock);
    depth = 0;
    return;
  default: break;
  }
  pthread_mutex_unlock(&lock);
}

static void *user(void *arg) {
  act(PUSH);
  act(*(int *)arg);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int pop = POP, clear = CLEAR;
  pthread_create(&a, NULL, user, &pop);
  pthread_create(&b, NULL, user, &clear);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return depth > 2;
}
