/* Callbacks from the library that block, switch threads, leave by longjmp or end the
   thread: qsort, bsearch, pthread_once, atexit, key destructors, cleanup handlers. */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t step, late;
static int compared;
static __thread jmp_buf out;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static pthread_t last;

static int slow(const void *a, const void *b) {
  pthread_mutex_lock(&lock);
  compared++;
  sched_yield();
  pthread_mutex_unlock(&lock);
  return *(const int *)a - *(const int *)b;
}

static int bails(const void *a, const void *b) {
  if (*(const int *)a == 13 || *(const int *)b == 13) longjmp(out, 1);
  return *(const int *)a - *(const int *)b;
}

static int nested(const void *a, const void *b) {
  int v[3] = {*(const int *)b, *(const int *)a, 5};
  qsort(v, 3, sizeof *v, slow);
  return *(const int *)a - *(const int *)b + v[0] - v[0];
}

static int leaves(const void *a, const void *b) {
  (void)a, (void)b;
  pthread_exit((void *)77);
}

static void *sorter(void *arg) {
  int *v = arg;
  qsort(v, 12, sizeof *v, slow);
  return NULL;
}

static void *bailer(void *arg) {
  int v[] = {5, 13, 1};
  *(int *)arg = setjmp(out);
  if (!*(int *)arg) qsort(v, 3, sizeof *v, bails);
  return NULL;
}

static void *leaver(void *arg) {
  int v[] = {2, 1};
  qsort(v, 2, sizeof *v, leaves);
  return arg;
}

static void init(void) {
  sem_wait(&step);
}

static void *initialised(void *arg) {
  pthread_once(&once, init);
  pthread_setspecific(key, arg);
  return NULL;
}

static void destroy(void *p) {
  sem_post(&late);
  pthread_mutex_lock(&lock);
  *(int *)p += 100;
  pthread_mutex_unlock(&lock);
}

static void *waits(void *arg) {
  sem_wait(&late);
  return arg;
}

static void at_end(void) {
  void *r;
  pthread_join(last, &r);
  printf("joined at exit %d\n", *(int *)r);
}

int main(void) {
  int a[2][12], mark = 0, marks[2] = {1, 2};
  pthread_t t[2];
  void *r;
  sem_init(&step, 0, 0);
  sem_init(&late, 0, 0);
  for (int i = 0; i < 24; i++) a[i / 12][i % 12] = i * 7 % 13 * (i < 12 ? 1 : -1);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, sorter, a[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  for (int i = 0; i < 24; i++) printf("%d ", a[i / 12][i % 12]);
  printf("%d\n", compared > 20);
  int v[5] = {4, 9, 2, 8, 1}, want = 8;
  qsort(v, 5, sizeof *v, nested);
  int *hit = bsearch(&want, v, 5, sizeof *v, nested);
  printf("%d%d%d%d%d %d\n", v[0], v[1], v[2], v[3], v[4], hit ? *hit : -1);
  pthread_create(&t[0], NULL, bailer, &mark);
  pthread_join(t[0], NULL);
  pthread_create(&t[1], NULL, leaver, NULL);
  pthread_join(t[1], &r);
  printf("%d %ld\n", mark, (long)r);
  pthread_key_create(&key, destroy);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, initialised, &marks[i]);
  sem_post(&step);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  printf("%d %d\n", marks[0], marks[1]);
  static int answer = 42;
  pthread_create(&last, NULL, waits, &answer);
  atexit(at_end);
  return 0;
}
