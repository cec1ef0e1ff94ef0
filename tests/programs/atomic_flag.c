/* atomic_flag spin locks, fences, message passing by release and acquire, Peterson's
   algorithm. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int counter, payload[3], box;
static atomic_int ready, fenced;
static atomic_int want[2], turn;
static int shared;

static void *count(void *arg) {
  for (int i = 0; i < *(int *)arg; i++) {
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) sched_yield();
    counter++;
    atomic_flag_clear_explicit(&lock, memory_order_release);
  }
  return NULL;
}

static void *send(void *arg) {
  (void)arg;
  for (int i = 0; i < 3; i++) payload[i] = (i + 1) * 111;
  atomic_store_explicit(&ready, 1, memory_order_release);
  box = 77;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&fenced, 1, memory_order_relaxed);
  return NULL;
}

static void *receive(void *arg) {
  int *r = arg;
  while (!atomic_load_explicit(&ready, memory_order_acquire)) sched_yield();
  r[0] = payload[0] + payload[1] + payload[2];
  while (!atomic_load_explicit(&fenced, memory_order_relaxed)) sched_yield();
  atomic_thread_fence(memory_order_acquire);
  r[1] = box;
  atomic_signal_fence(memory_order_seq_cst);
  return NULL;
}

static void *peterson(void *arg) {
  int me = *(int *)arg, other = 1 - me;
  for (int i = 0; i < 20; i++) {
    atomic_store(&want[me], 1);
    atomic_store(&turn, other);
    while (atomic_load(&want[other]) && atomic_load(&turn) == other) sched_yield();
    shared += me + 1;
    atomic_store(&want[me], 0);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int n[2] = {30, 12}, r[2], id[2] = {0, 1};
  pthread_create(&a, NULL, count, &n[0]);
  pthread_create(&b, NULL, count, &n[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d\n", counter);
  pthread_create(&a, NULL, receive, r);
  pthread_create(&b, NULL, send, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d %d\n", r[0], r[1]);
  pthread_create(&a, NULL, peterson, &id[0]);
  pthread_create(&b, NULL, peterson, &id[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d\n", shared);
  printf("%d ", atomic_flag_test_and_set(&lock));
  printf("%d ", atomic_flag_test_and_set(&lock));
  atomic_flag_clear(&lock);
  printf("%d\n", atomic_flag_test_and_set(&lock));
  return 0;
}
