/* The crew: a round is announced by a number, and closed as soon as the caller has
 * nothing left to do. Members that were not awake by then stay out of it: where the
 * machine is busy with other things, nobody waits for them.
 *
 * Invariant: a member enters a round only while it is open, and once, because it
 * remembers the last one; the round is over when it is closed and `busy` is 0. Everything
 * is guarded by the mutex. */
#include "csp/crew.h"

#include "base/mem.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* How often one looks before it goes to sleep: some ten microseconds. To wake a sleeper
 * takes longer than many rounds do. */
enum { LOOKS = 4000 };

typedef struct {
  CspCrew *crew;
  uint32_t number;
  pthread_t thread;
} Member;

struct CspCrew {
  pthread_mutex_t lock;
  pthread_cond_t begin, end;
  uint32_t asleep;          /* members that wait for `begin` */
  uint32_t wanted, started; /* members besides the caller */
  bool tried;
  Member *members;
  CspCrewWork *work;
  void *user;
  _Atomic uint64_t round;
  _Atomic bool open;
  _Atomic uint32_t busy; /* members in the round */
  _Atomic bool over;
};

static inline void pause_a_moment(void) {
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause();
#endif
}

CspCrew *csp_crew_new(uint32_t workers) {
  CspCrew *crew = mem_alloc_zero(sizeof *crew);
  pthread_mutex_init(&crew->lock, NULL);
  pthread_cond_init(&crew->begin, NULL);
  pthread_cond_init(&crew->end, NULL);
  crew->wanted = workers ? workers - 1 : 0;
  crew->members = mem_alloc_zero((crew->wanted + 1) * sizeof *crew->members);
  return crew;
}

static bool is_called(const CspCrew *crew, uint64_t last) {
  return (crew->round != last && crew->open) || crew->over;
}

/* Waits with the mutex held; awake for a while, then asleep. */
static void wait_for_round(CspCrew *crew, uint64_t last) {
  pthread_mutex_unlock(&crew->lock);
  for (int i = 0; i < LOOKS && !is_called(crew, last); i++) pause_a_moment();
  pthread_mutex_lock(&crew->lock);
  crew->asleep++;
  while (!is_called(crew, last)) pthread_cond_wait(&crew->begin, &crew->lock);
  crew->asleep--;
}

static void *serve(void *argument) {
  Member *me = argument;
  CspCrew *crew = me->crew;
  uint64_t last = 0;
  pthread_mutex_lock(&crew->lock);
  for (;;) {
    wait_for_round(crew, last);
    if (crew->over) break;
    last = crew->round;
    crew->busy++;
    CspCrewWork *work = crew->work;
    void *user = crew->user;
    pthread_mutex_unlock(&crew->lock);
    work(user, me->number);
    pthread_mutex_lock(&crew->lock);
    if (--crew->busy == 0) pthread_cond_signal(&crew->end);
  }
  pthread_mutex_unlock(&crew->lock);
  return NULL;
}

static void start_members(CspCrew *crew) {
  crew->tried = true;
  for (uint32_t i = 0; i < crew->wanted; i++) {
    Member *member = &crew->members[i];
    *member = (Member){.crew = crew, .number = i + 1};
    if (pthread_create(&member->thread, NULL, serve, member) != 0) return;
    crew->started++;
  }
}

void csp_crew_run(CspCrew *crew, CspCrewWork *work, void *user) {
  if (!crew->tried) start_members(crew);
  pthread_mutex_lock(&crew->lock);
  crew->work = work;
  crew->user = user;
  crew->round++;
  crew->open = true;
  if (crew->asleep) pthread_cond_broadcast(&crew->begin);
  pthread_mutex_unlock(&crew->lock);
  work(user, 0);
  pthread_mutex_lock(&crew->lock);
  crew->open = false;
  pthread_mutex_unlock(&crew->lock);
  for (int i = 0; i < LOOKS && crew->busy; i++) pause_a_moment();
  pthread_mutex_lock(&crew->lock);
  while (crew->busy) pthread_cond_wait(&crew->end, &crew->lock);
  pthread_mutex_unlock(&crew->lock);
}

void csp_crew_free(CspCrew *crew) {
  if (!crew) return;
  pthread_mutex_lock(&crew->lock);
  crew->over = true;
  pthread_cond_broadcast(&crew->begin);
  pthread_mutex_unlock(&crew->lock);
  for (uint32_t i = 0; i < crew->started; i++)
    pthread_join(crew->members[i].thread, NULL);
  pthread_cond_destroy(&crew->begin);
  pthread_cond_destroy(&crew->end);
  pthread_mutex_destroy(&crew->lock);
  mem_free(crew->members);
  mem_free(crew);
}
