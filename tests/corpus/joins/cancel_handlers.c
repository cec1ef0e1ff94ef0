// race: safe; deadlock: safe; assert: safe — nested clean-up handlers of a cancelled thread run before it is joined
#include <assert.h>
#include <pthread.h>

static int value, inner, outer;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void unlock(void *m) {
  inner++;
  pthread_mutex_unlock(m);
}

static void note(void *count) { ++*(int *)count; }

static void *work(void *arg) {
  pthread_cleanup_push(note, &outer);
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, &lock);
  value++;
  pthread_testcancel();
  value++;
  pthread_cleanup_pop(1);
  pthread_cleanup_pop(1);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_cancel(t);
  pthread_mutex_lock(&lock);
  value++;
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  assert(inner == 1 && outer == 1 && value >= 2);
  return 0;
}
