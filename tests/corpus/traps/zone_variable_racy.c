// race: unsafe lines 10 18 — localtime_r sets the zone that another thread reads by name
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static long offset;

static void *reader(void *unused) {
  (void)unused;
  offset = timezone;
  return 0;
}

static void *converter(void *unused) {
  (void)unused;
  struct tm parts;
  time_t now = 0;
  localtime_r(&now, &parts);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, converter, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return offset == 1;
}
