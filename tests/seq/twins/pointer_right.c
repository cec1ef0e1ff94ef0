// Threads and callees come through pointers, which are compared, too. Under a lock.
#include <assert.h>
#include <pthread.h>

typedef int Step(int);
static int up(int n) { return n + 1; }
static int down(int n) { return n - 1; }
static Step *steps[2] = {up, down};
static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  Step *step = arg;
  pthread_mutex_lock(&lock);
  int before = value;
  value = step(before);
  if (step == up) assert(value > before);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, steps[0]);
  pthread_create(&b, NULL, work, steps[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
