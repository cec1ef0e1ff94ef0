// race: safe — pthread_once makes the object and its lock, then the lock guards it
#include <pthread.h>
#include <stdlib.h>

struct Log {
  pthread_mutex_t lock;
  int lines;
};

static struct Log *the_log;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_log(void) {
  the_log = calloc(1, sizeof *the_log);
  if (!the_log) exit(1);
  pthread_mutex_init(&the_log->lock, NULL);
}

static void log_line(void) {
  pthread_once(&once, make_log);
  pthread_mutex_lock(&the_log->lock);
  the_log->lines++;
  pthread_mutex_unlock(&the_log->lock);
}

static void *user(void *arg) {
  log_line();
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, user, NULL);
  pthread_create(&b, NULL, user, NULL);
  log_line();
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return the_log->lines - 3;
}
