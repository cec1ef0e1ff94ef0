// race: unsafe lines 13 28 — the consumer reads the buffer after it has given the slot back
#include <pthread.h>

#define CAP 2
static int buffer[CAP], count, in, out, sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;

static void put(int x) {
  pthread_mutex_lock(&lock);
  while (count == CAP) pthread_cond_wait(&not_full, &lock);
  buffer[in] = x;
  in = (in + 1) % CAP;
  count++;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&lock);
}

static int get(void) {
  pthread_mutex_lock(&lock);
  while (count == 0) pthread_cond_wait(&not_empty, &lock);
  int at = out;
  out = (out + 1) % CAP;
  count--;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&lock);
  return buffer[at];
}

static void *producer(void *arg) {
  for (int i = 1; i <= 5; i++) put(i);
  return arg;
}

static void *consumer(void *arg) {
  for (int i = 1; i <= 5; i++) sum += get();
  return arg;
}

int main(void) {
  pthread_t p, c;
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
  return sum == 0;
}
