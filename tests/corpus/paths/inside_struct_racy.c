// race: unsafe lines 14 15 — the lock of one box is held while the other one is changed
#include <pthread.h>

struct Box {
  pthread_mutex_t lock;
  int items;
};

static struct Box first = {PTHREAD_MUTEX_INITIALIZER, 0};
static struct Box second = {PTHREAD_MUTEX_INITIALIZER, 0};

static void move(struct Box *from, struct Box *to) {
  pthread_mutex_lock(&from->lock);
  from->items--;
  to->items++;
  pthread_mutex_unlock(&from->lock);
}

static void *forth(void *arg) {
  move(&first, &second);
  return arg;
}

static void *back(void *arg) {
  move(&second, &first);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, forth, NULL);
  pthread_create(&b, NULL, back, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return first.items + second.items > 2;
}
