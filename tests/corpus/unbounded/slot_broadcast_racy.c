// race: unsafe lines 30 38 — consumers give the slot back before they have read it
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

enum { EMPTY, FILLING, FULL, DRAINING };

static int slot;
static int state = EMPTY;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void claim(int from, int to) {
  pthread_mutex_lock(&lock);
  while (state != from) pthread_cond_wait(&changed, &lock);
  state = to;
  pthread_mutex_unlock(&lock);
}

static void set(int to) {
  pthread_mutex_lock(&lock);
  state = to;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

static void *produce(void *arg) {
  (void)arg;
  claim(EMPTY, FILLING);
  slot = 1;
  set(FULL);
  return NULL;
}

static void *consume(void *arg) {
  (void)arg;
  claim(FULL, EMPTY);
  int got = slot;
  set(EMPTY);
  return got ? &slot : NULL;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    pthread_t id;
    pthread_create(&id, NULL, produce, NULL);
    pthread_create(&id, NULL, consume, NULL);
  }
  return 0;
}
