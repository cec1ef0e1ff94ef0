// race: unsafe lines 18 — getopt_long stores to the flag of an option, and what is guarded by it races
#define _GNU_SOURCE
#include <getopt.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int verbose, data;
static const struct option options[] = {{"verbose", no_argument, &verbose, 1}, {0, 0, 0, 0}};
static char name[] = "program", option[] = "--verbose";
static char *words[] = {name, option, 0};

static void *worker(void *argument) {
  pthread_mutex_lock(&lock);
  int seen = verbose;
  pthread_mutex_unlock(&lock);
  if (!seen)
    return argument;
  data++;
  return argument;
}

int main(void) {
  pthread_t threads[2];
  while (getopt_long(2, words, "", options, 0) != -1)
    ;
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  return data == 3;
}
