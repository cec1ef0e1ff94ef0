/* race: unsafe */
/* A thread may use up its reference before it is counted. */
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int references = 1, object;

static void take(void) {
  pthread_mutex_lock(&lock);
  references++;
  pthread_mutex_unlock(&lock);
}

static void give_back(void) {
  pthread_mutex_lock(&lock);
  int left = --references;
  pthread_mutex_unlock(&lock);
  if (left == 0) object = 0;
}

static void *user(void *arg) {
  int seen = object;
  (void)seen;
  give_back();
  return arg;
}

int main(void) {
  pthread_t t;
  object = 1;
  while (__VERIFIER_nondet_int()) {
    pthread_create(&t, 0, user, 0);
    take();
  }
  give_back();
  return 0;
}
