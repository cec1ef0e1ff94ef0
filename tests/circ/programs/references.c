/* race: safe */
/* References are counted: who takes the last one off has the object to himself. Threads get theirs from main. */
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
    take();
    pthread_create(&t, 0, user, 0);
  }
  give_back();
  return 0;
}
