/* Readers and writers built from a mutex and a condition (writers first), checked by
   invariants inside. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static int readers, writing, waiting;
static int a, b, wrong, reads, writes;

static void read_begin(void) {
  pthread_mutex_lock(&lock);
  while (writing || waiting) pthread_cond_wait(&change, &lock);
  readers++;
  pthread_mutex_unlock(&lock);
}
static void read_end(int bad) {
  pthread_mutex_lock(&lock);
  wrong += bad;
  reads++;
  if (--readers == 0) pthread_cond_broadcast(&change);
  pthread_mutex_unlock(&lock);
}
static void write_begin(void) {
  pthread_mutex_lock(&lock);
  waiting++;
  while (writing || readers) pthread_cond_wait(&change, &lock);
  waiting--;
  writing = 1;
  pthread_mutex_unlock(&lock);
}
static void write_end(void) {
  pthread_mutex_lock(&lock);
  writing = 0;
  writes++;
  pthread_cond_broadcast(&change);
  pthread_mutex_unlock(&lock);
}

static void *reader(void *arg) {
  (void)arg;
  for (int i = 0; i < 15; i++) {
    read_begin();
    int bad = b != 2 * a;
    read_end(bad);
  }
  return NULL;
}
static void *writer(void *arg) {
  (void)arg;
  for (int i = 0; i < 10; i++) {
    write_begin();
    a++;
    b += 2;
    write_end();
  }
  return NULL;
}

int main(void) {
  pthread_t t[5];
  for (int i = 0; i < 5; i++) pthread_create(&t[i], NULL, i < 3 ? reader : writer, NULL);
  for (int i = 0; i < 5; i++) pthread_join(t[i], NULL);
  printf("%d reads, %d writes, %d wrong, a %d b %d\n", reads, writes, wrong, a, b);
  return wrong;
}
