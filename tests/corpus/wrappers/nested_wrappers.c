// race: safe — wrappers around wrappers; what each thread runs has a lock or data of its own
#include <pthread.h>
#include <stdlib.h>

typedef void Body(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared, left, right;

static void *enter(void *real) {
  Body *body = (Body *)real;
  body();
  return NULL;
}

static pthread_t create(Body *body) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, enter, (void *)body)) abort();
  return thread;
}

static pthread_t start(Body *body) { return create(body); }

static void locked(Body *body) {
  pthread_mutex_lock(&lock);
  body();
  pthread_mutex_unlock(&lock);
}

static void unlocked(Body *body) { body(); }
static void bump(void) { shared++; }
static void bump_left(void) { left++; }

static void work_left(void) {
  locked(bump);
  unlocked(bump_left);
}

static void work_right(void) {
  locked(bump);
  right++;
}

int main(void) {
  pthread_t a = start(work_left), b = start(work_right);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return shared + left + right - 4;
}
