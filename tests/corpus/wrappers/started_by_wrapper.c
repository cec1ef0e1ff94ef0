// race: safe — threads of two kinds with data of their own start through one wrapper
#include <pthread.h>
#include <stdlib.h>

static int reads, writes;

static void *enter(void *real) {
  ((void (*)(void))real)();
  return NULL;
}

static pthread_t start(void (*body)(void)) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, enter, (void *)body)) abort();
  return thread;
}

static void reader(void) { reads++; }
static void writer(void) { writes++; }

int main(void) {
  pthread_t a = start(reader);
  pthread_t b = start(writer);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return reads + writes - 2;
}
