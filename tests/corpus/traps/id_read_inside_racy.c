// race: unsafe lines 8 14 — a thread reads its id where pthread_create perhaps still writes it
#include <pthread.h>

static pthread_t id;
static int same;

static void *work(void *arg) {
  same = pthread_equal(id, pthread_self());
  return arg;
}

int main(void) {
  pthread_t mine;
  pthread_create(&id, NULL, work, NULL);
  mine = id;
  pthread_join(mine, NULL);
  return same;
}
