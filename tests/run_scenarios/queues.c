/* Queues, pools, pipelines, and the threads of C11. */
#include "scenario.h"

#include <semaphore.h>
#include <stdatomic.h>
#include <threads.h>

enum { ROOM = 4, ITEMS = 8 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER,
                      not_full = PTHREAD_COND_INITIALIZER;
SHARED int queue[ROOM], head, tail, count, total, done;

static void put(int value) {
  pthread_mutex_lock(&m);
  while (count == ROOM) pthread_cond_wait(&not_full, &m);
  queue[tail++ % ROOM] = value;
  count++;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&m);
}
static int get(void) {
  pthread_mutex_lock(&m);
  while (count == 0) pthread_cond_wait(&not_empty, &m);
  int value = queue[head++ % ROOM];
  count--;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&m);
  return value;
}
THREAD(produces) {
  for (int i = 0; i < ITEMS; i++) put(i);
  return NULL;
}
THREAD(consumes) {
  for (int i = 0; i < ITEMS; i++) total += get();
  return NULL;
}
SCENARIO(bounded_queue, CLEAN) {
  both(produces, consumes);
}
THREAD(consumes_half) {
  for (int i = 0; i < ITEMS / 2; i++) total += get();
  return NULL;
}
SCENARIO(two_consumers_one_total, RACE) {
  pthread_t a = start(consumes_half, NULL), b = start(consumes_half, NULL);
  later();
  produces(NULL);
  finish(a);
  finish(b);
}
THREAD(produces_some) {
  for (int i = 0; i < ROOM; i++) put(i);
  return NULL;
}
THREAD(peeks) {
  later();
  later();
  volatile int seen = count;
  (void)seen;
  return NULL;
}
SCENARIO(queue_size_without_lock, RACE) {
  both(produces_some, peeks);
}

/* What goes through the queue belongs to who took it out. */
SHARED int *box[ITEMS];
static sem_t filled;
static atomic_int written;
THREAD(fills_boxes) {
  for (int i = 0; i < ITEMS; i++) {
    box[i] = malloc(sizeof(int));
    *box[i] = i;
    sem_post(&filled);
  }
  return NULL;
}
THREAD(empties_boxes) {
  for (int i = 0; i < ITEMS; i++) {
    sem_wait(&filled);
    ++*box[i];
    free(box[i]);
  }
  return NULL;
}
SCENARIO(semaphore_queue, CLEAN) {
  sem_init(&filled, 0, 0);
  both(fills_boxes, empties_boxes);
}
THREAD(posts_too_early) {
  for (int i = 0; i < 2; i++) {
    sem_post(&filled);
    queue[i] = i;
  }
  return NULL;
}
THREAD(reads_items) {
  for (int i = 0; i < 2; i++) {
    sem_wait(&filled);
    later();
    total += queue[i];
  }
  return NULL;
}
SCENARIO(semaphore_queue_early_post, RACE) {
  sem_init(&filled, 0, 0);
  both(posts_too_early, reads_items);
}
/* One producer, one consumer, no lock. */
THREAD(ring_puts) {
  for (int i = 0; i < ROOM; i++) {
    queue[i] = i;
    atomic_store(&written, i + 1);
  }
  return NULL;
}
THREAD(ring_gets) {
  for (int i = 0; i < ROOM; i++) {
    while (atomic_load(&written) <= i) thrd_yield();
    total += queue[i];
  }
  return NULL;
}
SCENARIO(lock_free_ring, CLEAN) {
  both(ring_puts, ring_gets);
}
THREAD(ring_puts_wrong) {
  for (int i = 0; i < ROOM; i++) {
    atomic_store(&written, i + 1);
    queue[i] = i;
  }
  return NULL;
}
THREAD(late_ring_gets) {
  later();
  return ring_gets(NULL);
}
SCENARIO(lock_free_ring_wrong, RACE) {
  both(ring_puts_wrong, late_ring_gets);
}

