// deadlock: unsafe — realloc moves a lock that is held, and who waits for the new one waits for ever
#include <pthread.h>
#include <stdlib.h>

struct pool {
  pthread_mutex_t lock;
  int used;
};

static struct pool *pool;

static void *work(void *unused) {
  pthread_mutex_lock(&pool->lock);
  pool->used++;
  pthread_mutex_unlock(&pool->lock);
  return unused;
}

int main(void) {
  pthread_t t;
  struct pool *old = malloc(sizeof *old);
  if (!old) return 1;
  pthread_mutex_init(&old->lock, NULL);
  old->used = 0;
  pthread_mutex_lock(&old->lock);
  pool = realloc(old, 64 * sizeof *pool);
  if (!pool) return 1;
  if (pthread_create(&t, NULL, work, NULL)) return 1;
  pthread_join(t, NULL);
  return 0;
}
