/* C11 threads: thrd_create, join with result, mtx of every kind, cnd, call_once,
   thrd_exit, thrd_equal. */
#include <stdio.h>
#include <threads.h>
#include <time.h>

static mtx_t lock, rec, timed;
static cnd_t cond;
static once_flag flag = ONCE_FLAG_INIT;
static int counter, once_runs, turn;

static void init(void) {
  once_runs++;
}

static int add(void *arg) {
  call_once(&flag, init);
  for (int i = 0; i < 20; i++) {
    mtx_lock(&lock);
    counter += *(int *)arg;
    mtx_unlock(&lock);
    thrd_yield();
  }
  return *(int *)arg * 11;
}

static int alternate(void *arg) {
  int me = *(int *)arg;
  for (int i = 0; i < 3; i++) {
    mtx_lock(&lock);
    while (turn != me) cnd_wait(&cond, &lock);
    printf("turn of %d\n", me);
    turn = (turn + 1) % 3;
    cnd_broadcast(&cond);
    mtx_unlock(&lock);
  }
  thrd_exit(me + 50);
}

static int tries(void *arg) {
  int *r = arg;
  struct timespec soon;
  r[0] = mtx_trylock(&lock) == thrd_busy;
  timespec_get(&soon, TIME_UTC);
  soon.tv_nsec += 10000000;
  if (soon.tv_nsec >= 1000000000) soon.tv_sec++, soon.tv_nsec -= 1000000000;
  r[1] = mtx_timedlock(&timed, &soon) == thrd_timedout;
  return 0;
}

int main(void) {
  thrd_t t[3];
  int id[3] = {0, 1, 2}, r;
  printf("%d\n", mtx_init(&lock, mtx_plain) == thrd_success);
  mtx_init(&rec, mtx_plain | mtx_recursive);
  mtx_init(&timed, mtx_timed);
  cnd_init(&cond);
  for (int i = 0; i < 3; i++)
    printf("%d ", thrd_create(&t[i], add, &id[i]) == thrd_success);
  for (int i = 0; i < 3; i++) {
    thrd_join(t[i], &r);
    printf("%d ", r);
  }
  printf("%d %d\n", counter, once_runs);
  for (int i = 0; i < 3; i++) thrd_create(&t[i], alternate, &id[i]);
  int results[3];
  for (int i = 0; i < 3; i++) thrd_join(t[i], &results[i]);
  printf("%d %d %d\n", results[0], results[1], results[2]);
  mtx_lock(&rec);
  printf("%d ", mtx_lock(&rec) == thrd_success);
  printf("%d\n", mtx_trylock(&rec) == thrd_success);
  for (int i = 0; i < 3; i++) mtx_unlock(&rec);
  int res[2];
  mtx_lock(&lock);
  mtx_lock(&timed);
  thrd_create(&t[0], tries, res);
  thrd_join(t[0], NULL);
  printf("%d %d\n", res[0], res[1]);
  mtx_unlock(&timed);
  struct timespec past = {1, 0};
  int w;
  while ((w = cnd_timedwait(&cond, &lock, &past)) == thrd_success);
  printf("%d\n", w == thrd_timedout);
  mtx_unlock(&lock);
  printf("%d\n", thrd_equal(thrd_current(), thrd_current()) != 0);
  mtx_destroy(&lock);
  cnd_destroy(&cond);
  return 0;
}
