// race: safe — the text in the environment is read by all and changed by nobody
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

static char text[] = "HEDDLE_TRAP=1";
static int found;

static void *asker(void *unused) {
  found = getenv("HEDDLE_NONE") != 0;
  return unused;
}

static void *changer(void *unused) {
  if (text[12] == '2') abort();
  return unused;
}

int main(void) {
  pthread_t a, b;
  putenv(text);
  pthread_create(&a, 0, asker, 0);
  pthread_create(&b, 0, changer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return found == 2;
}
