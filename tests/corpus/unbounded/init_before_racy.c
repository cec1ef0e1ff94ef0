// race: unsafe lines 16 — what is set before the first thread is there marks nothing as taken
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int limit, taken, data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock);
  int mine = !taken;
  if (mine) taken = limit;
  pthread_mutex_unlock(&lock);
  if (!mine) return NULL;
  data++;
  pthread_mutex_lock(&lock);
  taken = 0;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  limit = 0;
  while (__VERIFIER_nondet_int()) {
    pthread_t id;
    pthread_create(&id, NULL, work, NULL);
  }
  return 0;
}
