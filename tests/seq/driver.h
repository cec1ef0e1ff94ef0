/* Drives a program of `heddle seq`: compile it with -DSEQ_DRIVER='"driver.h"'.
 *
 *     prog all [RUNS]        every sequence of choices, depth first, at most RUNS of them
 *     prog random RUNS SEED  so many runs with choices at random
 *
 * All runs happen in one process: before each the program's memory is put back, and a run that ends
 * is left by a long jump. The last line on standard error says
 *
 *     runs N failed N complete|bounded PLACE...
 *
 * with the places that failed; `bounded` means that not all was seen: RUNS or the choices of one run
 * were used up, or a run went on for too long without any. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/time.h>

enum {
  DRIVER_CHOICES = 4000,  /* of one run */
  DRIVER_PLACES = 200,    /* that are told apart */
  DRIVER_HEAP = 1 << 20,  /* bytes of one run */
  DRIVER_SLICE = 100000,  /* microseconds of one run */
  DRIVER_SLOW = 10,       /* so many runs that need more: enough is enough */
};

typedef struct {
  sigjmp_buf back;
  unsigned value[DRIVER_CHOICES], limit[DRIVER_CHOICES];
  unsigned used, known; /* choices of this run, of the path that it follows */
  int random, bounded, slow;
  unsigned long long seed;
  const char *places[DRIVER_PLACES];
  unsigned place_count;
  unsigned long runs, failed;
  size_t heap_used;
  char *saved;
  size_t saved_size;
  char heap[DRIVER_HEAP] __attribute__((aligned(16)));
} Driver;

extern char __data_start[], _end[];
static Driver *driver;

enum { RUN_BEGINS, RUN_ENDS, RUN_FAILS, RUN_BOUNDED };
static void driver_leave(int how) { siglongjmp(driver->back, how); }

static unsigned long long driver_number(void) {
  driver->seed += 0x9e3779b97f4a7c15ull;
  unsigned long long z = driver->seed;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}

static unsigned choose(unsigned n) {
  Driver *d = driver;
  if (d->used == DRIVER_CHOICES) driver_leave(RUN_BOUNDED);
  if (d->random) {
    /* threads that are abandoned at every other switch do not come far: some runs are patient */
    unsigned patience = n == 2 ? 2u << d->runs % 5 : n;
    unsigned long long number = driver_number() % patience;
    d->used++;
    return n == 2 ? number == 0 : (unsigned)number;
  }
  if (d->used == d->known) {
    d->value[d->known] = 0;
    d->limit[d->known++] = n;
  }
  return d->value[d->used++];
}

/* Small numbers, and the greatest. */
static uint64_t any(unsigned bits) {
  uint64_t most = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
  unsigned choice = choose(bits == 1 ? 2 : 4);
  return choice == 3 ? most : choice;
}

static void driver_fail(const char *place) {
  Driver *d = driver;
  unsigned i = 0;
  while (i < d->place_count && strcmp(d->places[i], place)) i++;
  if (i == d->place_count && i < DRIVER_PLACES) d->places[d->place_count++] = place;
  driver_leave(RUN_FAILS);
}

static char *driver_new(size_t bytes) {
  size_t size = (bytes + 31) / 16 * 16; /* a word with the size in front */
  if (bytes > DRIVER_HEAP || driver->heap_used + size > DRIVER_HEAP) driver_leave(RUN_BOUNDED);
  char *p = driver->heap + driver->heap_used;
  driver->heap_used += size;
  memset(p, 0, size);
  *(size_t *)p = bytes;
  return p + 16;
}

static char *driver_renew(char *p, size_t bytes) {
  char *q = driver_new(bytes);
  if (p) {
    size_t old = *(size_t *)(p - 16);
    memcpy(q, p, old < bytes ? old : bytes);
  }
  return q;
}

static void driver_signal(int number) {
  if (number == SIGVTALRM) driver->slow++;
  driver_leave(number == SIGVTALRM ? RUN_BOUNDED : RUN_ENDS);
}

int checked_main(void);

static void driver_run(void) {
  Driver *d = driver;
  struct itimerval limit = {{0, 0}, {0, DRIVER_SLICE}};
  d->used = 0;
  d->heap_used = 0;
  d->runs++;
  memcpy(__data_start, d->saved, d->saved_size);
  setitimer(ITIMER_VIRTUAL, &limit, NULL);
  int how = sigsetjmp(d->back, 1);
  if (how == RUN_BEGINS) {
    checked_main();
    how = RUN_ENDS;
  }
  d = driver;
  if (how == RUN_FAILS) d->failed++;
  if (how == RUN_BOUNDED) d->bounded = 1;
}

/* The next path: the last choice that has another value left gets it. */
static int driver_next(void) {
  Driver *d = driver;
  d->known = d->used < d->known ? d->used : d->known;
  while (d->known && d->value[d->known - 1] + 1 == d->limit[d->known - 1]) d->known--;
  if (!d->known) return 0;
  d->value[d->known - 1]++;
  return 1;
}

int main(int argc, char **argv) {
  driver = mmap(NULL, sizeof *driver, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  Driver *d = driver;
  unsigned long most = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000000;
  d->random = argc > 1 && strcmp(argv[1], "random") == 0;
  d->seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
  int signals[] = {SIGSEGV, SIGFPE, SIGBUS, SIGABRT, SIGILL, SIGVTALRM};
  static char stack[1 << 16];
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&other, NULL);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    struct sigaction action = {.sa_handler = driver_signal, .sa_flags = SA_ONSTACK};
    sigaction(signals[i], &action, NULL);
  }
  d->saved_size = (size_t)(_end - __data_start);
  d->saved = mmap(NULL, d->saved_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(d->saved, __data_start, d->saved_size);
  do {
    if (d->runs == most || d->slow == DRIVER_SLOW) {
      d->bounded |= !d->random;
      break;
    }
    driver_run();
  } while (d->random || driver_next());
  fprintf(stderr, "runs %lu failed %lu %s", d->runs, d->failed,
          d->bounded ? "bounded" : "complete");
  for (unsigned i = 0; i < d->place_count; i++) fprintf(stderr, " %s", d->places[i]);
  fprintf(stderr, "\n");
  return d->failed ? 1 : 0;
}

#define ASSUME(condition) ((condition) ? (void)0 : driver_leave(RUN_ENDS))
#define FAIL(what)        driver_fail(what)
#define STOP()            driver_leave(RUN_ENDS)
#define NEW(bytes)        driver_new(bytes)
#define RENEW(p, bytes)   driver_renew((char *)(p), bytes)
#define RELEASE(p)        ((void)(p))
#define raise             seq_raise /* <signal.h> has one */
#define main              checked_main
