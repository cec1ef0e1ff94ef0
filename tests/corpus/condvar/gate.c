// race: safe; deadlock: safe — a broadcast opens the gate for several threads
#include <pthread.h>

#define N 3
static int open_gate, input, output[N];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *work(void *arg) {
  long i = (long)arg;
  pthread_mutex_lock(&lock);
  while (!open_gate) pthread_cond_wait(&cond, &lock);
  pthread_mutex_unlock(&lock);
  output[i] = input * (int)i;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], NULL, work, (void *)i);
  input = 5;
  pthread_mutex_lock(&lock);
  open_gate = 1;
  pthread_cond_broadcast(&cond);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return output[0] + output[1] + output[2] - 15;
}