/* A pool of workers that take numbers. */
SHARED int next, results[ITEMS];
THREAD(pool_worker) {
  for (;;) {
    pthread_mutex_lock(&m);
    int mine = next < ITEMS ? next++ : -1;
    pthread_mutex_unlock(&m);
    if (mine < 0) return NULL;
    results[mine] = mine;
  }
}
SCENARIO(worker_pool, CLEAN) {
  both(pool_worker, pool_worker);
  for (int i = 0; i < ITEMS; i++) total += results[i];
}
THREAD(pool_says_done) {
  pool_worker(NULL);
  done++;
  return NULL;
}
THREAD(late_pool_says_done) {
  later();
  return pool_says_done(NULL);
}
SCENARIO(worker_pool_done_flag, RACE) {
  both(pool_says_done, late_pool_says_done);
}

/* Results are read before the workers are joined. */
SCENARIO(pool_read_too_early, RACE) {
  pthread_t t = start(pool_worker, NULL);
  later();
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  total = results[0];
  finish(t);
}

/* ---- C11 -------------------------------------------------------------------------- */

static mtx_t c11_lock;
static cnd_t c11_full;
SHARED int c11_value, c11_ready;
static once_flag c11_once = ONCE_FLAG_INIT;

static int c11_adds(void *argument) {
  (void)argument;
  mtx_lock(&c11_lock);
  c11_value++;
  mtx_unlock(&c11_lock);
  return 0;
}
SCENARIO(c11_mutex, CLEAN) {
  thrd_t a, b;
  mtx_init(&c11_lock, mtx_plain);
  thrd_create(&a, c11_adds, NULL);
  thrd_create(&b, c11_adds, NULL);
  thrd_join(a, NULL);
  thrd_join(b, NULL);
}
static int c11_bare(void *argument) {
  (void)argument;
  later();
  mtx_lock(&c11_lock);
  mtx_unlock(&c11_lock);
  c11_value++;
  return 0;
}
SCENARIO(c11_hidden_by_mutex, RACE) {
  thrd_t a, b;
  mtx_init(&c11_lock, mtx_plain);
  thrd_create(&a, c11_adds, NULL);
  thrd_create(&b, c11_bare, NULL);
  thrd_join(a, NULL);
  thrd_join(b, NULL);
}
static int c11_waits(void *argument) {
  (void)argument;
  mtx_lock(&c11_lock);
  while (!c11_ready) cnd_wait(&c11_full, &c11_lock);
  mtx_unlock(&c11_lock);
  c11_value++;
  return 0;
}
static void c11_announce(void) {
  mtx_lock(&c11_lock);
  c11_ready = 1;
  cnd_signal(&c11_full);
  mtx_unlock(&c11_lock);
}
SCENARIO(c11_condition, CLEAN) {
  thrd_t t;
  mtx_init(&c11_lock, mtx_plain);
  cnd_init(&c11_full);
  thrd_create(&t, c11_waits, NULL);
  later();
  c11_value++;
  c11_announce();
  thrd_join(t, NULL);
}
SCENARIO(c11_condition_late_write, RACE) {
  thrd_t t;
  mtx_init(&c11_lock, mtx_plain);
  cnd_init(&c11_full);
  thrd_create(&t, c11_waits, NULL);
  later();
  c11_announce();
  c11_value++;
  thrd_join(t, NULL);
}
static void c11_make(void) {
  c11_value = 1;
}
static int c11_uses_once(void *argument) {
  (void)argument;
  call_once(&c11_once, c11_make);
  volatile int seen = c11_value;
  (void)seen;
  return 0;
}
SCENARIO(c11_call_once, CLEAN) {
  thrd_t a, b;
  thrd_create(&a, c11_uses_once, NULL);
  thrd_create(&b, c11_uses_once, NULL);
  thrd_join(a, NULL);
  thrd_join(b, NULL);
}
