// race: safe — the wrapper starts another function than it was given, with data of its own
#include <pthread.h>
#include <stdlib.h>

static int given, usual, checked;

static void count_given(void) { given++; }
static void count_usual(void) { usual++; }

static void *enter(void *real) {
  ((void (*)(void))real)();
  return NULL;
}

static pthread_t start(void (*body)(void)) {
  pthread_t thread;
  if (body == count_given) body = count_usual;
  if (pthread_create(&thread, NULL, enter, (void *)body)) abort();
  return thread;
}

int main(void) {
  pthread_t a = start(count_given);
  given++;
  pthread_join(a, NULL);
  checked = given + usual;
  return checked - 2;
}
