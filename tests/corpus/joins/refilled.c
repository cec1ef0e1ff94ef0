// race: safe; deadlock: safe — one variable for the ids of three threads, each joined before the next is created
#include <pthread.h>

static int x;
static pthread_t ids[2];

static void *work(void *arg) {
  x++;
  return arg;
}

static void run(int i) {
  pthread_create(&ids[i], NULL, work, NULL);
  pthread_join(ids[i], NULL);
}

int main(void) {
  pthread_t t;
  for (int i = 0; i < 3; i++) {
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
  }
  for (int i = 0; i < 2; i++) run(i);
  x++;
  return 0;
}
