// race: safe; deadlock: safe — localtime is called under the mutex, and its result is used there
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *year(void *arg) {
  time_t when = *(time_t *)arg;
  pthread_mutex_lock(&lock);
  struct tm *tm = localtime(&when);
  int late = tm && tm->tm_year > 100;
  pthread_mutex_unlock(&lock);
  return late ? arg : NULL;
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
