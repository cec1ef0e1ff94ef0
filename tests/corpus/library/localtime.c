// race: safe — localtime_r fills a structure of the caller
#include <pthread.h>
#include <time.h>

static void *year(void *arg) {
  time_t when = *(time_t *)arg;
  struct tm tm;
  localtime_r(&when, &tm);
  return tm.tm_year > 100 ? arg : NULL;
}

int main(void) {
  pthread_t a, b;
  time_t early = 0, late = 2000000000;
  pthread_create(&a, NULL, year, &early);
  pthread_create(&b, NULL, year, &late);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
