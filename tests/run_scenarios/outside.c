/* What comes from outside of the threads that are known: signal handlers, cancellation,
 * timers, other processes, messages, the end of a thread that holds a mutex. */
#define _GNU_SOURCE /* locks by the clock */
#include "scenario.h"

#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#define MUTEX     PTHREAD_MUTEX_INITIALIZER
#define LOCK(m)   pthread_mutex_lock(&m)
#define UNLOCK(m) pthread_mutex_unlock(&m)

static pthread_mutex_t m = MUTEX, a = MUTEX;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
SHARED int x;

/* A handler adds a token again and again: who takes two at first waits for a while. */
static sem_t tokens;
static void adds_token(int number) {
  (void)number;
  sem_post(&tokens);
}
static void take(void) {
  while (sem_wait(&tokens) && errno == EINTR) {
  }
}
THREAD(takes_two) {
  take();
  take();
  return NULL;
}
SCENARIO(outside_handler_posts, CLEAN) {
  struct sigaction action = {.sa_handler = adds_token, .sa_flags = SA_RESTART};
  struct itimerval often = {{0, 100000}, {0, 100000}}, never = {{0, 0}, {0, 0}};
  sem_init(&tokens, 0, 2);
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
  both(takes_two, takes_two);
  setitimer(ITIMER_REAL, &never, NULL);
}

/* A signal may come before the wait; then the waiter is cancelled. */
static int woken;
static void unlock_m(void *argument) {
  (void)argument;
  UNLOCK(m);
}
THREAD(waits_to_be_cancelled) {
  LOCK(m);
  pthread_cleanup_push(unlock_m, NULL);
  while (!woken) {
    pthread_cond_wait(&c, &m);
    woken = 1; /* whatever woke it: what came before it waited is lost */
  }
  pthread_cleanup_pop(0);
  UNLOCK(m);
  return NULL;
}
SCENARIO(outside_waiter_is_cancelled, CLEAN) {
  pthread_t t = start(waits_to_be_cancelled, NULL);
  later();
  LOCK(m);
  pthread_cond_signal(&c);
  UNLOCK(m);
  later();
  pthread_cancel(t);
  finish(t);
}

/* The same without a cancel. */
SCENARIO(outside_waiter_is_lost, DEADLOCK) {
  pthread_t t = start(waits_to_be_cancelled, NULL);
  later();
  LOCK(m);
  pthread_cond_signal(&c);
  UNLOCK(m);
  finish(t);
}

/* A thread of the C library wakes everybody again and again. */
static void wakes_all(union sigval value) {
  (void)value;
  LOCK(m);
  pthread_cond_broadcast(&c);
  UNLOCK(m);
}
SCENARIO(outside_timer_wakes, CLEAN) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD,
                           .sigev_notify_function = wakes_all};
  struct itimerspec often = {{0, 200000000}, {0, 200000000}};
  timer_t timer;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer)) return;
  timer_settime(timer, 0, &often, NULL);
  pthread_t t = start(waits_to_be_cancelled, NULL);
  later();
  LOCK(m);
  pthread_cond_signal(&c);
  UNLOCK(m);
  finish(t);
  timer_delete(timer);
}

/* Another process posts a semaphore in shared memory. */
static sem_t *shared;
THREAD(takes_two_shared) {
  sem_wait(shared);
  sem_wait(shared);
  sem_post(shared);
  sem_post(shared);
  return NULL;
}
SCENARIO(outside_child_posts, CLEAN) {
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                -1, 0);
  if (shared == MAP_FAILED) return;
  sem_init(shared, 1, 2);
  pid_t child = fork();
  if (child == 0) {
    usleep(300000);
    sem_post(shared);
    _exit(0);
  }
  pthread_t t = start(takes_two_shared, NULL);
  later();
  takes_two_shared(NULL);
  finish(t);
  waitpid(child, NULL, 0);
}

/* Who has the lock may look at it plainly: a compare-exchange that fails only reads. */
static int word;
static void take_word(void) {
  for (int zero = 0; !__atomic_compare_exchange_n(&word, &zero, 1, 0, __ATOMIC_ACQUIRE,
                                                  __ATOMIC_RELAXED);
       zero = 0)
    usleep(1000);
}
THREAD(looks_at_word) {
  take_word();
  x += word;
  __atomic_store_n(&word, 0, __ATOMIC_RELEASE);
  return NULL;
}
SCENARIO(outside_compare_fails, CLEAN) {
  pthread_t t = start(looks_at_word, NULL);
  later();
  looks_at_word(NULL);
  finish(t);
}

/* The bytes come only after the buffer was written to. */
static int ends[2];
static char buffer[4];
THREAD(fills_buffer) {
  usleep(50000);
  if (read(ends[0], buffer, 1) != 1) abort();
  return NULL;
}
SCENARIO(outside_read_waits, CLEAN) {
  if (pipe(ends)) abort();
  pthread_t t = start(fills_buffer, NULL);
  buffer[0] = 'x';
  if (write(ends[1], "y", 1) != 1) abort();
  finish(t);
}

/* They are there already, and nothing orders the two. */
SCENARIO(outside_read_fills, RACE) {
  if (pipe(ends) || write(ends[1], "y", 1) != 1) abort();
  pthread_t t = start(fills_buffer, NULL);
  buffer[0] = 'x';
  finish(t);
}

/* A string that ends is not read further. */
static struct {
  char name[1], flag;
} record;
static char key[8] = " key";
THREAD(sets_flag) {
  record.flag = 1;
  return NULL;
}
SCENARIO(outside_strings_end, CLEAN) {
  pthread_t t = start(sets_flag, NULL);
  later();
  x = strcasecmp(key, record.name);
  finish(t);
}

