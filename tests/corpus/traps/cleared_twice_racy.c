// race: unsafe lines 7 14 — two threads clear one array
#include <pthread.h>
#include <string.h>

static char text[40];
static void *work(void *arg) {
  memset(text, 0, sizeof text);
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, work, NULL);
  memset(text, 1, sizeof text);
  return 0;
}
