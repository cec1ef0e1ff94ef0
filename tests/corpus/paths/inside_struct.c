// race: safe — each structure carries the lock that guards its fields
#include <pthread.h>

struct Box {
  pthread_mutex_t lock;
  int items;
  int weight;
};

static struct Box first = {PTHREAD_MUTEX_INITIALIZER, 0, 0};
static struct Box second = {PTHREAD_MUTEX_INITIALIZER, 0, 0};

static void put(struct Box *box, int weight) {
  pthread_mutex_lock(&box->lock);
  box->items++;
  box->weight += weight;
  pthread_mutex_unlock(&box->lock);
}

static void *packer(void *arg) {
  put(&first, 2);
  put(arg, 3);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, packer, &first);
  pthread_create(&b, NULL, packer, &second);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return first.items + second.items - 4;
}