/* The block is written to before it is sent, and after. */
THREAD(reads_block) {
  int *block;
  later();
  if (read(ends[0], &block, sizeof block) == sizeof block) x = *block;
  return NULL;
}
SCENARIO(outside_message, RACE) {
  int *block = malloc(sizeof *block);
  if (pipe(ends)) abort();
  pthread_t t = start(reads_block, NULL);
  *block = 1;
  if (write(ends[1], &block, sizeof block) != sizeof block) abort();
  *block = 2;
  finish(t);
  free(block);
}

/* A read-write lock that is tried until a time of a clock. */
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
THREAD(by_the_clock) {
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += 60;
  if (pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &end)) return NULL;
  LOCK(a);
  UNLOCK(a);
  pthread_rwlock_unlock(&lock);
  return NULL;
}
SCENARIO(outside_clock_lock, DEADLOCK) {
  pthread_t t = start(by_the_clock, NULL);
  later();
  LOCK(a);
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  UNLOCK(a);
  finish(t);
}

/* The first owner of a robust mutex ends with it; the others take it one after another. */
static pthread_mutex_t robust;
THREAD(dies_with_it) {
  LOCK(robust);
  return NULL;
}
static void take_robust(void) {
  if (LOCK(robust) == EOWNERDEAD) pthread_mutex_consistent(&robust);
}
THREAD(takes_both) {
  take_robust();
  LOCK(a);
  UNLOCK(a);
  UNLOCK(robust);
  return NULL;
}
SCENARIO(outside_owner_died, DEADLOCK) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&robust, &attributes);
  finish(start(dies_with_it, NULL));
  pthread_t t = start(takes_both, NULL);
  later();
  LOCK(a);
  take_robust();
  UNLOCK(robust);
  UNLOCK(a);
  finish(t);
}

/* What happens before the first thread is there is no matter of orders. */
static int early;
THREAD(counts_then_locks) {
  x++;
  LOCK(m);
  UNLOCK(m);
  return NULL;
}
SCENARIO(outside_atomic_first, RACE) {
  __atomic_store_n(&early, 1, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&early, 1, __ATOMIC_SEQ_CST);
  pthread_t t = start(counts_then_locks, NULL);
  later();
  LOCK(m);
  UNLOCK(m);
  x++;
  finish(t);
}

/* The cleanup of a cancelled wait races; what unwinds the stack is no step. */
static void unlock_and_count(void *argument) {
  (void)argument;
  UNLOCK(m);
  x++;
}
THREAD(waits_for_ever) {
  LOCK(m);
  pthread_cleanup_push(unlock_and_count, NULL);
  while (!woken) pthread_cond_wait(&c, &m);
  pthread_cleanup_pop(0);
  UNLOCK(m);
  return NULL;
}
SCENARIO(outside_cancelled_races, RACE) {
  pthread_t t = start(waits_for_ever, NULL);
  later();
  LOCK(m);
  UNLOCK(m);
  pthread_cancel(t);
  later();
  x++;
  finish(t);
}

/* A semaphore with a name lets two in, or one. */
static sem_t *named;
THREAD(counts_inside) {
  sem_wait(named);
  x++;
  sem_post(named);
  return NULL;
}
static void open_named(unsigned value) {
  char name[64];
  snprintf(name, sizeof name, "/heddle-scenario-%ld", (long)getpid());
  named = sem_open(name, O_CREAT | O_EXCL, 0600, value);
  if (named == SEM_FAILED) abort();
  sem_unlink(name);
  pthread_t t = start(counts_inside, NULL);
  later();
  counts_inside(NULL);
  finish(t);
  sem_close(named);
}
SCENARIO(outside_named_for_two, RACE) {
  open_named(2);
}
SCENARIO(outside_named_for_one, CLEAN) {
  open_named(1);
}

/* A child waits on a condition variable in shared memory, and the race comes after it. */
static struct {
  pthread_mutex_t m;
  pthread_cond_t c;
  int go;
} *common;
SCENARIO(outside_child_waits, RACE) {
  pthread_mutexattr_t mutexes;
  pthread_condattr_t conditions;
  common = mmap(NULL, sizeof *common, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                -1, 0);
  if (common == MAP_FAILED) abort();
  pthread_mutexattr_init(&mutexes);
  pthread_mutexattr_setpshared(&mutexes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&common->m, &mutexes);
  pthread_condattr_init(&conditions);
  pthread_condattr_setpshared(&conditions, PTHREAD_PROCESS_SHARED);
  pthread_cond_init(&common->c, &conditions);
  pid_t child = fork();
  if (child == 0) {
    LOCK(common->m);
    while (!common->go) pthread_cond_wait(&common->c, &common->m);
    UNLOCK(common->m);
    _exit(0);
  }
  later();
  LOCK(common->m);
  common->go = 1;
  pthread_cond_signal(&common->c);
  UNLOCK(common->m);
  waitpid(child, NULL, 0);
  pthread_t t = start(counts_then_locks, NULL);
  later();
  LOCK(m);
  UNLOCK(m);
  x++;
  finish(t);
}

/* More locks than a thread is expected to hold. */
enum { MANY = 100 };
static pthread_mutex_t many[MANY];
THREAD(takes_all) {
  for (int i = 0; i < MANY; i++) LOCK(many[i]);
  for (int i = MANY; i-- > 0;) UNLOCK(many[i]);
  return NULL;
}
SCENARIO(outside_many_locks, DEADLOCK) {
  for (int i = 0; i < MANY; i++) pthread_mutex_init(&many[i], NULL);
  pthread_t t = start(takes_all, NULL);
  later();
  LOCK(many[MANY - 1]);
  LOCK(many[MANY - 20]);
  UNLOCK(many[MANY - 20]);
  UNLOCK(many[MANY - 1]);
  finish(t);
}
