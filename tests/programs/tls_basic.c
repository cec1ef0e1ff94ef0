/* Thread-local variables: each thread has its own, initialised anew, address taken,
   structs, arrays. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static __thread int counter = 10;
static _Thread_local struct {
  char name[8];
  int *self;
  double d;
} record = {"init", NULL, 2.5};
static __thread int table[5] = {1, [3] = 4};
static __thread int zero;
static int shared;

static int *where(void) {
  return &counter;
}

static int bump(int by) {
  static _Thread_local int calls = 100;
  calls += by;
  return calls;
}

struct Result {
  int counter, calls, sum, fresh;
  double d;
  char name[8];
  int *address;
};

static void *run(void *arg) {
  struct Result *r = arg;
  r->fresh =
      counter == 10 && !strcmp(record.name, "init") && record.self == NULL && zero == 0;
  for (int i = 0; i < 5; i++) {
    *where() += r->counter;
    zero++;
    table[i] += i;
    r->calls = bump(r->counter);
  }
  record.self = &counter;
  record.d *= r->counter;
  record.name[0] = (char)('A' + r->counter);
  *record.self += zero;
  for (int i = 0; i < 5; i++) r->sum += table[i];
  r->counter = counter;
  r->d = record.d;
  strcpy(r->name, record.name);
  r->address = where();
  return NULL;
}

static void *through(void *arg) {
  *(int *)arg += 1000; /* main's own variable, by its address */
  counter = 1;
  return NULL;
}

int main(void) {
  pthread_t t[3];
  struct Result r[3] = {{.counter = 1}, {.counter = 2}, {.counter = 3}};
  counter = 50;
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, run, &r[i]);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  for (int i = 0; i < 3; i++)
    printf("%d %d %d %d %g %s %d\n", r[i].counter, r[i].calls, r[i].sum, r[i].fresh,
           r[i].d, r[i].name, r[i].address != &counter);
  printf("%d %d %s %d\n", counter, zero, record.name, bump(0));
  pthread_create(&t[0], NULL, through, &counter);
  pthread_join(t[0], NULL);
  printf("%d %d\n", counter, shared);
  return 0;
}
