// race: safe — the guard is two steps away: p->owner->lock
#include <pthread.h>

struct Owner {
  pthread_mutex_t lock;
  int changes;
};

struct Item {
  struct Owner *owner;
  int value;
};

static struct Owner owner = {PTHREAD_MUTEX_INITIALIZER, 0};
static struct Item item = {&owner, 0};

static void set(struct Item *p, int value) {
  pthread_mutex_lock(&p->owner->lock);
  p->value = value;
  p->owner->changes++;
  pthread_mutex_unlock(&p->owner->lock);
}

static void *user(void *arg) {
  set(&item, *(int *)arg);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, NULL, user, &one);
  pthread_create(&b, NULL, user, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return owner.changes - 2;
}
