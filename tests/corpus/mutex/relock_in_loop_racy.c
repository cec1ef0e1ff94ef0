// race: unsafe lines 10 12 — the loop's test is made while the lock is given up
#include <pthread.h>

static int jobs = 6, done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int slow(int n) { return n * n; }

static void *work(void *arg) {
  while (jobs > 0) {
    pthread_mutex_lock(&lock);
    int job = jobs--;
    pthread_mutex_unlock(&lock);
    int result = slow(job);
    pthread_mutex_lock(&lock);
    done += result;
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return done < 91;
}
