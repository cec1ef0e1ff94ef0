// race: unsafe lines 17 29 — the lock that main took was unlocked by another thread, so it guards nothing
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

/* POSIX leaves open what this does, and Linux unlocks */
static void *unlocker(void *unused) {
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *counter(void *unused) {
  pthread_mutex_lock(&lock);
  /* when main believes that it has the lock */
  total++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_mutex_lock(&lock);
  pthread_create(&a, NULL, unlocker, NULL);
  pthread_join(a, NULL);
  pthread_create(&b, NULL, counter, NULL);
  /* not any more */
  total++;
  pthread_join(b, NULL);
  return total != 2 && total != 1;
}
