// race: unsafe lines 8 9 — asctime writes one text for all threads
#include <pthread.h>
#include <string.h>
#include <time.h>

static void *print(void *arg) {
  struct tm tm = {.tm_mday = 1, .tm_year = *(int *)arg};
  char *text = asctime(&tm);
  return text && text[0] == 'S' ? arg : NULL;
}

int main(void) {
  pthread_t a, b;
  int x = 90, y = 110;
  pthread_create(&a, NULL, print, &x);
  pthread_create(&b, NULL, print, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
