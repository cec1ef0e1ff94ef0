/* A race beside much else: workers that count under locks of a stripe, with a thousand words
 * each that they hand on under a lock, and two threads whose race the order of the run hides.
 *     noise N [late]   N rounds for each of four workers; late: the race comes after them */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORKERS = 4, STRIPES = 16, WORDS = 1024 };

static pthread_mutex_t stripes[STRIPES], m = PTHREAD_MUTEX_INITIALIZER;
static long counts[STRIPES], words[WORDS];
static int rounds, hidden;

static void *work(void *a) {
  long me = (long)a;
  for (int i = 0; i < rounds; i++) {
    unsigned s = (unsigned)(i * 7 + me) % STRIPES;
    pthread_mutex_lock(&stripes[s]);
    counts[s]++;
    for (int k = 0; k < 4; k++) words[(s + 16 * (i + k)) % WORDS] += me;
    pthread_mutex_unlock(&stripes[s]);
  }
  return a;
}

static void *first(void *a) {
  hidden++;
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return a;
}

static void *second(void *a) {
  usleep(20000);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  hidden++;
  return a;
}

static void race(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}

int main(int argc, char **argv) {
  pthread_t workers[WORKERS];
  int late = argc > 2 && strcmp(argv[2], "late") == 0;
  rounds = argc > 1 ? atoi(argv[1]) : 1000;
  for (int i = 0; i < STRIPES; i++) pthread_mutex_init(&stripes[i], 0);
  if (!late) race();
  for (long i = 0; i < WORKERS; i++) pthread_create(&workers[i], 0, work, (void *)i);
  for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], 0);
  if (late) race();
  return 0;
}
