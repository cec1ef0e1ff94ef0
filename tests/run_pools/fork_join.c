/* A tree of ranges: each thread halves what it has, leaves one half to whoever steals it, and
 * helps others while it waits for that half. */
#include "pools.h"

enum { DEPTH = 64 };
typedef struct {
  int from, to;
  atomic_bool ready;
} Range;

typedef struct {
  pthread_mutex_t m;
  Range *ranges[DEPTH];
  int top, bottom;
} Deque;

static Deque deques[THREADS];
static atomic_bool over;

static void push(Deque *d, Range *r) {
  pthread_mutex_lock(&d->m);
  d->ranges[d->bottom++ % DEPTH] = r;
  pthread_mutex_unlock(&d->m);
}

static Range *take(Deque *d, bool own) {
  Range *r = NULL;
  pthread_mutex_lock(&d->m);
  if (d->top < d->bottom) r = d->ranges[(own ? --d->bottom : d->top++) % DEPTH];
  pthread_mutex_unlock(&d->m);
  return r;
}

static void compute(int me, Range *r);

static bool help(int me) {
  Range *r = take(&deques[me], true);
  for (int i = 1; !r && i < THREADS; i++) r = take(&deques[(me + i) % THREADS], false);
  if (r) compute(me, r);
  return r != NULL;
}

static void compute(int me, Range *r) {
  if (r->to - r->from == 1) {
    handle(r->from);
  } else {
    int middle = r->from + (r->to - r->from) / 2;
    Range left = {.from = r->from, .to = middle}, right = {.from = middle, .to = r->to};
    push(&deques[me], &right);
    compute(me, &left);
    while (!atomic_load(&right.ready))
      if (!help(me)) sched_yield();
  }
  atomic_store(&r->ready, true);
}

static void *work(void *a) {
  int me = (int)(long)a;
  while (!atomic_load(&over))
    if (!help(me)) sched_yield();
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  Range all = {.from = 0, .to = ITEMS};
  for (int i = 0; i < THREADS; i++) pthread_mutex_init(&deques[i].m, NULL);
  for (long i = 1; i < THREADS; i++) pthread_create(&t[i], NULL, work, (void *)i);
  compute(0, &all);
  atomic_store(&over, true);
  for (int i = 1; i < THREADS; i++) pthread_join(t[i], NULL);
  return 0;
}
