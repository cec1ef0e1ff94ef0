// race: unsafe lines 11 — what a table inside the library says decides nothing about the race
#include <ctype.h>
#include <pthread.h>
#include <stddef.h>

static int total;
static const char text[] = "7";

static void *counter(void *unused) {
  /* both threads come here */
  total++;
  return unused;
}

int main(void) {
  pthread_t a, b;
  if (!isdigit((unsigned char)text[0])) return 1;
  pthread_create(&a, NULL, counter, NULL);
  pthread_create(&b, NULL, counter, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
