/* race: unknown */
/* An address that is read as a number by a union may be any number: no run shows it, but it is not
   safe. */
#include <pthread.h>

static char places[256];
static union {
  char *address;
  unsigned long number;
} both;
static int x;

static void *writer(void *arg) {
  x = 2;
  return arg;
}

int main(void) {
  pthread_t a;
  places[0] = 1;
  both.address = &places[0];
  if (pthread_create(&a, 0, writer, 0)) return 1;
  if (both.number & 64) x = 1;
  pthread_join(a, 0);
  return 0;
}
