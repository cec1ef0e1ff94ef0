// race: unsafe lines 17 — the method of one object forgets the lock
#include <pthread.h>

struct Shape {
  pthread_mutex_t lock;
  int area;
  void (*grow)(struct Shape *, int);
};

static void add(struct Shape *s, int n) {
  pthread_mutex_lock(&s->lock);
  s->area += n;
  pthread_mutex_unlock(&s->lock);
}

static void twice(struct Shape *s, int n) {
  s->area += 2 * n;
}

static struct Shape square = {PTHREAD_MUTEX_INITIALIZER, 0, add};
static struct Shape circle = {PTHREAD_MUTEX_INITIALIZER, 0, twice};

static void *work(void *arg) {
  square.grow(&square, *(int *)arg);
  circle.grow(&circle, *(int *)arg);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, NULL, work, &one);
  pthread_create(&b, NULL, work, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return square.area - 3;
}
