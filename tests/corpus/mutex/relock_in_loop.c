// race: safe — a loop that gives the lock up for its slow part and takes it again
#include <pthread.h>

static int jobs = 6, done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int slow(int n) { return n * n; }

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  while (jobs > 0) {
    int job = jobs--;
    pthread_mutex_unlock(&lock);
    int result = slow(job);
    pthread_mutex_lock(&lock);
    done += result;
  }
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return done != 91;
}
