// race: unsafe lines 14 22 — the lock of slot 0 is taken for every slot by one of the threads
#include <pthread.h>

struct Slot {
  pthread_mutex_t lock;
  int value;
};

static struct Slot slot[3];

static void *up(void *arg) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&slot[i].lock);
    slot[i].value++;
    pthread_mutex_unlock(&slot[i].lock);
  }
  return arg;
}

static void *down(void *arg) {
  pthread_mutex_lock(&slot[0].lock);
  for (int i = 0; i < 3; i++) slot[i].value--;
  pthread_mutex_unlock(&slot[0].lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  for (int i = 0; i < 3; i++) pthread_mutex_init(&slot[i].lock, NULL);
  pthread_create(&a, NULL, up, NULL);
  pthread_create(&b, NULL, down, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return slot[0].value;
}
