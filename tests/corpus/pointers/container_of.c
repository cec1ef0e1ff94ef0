// race: safe — from a member back to its structure, whose lock guards it
#include <pthread.h>
#include <stddef.h>

struct Link {
  struct Link *next;
};

struct Item {
  pthread_mutex_t lock;
  int uses;
  struct Link link;
};

static struct Item item = {PTHREAD_MUTEX_INITIALIZER, 0, {NULL}};

static void *use(void *arg) {
  struct Link *link = arg;
  struct Item *it = (struct Item *)((char *)link - offsetof(struct Item, link));
  pthread_mutex_lock(&it->lock);
  it->uses++;
  pthread_mutex_unlock(&it->lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, use, &item.link);
  pthread_create(&b, NULL, use, &item.link);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return item.uses - 2;
}
