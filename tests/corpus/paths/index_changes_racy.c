// race: unsafe lines 13 20 — the index changes between the lock and the access, though the text is the same
#include <pthread.h>

static int data[3];
static pthread_mutex_t lock[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                  PTHREAD_MUTEX_INITIALIZER};

static void *work(void *arg) {
  int i = *(int *)arg;
  pthread_mutex_t *held = &lock[i];
  pthread_mutex_lock(held);
  i++;
  data[i]++;
  pthread_mutex_unlock(held);
  return NULL;
}

static void *other(void *arg) {
  pthread_mutex_lock(&lock[1]);
  data[1]++;
  pthread_mutex_unlock(&lock[1]);
  return arg;
}

int main(void) {
  pthread_t a, b;
  int zero = 0;
  pthread_create(&a, NULL, work, &zero);
  pthread_create(&b, NULL, other, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return data[1] > 2;
}
