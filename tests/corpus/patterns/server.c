// race: safe — a detached thread for each request, common statistics under a lock
#include <pthread.h>
#include <stdlib.h>

struct Request {
  int id, size;
};

static struct {
  pthread_mutex_t lock;
  int served, bytes;
} stats = {PTHREAD_MUTEX_INITIALIZER, 0, 0};

static void *serve(void *arg) {
  struct Request *r = arg;
  int bytes = r->size * 2;
  free(r);
  pthread_mutex_lock(&stats.lock);
  stats.served++;
  stats.bytes += bytes;
  pthread_mutex_unlock(&stats.lock);
  return NULL;
}

int main(void) {
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  for (int i = 0; i < 4; i++) {
    pthread_t t;
    struct Request *r = malloc(sizeof *r);
    if (!r) return 1;
    r->id = i;
    r->size = 10 * i;
    if (pthread_create(&t, &attr, serve, r) != 0) free(r);
  }
  pthread_mutex_lock(&stats.lock);
  int served = stats.served;
  pthread_mutex_unlock(&stats.lock);
  return served > 4;
}
