// race: safe — every case of a switch runs inside one critical section
#include <pthread.h>

enum { PUSH, POP, CLEAR };
static int depth;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void act(int what) {
  pthread_mutex_lock(&lock);
  switch (what) {
  case PUSH: depth++; break;
  case POP:
    if (depth > 0) depth--;
    break;
  default: depth = 0;
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
  return depth > 1;
}
