// race: unsafe lines 6 14 — one thread changes the environment while another looks something up
#include <pthread.h>
#include <stdlib.h>

static void *look(void *arg) {
  *(int *)arg = getenv("HEDDLE_TEST") != NULL;
  return NULL;
}

int main(void) {
  pthread_t t;
  int x;
  pthread_create(&t, NULL, look, &x);
  setenv("HEDDLE_TEST", "1", 1);
  pthread_join(t, NULL);
  return x > 1;
}
