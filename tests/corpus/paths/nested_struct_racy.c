// race: unsafe lines 22 — two items of the same value cell belong to different owners
#include <pthread.h>

struct Owner {
  pthread_mutex_t lock;
  int changes;
};

struct Item {
  struct Owner *owner;
  int *value;
};

static int cell;
static struct Owner ann = {PTHREAD_MUTEX_INITIALIZER, 0};
static struct Owner bob = {PTHREAD_MUTEX_INITIALIZER, 0};
static struct Item items[2] = {{&ann, &cell}, {&bob, &cell}};

static void *user(void *arg) {
  struct Item *p = arg;
  pthread_mutex_lock(&p->owner->lock);
  *p->value += 1;
  p->owner->changes++;
  pthread_mutex_unlock(&p->owner->lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, user, &items[0]);
  pthread_create(&b, NULL, user, &items[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return ann.changes + bob.changes - 2 + (cell > 2);
}
