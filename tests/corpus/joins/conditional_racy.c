// race: unsafe lines 7 16 — on one path the thread is not joined before the access
#include <pthread.h>

static int value;

static void *work(void *arg) {
  value += 3;
  return arg;
}

int main(int argc, char **argv) {
  (void)argv;
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  if (argc > 1) pthread_join(t, NULL);
  value++;
  if (argc <= 1) pthread_join(t, NULL);
  return value > 4;
}
