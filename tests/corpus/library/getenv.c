// race: safe — many may read the environment while nobody changes it
#include <pthread.h>
#include <stdlib.h>

static void *look(void *arg) {
  *(int *)arg = getenv("PATH") != NULL;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int x, y;
  setenv("HEDDLE_TEST", "1", 1);
  pthread_create(&a, NULL, look, &x);
  pthread_create(&b, NULL, look, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return x - y;
}
