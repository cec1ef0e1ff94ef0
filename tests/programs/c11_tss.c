/* C11 thread storage: tss with destructors, _Thread_local, thrd_detach, call_once from
   many threads. */
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

static tss_t slot;
static mtx_t lock;
static cnd_t done;
static int freed, left, runs;
static _Thread_local int local = 5;
static once_flag once = ONCE_FLAG_INIT;

static void drop(void *p) {
  mtx_lock(&lock);
  freed += *(int *)p;
  mtx_unlock(&lock);
  free(p);
}

static void init(void) {
  runs++;
}

static int run(void *arg) {
  call_once(&once, init);
  int *p = malloc(sizeof *p);
  *p = *(int *)arg;
  tss_set(slot, p);
  local += *p;
  *(int *)tss_get(slot) *= 2;
  return local + runs * 1000;
}

static int detached(void *arg) {
  thrd_detach(thrd_current());
  mtx_lock(&lock);
  left -= *(int *)arg;
  cnd_signal(&done);
  mtx_unlock(&lock);
  return 0;
}

int main(void) {
  thrd_t t[4];
  int id[4] = {1, 10, 100, 1000}, r;
  mtx_init(&lock, mtx_plain);
  cnd_init(&done);
  printf("%d\n", tss_create(&slot, drop) == thrd_success);
  for (int i = 0; i < 4; i++) thrd_create(&t[i], run, &id[i]);
  for (int i = 0; i < 4; i++) {
    thrd_join(t[i], &r);
    printf("%d ", r);
  }
  printf("%d %d %d\n", freed, local, tss_get(slot) == NULL);
  left = 1111;
  for (int i = 0; i < 4; i++) thrd_create(&t[i], detached, &id[i]);
  mtx_lock(&lock);
  while (left) cnd_wait(&done, &lock);
  mtx_unlock(&lock);
  printf("%d\n", left);
  tss_delete(slot);
  return 0;
}
