// race: safe — the child joins the grandchild, the main thread joins the child
#include <pthread.h>

static int value;

static void *grandchild(void *arg) {
  value = 1;
  return arg;
}

static void *child(void *arg) {
  pthread_t t;
  pthread_create(&t, NULL, grandchild, NULL);
  pthread_join(t, NULL);
  value++;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, child, NULL);
  pthread_join(t, NULL);
  return value - 2;
}
