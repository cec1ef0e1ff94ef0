// race: unsafe lines 7 8 — two threads change the one text that asctime gives to both
#include <pthread.h>
#include <time.h>

static void *print(void *arg) {
  struct tm tm = {.tm_mday = 1, .tm_year = 5};
  char *text = asctime(&tm);
  if (text) text[0] = 'x';
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, print, NULL);
  pthread_create(&b, NULL, print, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
