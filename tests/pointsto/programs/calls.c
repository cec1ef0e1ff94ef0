/* Functions that arrive in odd ways: casts, tables, callbacks, variable arguments, handlers. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int total, *seen[4];

static int compare(const void *a, const void *b) {
  int *x = *(int *const *)a, *y = *(int *const *)b;
  return (*x > *y) - (*x < *y);
}

static int add(int *p, int n) {
  *p += n;
  return *p;
}
static int drop(int *p) {
  *p = 0;
  return 0;
}
static int nothing(void) {
  total++;
  return 1;
}
static double real(double d) {
  total += (int)d;
  return d;
}

typedef int Any();
struct table {
  const char *name;
  Any *function;
};
static struct table table[] = {
    {"add", (Any *)add}, {"drop", (Any *)drop}, {"none", (Any *)nothing}};

static void *thread(void *arg) {
  int **cell = arg;
  **cell = 5;
  return *cell;
}

static void *ends(void *arg) {
  pthread_exit(&((int *)arg)[1]);
}

static int *pick(int n, ...) {
  va_list list, again;
  va_start(list, n);
  va_copy(again, list);
  int *p = NULL;
  while (n--) p = va_arg(list, int *);
  va_end(list);
  p = p ? p : va_arg(again, int *);
  va_end(again);
  return p;
}

static int *vpick(va_list list) {
  (void)va_arg(list, double);
  return va_arg(list, int *);
}

static int *pass(int n, ...) {
  va_list list;
  va_start(list, n);
  int *p = vpick(list);
  va_end(list);
  return p;
}

struct big {
  int *p[5];
};
static int *from_struct(struct big b) {
  return b.p[4];
}
static struct big to_struct(int *p) {
  struct big b = {{0}};
  b.p[4] = p;
  return b;
}
struct two {
  int *a, *b;
};
static struct two both(int *a, int *b) {
  return (struct two){a, b};
}
static int *from_va_struct(int n, ...) {
  va_list list;
  va_start(list, n);
  struct big b = va_arg(list, struct big);
  struct two t = va_arg(list, struct two);
  va_end(list);
  return n ? b.p[4] : t.b;
}

static int handled;
static int *for_handler;
static void handler(int number) {
  *for_handler = number;
  handled = 1;
}

static jmp_buf env;
static int *jumped;
static void jump(int *p) {
  jumped = p;
  longjmp(env, 1);
}

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void make_key(void) {
  pthread_key_create(&key, (void (*)(void *))drop);
}
static __thread int *mine, own;

static void *specific(void *arg) {
  pthread_once(&once, make_key);
  pthread_setspecific(key, arg);
  mine = arg;
  *mine = 3;
  *(int *)pthread_getspecific(key) = 4;
  int *local = &own;
  *local = 7;
  return &own == local ? arg : NULL;
}

static int *choose(int which, int *a, int *b) {
  return which ? a : b;
}
static void quit(void) {
  total++;
}

int main(void) {
  int v[4] = {4, 3, 2, 1};
  for (int i = 0; i < 4; i++) seen[i] = &v[i];
  qsort(seen, 4, sizeof *seen, compare);
  *seen[0] = 9;
  int *wanted = &v[1];
  int **found = bsearch(&wanted, seen + 1, 3, sizeof *seen, compare);
  if (found) **found = 8;
  for (unsigned i = 0; i < 3; i++) table[i].function(&v[i], 2);
  ((double (*)(double))(void (*)(void))real)(2.0);
  uintptr_t code = (uintptr_t)add;
  ((int (*)(int *, int))code)(v, 1);
  void *address = (void *)drop;
  int (*back)(int *);
  memcpy(&back, &address, sizeof back);
  back(v);

  int x = 0, *cell = &x;
  pthread_t t, u;
  void *result;
  pthread_create(&t, NULL, thread, &cell);
  pthread_join(t, &result);
  *(int *)result = 6;
  pthread_create(&u, NULL, ends, v);
  pthread_join(u, &result);
  *(int *)result = 7;
  pthread_create(&u, NULL, specific, &x);
  pthread_join(u, &result);
  *(int *)result = 8;

  *pick(3, &v[0], &v[1], &x) = 1;
  *pass(1, 1.5, &v[2]) = 2;
  *from_struct(to_struct(&v[3])) = 3;
  struct two t2 = both(&v[0], &x);
  *t2.b = 4;
  *from_va_struct(0, to_struct(&v[1]), both(&v[0], &x)) = 5;
  *from_va_struct(1, to_struct(&v[1]), both(&v[0], &x)) = 5;

  for_handler = &x;
  signal(SIGUSR1, handler);
  raise(SIGUSR1);
  struct sigaction action = {0};
  action.sa_handler = handler;
  for_handler = &v[2];
  sigaction(SIGUSR2, &action, NULL);
  raise(SIGUSR2);
  if (!setjmp(env)) jump(&v[3]);
  *jumped = 6;
  *choose(handled, &x, &v[0]) = 7;
  atexit(quit);
  return 0;
}
