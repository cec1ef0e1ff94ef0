// race: safe; deadlock: safe — a guarded counter tells that all threads have ended their work
#include <pthread.h>
#include <sched.h>

#define N 2
static int part[N], ended;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  long i = (long)arg;
  part[i] = 21;
  pthread_mutex_lock(&lock);
  ended++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], NULL, work, (void *)i);
  for (;;) {
    pthread_mutex_lock(&lock);
    int n = ended;
    pthread_mutex_unlock(&lock);
    if (n == N) break;
    sched_yield();
  }
  int sum = part[0] + part[1];
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return sum - 42;
}
