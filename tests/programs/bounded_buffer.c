/* Producers and consumers over a bounded ring with two conditions; sums do not depend on
   the schedule. */
#include <pthread.h>
#include <stdio.h>

enum { ROOM = 4, PRODUCERS = 3, CONSUMERS = 2, ITEMS = 20 };

struct Ring {
  pthread_mutex_t lock;
  pthread_cond_t not_full, not_empty;
  int item[ROOM], head, count, closed;
};

static struct Ring ring = {.lock = PTHREAD_MUTEX_INITIALIZER,
                           .not_full = PTHREAD_COND_INITIALIZER,
                           .not_empty = PTHREAD_COND_INITIALIZER};

static void put(struct Ring *r, int v) {
  pthread_mutex_lock(&r->lock);
  while (r->count == ROOM) pthread_cond_wait(&r->not_full, &r->lock);
  r->item[(r->head + r->count++) % ROOM] = v;
  pthread_cond_signal(&r->not_empty);
  pthread_mutex_unlock(&r->lock);
}

static int take(struct Ring *r, int *ret_v) {
  pthread_mutex_lock(&r->lock);
  while (r->count == 0 && !r->closed) pthread_cond_wait(&r->not_empty, &r->lock);
  int got = r->count > 0;
  if (got) {
    *ret_v = r->item[r->head];
    r->head = (r->head + 1) % ROOM;
    r->count--;
    pthread_cond_signal(&r->not_full);
  }
  pthread_mutex_unlock(&r->lock);
  return got;
}

static void close_ring(struct Ring *r) {
  pthread_mutex_lock(&r->lock);
  r->closed = 1;
  pthread_cond_broadcast(&r->not_empty);
  pthread_mutex_unlock(&r->lock);
}

static void *producer(void *arg) {
  int id = *(int *)arg;
  for (int i = 0; i < ITEMS; i++) put(&ring, id * 1000 + i);
  return NULL;
}

struct Tally {
  int count;
  long sum;
  int last[PRODUCERS], disorder;
};

/* Whatever the schedule, one consumer sees the items of one producer in order. */
static void *consumer(void *arg) {
  struct Tally *t = arg;
  for (int v; take(&ring, &v);) {
    t->count++;
    t->sum += v;
    if (t->last[v / 1000] > v) t->disorder++;
    t->last[v / 1000] = v;
  }
  return NULL;
}

int main(void) {
  pthread_t p[PRODUCERS], c[CONSUMERS];
  int id[PRODUCERS];
  struct Tally t[CONSUMERS] = {0};
  for (int i = 0; i < CONSUMERS; i++) pthread_create(&c[i], NULL, consumer, &t[i]);
  for (int i = 0; i < PRODUCERS; i++) {
    id[i] = i;
    pthread_create(&p[i], NULL, producer, &id[i]);
  }
  for (int i = 0; i < PRODUCERS; i++) pthread_join(p[i], NULL);
  close_ring(&ring);
  struct Tally all = {0};
  for (int i = 0; i < CONSUMERS; i++) {
    pthread_join(c[i], NULL);
    all.count += t[i].count;
    all.sum += t[i].sum;
    all.disorder += t[i].disorder;
  }
  printf("%d items, sum %ld, %d out of order\n", all.count, all.sum, all.disorder);
  return 0;
}
