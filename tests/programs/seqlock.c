/* A seqlock with atomics, double checked initialisation, and a hand-made reader count. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_uint sequence;
static atomic_int left, right;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void publish(int v) {
  pthread_mutex_lock(&lock);
  atomic_fetch_add(&sequence, 1);
  atomic_store_explicit(&left, v, memory_order_relaxed);
  atomic_store_explicit(&right, -v, memory_order_relaxed);
  atomic_fetch_add(&sequence, 1);
  pthread_mutex_unlock(&lock);
}

static int snapshot(void) {
  for (;;) {
    unsigned s = atomic_load(&sequence);
    int a = atomic_load(&left), b = atomic_load(&right);
    if (s % 2 == 0 && s == atomic_load(&sequence)) return a + b;
    sched_yield();
  }
}

static _Atomic(int *) instance;
static int storage, created;

static int *get(void) {
  int *p = atomic_load_explicit(&instance, memory_order_acquire);
  if (!p) {
    pthread_mutex_lock(&lock);
    p = atomic_load_explicit(&instance, memory_order_relaxed);
    if (!p) {
      storage = 42;
      created++;
      p = &storage;
      atomic_store_explicit(&instance, p, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
  }
  return p;
}

static void *writer(void *arg) {
  for (int i = 1; i <= 20; i++) publish(i * *(int *)arg);
  return get();
}

static void *reader(void *arg) {
  for (int i = 0; i < 20; i++) *(int *)arg += snapshot();
  return get();
}

int main(void) {
  pthread_t t[4];
  int k[4] = {1, 2, 0, 0}, sum = 0;
  for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, i < 2 ? writer : reader, &k[i]);
  for (int i = 0; i < 4; i++) {
    void *r;
    pthread_join(t[i], &r);
    sum += *(int *)r;
  }
  printf("%d %d %d %d %u\n", sum, created, k[2], k[3], atomic_load(&sequence));
  return 0;
}
