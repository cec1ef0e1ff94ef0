// race: unsafe lines 8 — strtol stores the end of the number in a shared pointer
#include <pthread.h>
#include <stdlib.h>

static char *end;

static void *parse(void *arg) {
  long n = strtol(arg, &end, 10);
  return n ? arg : NULL;
}

int main(void) {
  pthread_t a, b;
  char x[] = "12 ", y[] = "345 ";
  pthread_create(&a, NULL, parse, x);
  pthread_create(&b, NULL, parse, y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return *end != ' ';
}
