// race: safe; deadlock: safe — memory that is filled with 0, and a member behind the lock, are no states of locks
#include <pthread.h>
#include <string.h>

static struct {
  pthread_mutex_t lock;
  int count;
} shared;

static void *work(void *unused) {
  pthread_mutex_lock(&shared.lock);
  shared.count++;
  pthread_mutex_unlock(&shared.lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  memset(&shared, 0, sizeof shared);
  shared.count = 7;
  pthread_mutex_init(&shared.lock, NULL);
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
