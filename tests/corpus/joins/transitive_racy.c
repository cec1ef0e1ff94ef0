// race: unsafe lines 7 22 — the child ends without joining the grandchild
#include <pthread.h>

static int value;

static void *grandchild(void *arg) {
  value = 1;
  return arg;
}

static void *child(void *arg) {
  pthread_t t;
  pthread_create(&t, NULL, grandchild, NULL);
  pthread_detach(t);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, child, NULL);
  pthread_join(t, NULL);
  return value > 1;
}
