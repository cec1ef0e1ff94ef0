// deadlock: unsafe — who waits for a mutex that is overwritten is woken by nobody
#include <pthread.h>
#include <string.h>

static struct {
  pthread_mutex_t lock;
  int count;
} shared = {PTHREAD_MUTEX_INITIALIZER, 0};
static int calls;

static void *work(void *arg) {
  (void)arg;
  pthread_mutex_lock(&shared.lock);
  calls++;
  pthread_mutex_unlock(&shared.lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  memset(&shared, 0, sizeof shared);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
