// race: safe — tmpnam leaves its own text alone when it is given a place
#include <pthread.h>
#include <stdio.h>

static void *name(void *arg) {
  char text[L_tmpnam];
  return tmpnam(text) ? arg : NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, name, NULL);
  pthread_create(&b, NULL, name, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
