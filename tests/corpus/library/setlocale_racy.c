// race: unsafe lines 6 11 — setlocale changes the locale of all threads
#include <locale.h>
#include <pthread.h>

static void *german(void *arg) {
  setlocale(LC_NUMERIC, "C");
  return arg;
}

static void *plain(void *arg) {
  setlocale(LC_NUMERIC, "POSIX");
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, german, NULL);
  pthread_create(&b, NULL, plain, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
