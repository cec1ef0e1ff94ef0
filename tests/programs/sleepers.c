/* Sleeping threads: nanosleep, usleep and sleep order the output; clocks go forward. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int order[3], at;

static void *run(void *arg) {
  int ms = *(int *)arg;
  struct timespec t = {0, ms * 1000000L};
  if (ms == 200)
    usleep(200000);
  else
    nanosleep(&t, NULL);
  pthread_mutex_lock(&lock);
  order[at++] = ms;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t[3];
  int ms[3] = {400, 10, 200};
  struct timespec a, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, run, &ms[i]);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  clock_gettime(CLOCK_MONOTONIC, &b);
  printf("%d %d %d\n", order[0], order[1], order[2]);
  long past = (b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000;
  printf("%d\n", past >= 399);
  time_t now = time(NULL);
  printf("%d %d\n", now > 1000000000, sleep(0));
  struct timespec bad = {0, 2000000000};
  printf("%d\n", nanosleep(&bad, NULL));
  struct tm tm = {0};
  time_t day = 86400 * 365;
  gmtime_r(&day, &tm);
  char text[40];
  strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %j", &tm);
  printf("%s %d\n", text, tm.tm_wday);
  return 0;
}
