/* See ranks.h. */
#include "engine/hunt/ranks.h"

enum {
  LOWEST = 1 << 16,   /* ranks that are drawn are above; whoever steps back goes below */
  FIRST = UINT32_MAX, /* above all */
  PATIENCE = 200,     /* steps without a change, of a loop that waits */
  MOST_CUTS = 4,
  MOST_MAGNITUDE = 7,
};

static uint32_t draw_rank(Schedule *s) {
  return LOWEST + (uint32_t)(schedule_draw(s) % LOWEST);
}

/* When the thread that begins to run now steps back, in operations that others may see. Often soon: what
 * others should see half done is mostly short. */
static void draw_cut(Schedule *s) {
  s->until_cut = UINT32_MAX;
  if (!s->cuts_left) return;
  s->until_cut =
      (uint32_t)(schedule_draw(s) % (UINT64_C(2) << schedule_draw(s) % MOST_MAGNITUDE));
}

void ranks_begin(Schedule *s) {
  s->lowest = LOWEST;
  s->salt = schedule_draw(s);
  s->each_alone = schedule_draw(s) % 4 == 0;
  s->main_first = schedule_draw(s) % 2;
  s->cuts_left = (uint32_t)(schedule_draw(s) % MOST_CUTS);
  for (uint64_t n = 1 + schedule_draw(s) % 2; n > 0; n--) {
    uint64_t many = UINT64_C(2) << schedule_draw(s) % 7;
    s->rank[1 + schedule_draw(s) % many] = draw_rank(s);
  }
  draw_cut(s);
}

static uint32_t rank_of(const Schedule *s, const ExecChoice *c) {
  return c->thread < SCHEDULE_THREADS ? s->rank[c->thread] : 1;
}

static void step_back(Schedule *s, uint32_t thread) {
  if (thread < SCHEDULE_THREADS && s->lowest > 1) s->rank[thread] = --s->lowest;
}

/* A new thread: those that begin at the same edge have the same rank. Main is not first for ever: it may
 * create threads without end. */
static void meet(Schedule *s, const ExecChoice *c) {
  enum { MAIN = 1, MANY = SCHEDULE_THREADS / 2 };
  if (c->thread >= MANY && s->rank[MAIN] == FIRST) step_back(s, MAIN);
  if (c->thread >= SCHEDULE_THREADS) return;
  uint32_t *rank = &s->rank[c->thread];
  if (c->thread == MAIN && s->main_first) *rank = FIRST;
  if (*rank) return;
  uint64_t mixed = (s->salt ^ c->edge) * 0x9e3779b97f4a7c15u;
  *rank = s->each_alone ? draw_rank(s) : LOWEST + (uint32_t)(mixed >> 48) % LOWEST;
}

/* The thread takes its step: does it step back before? */
static bool ends_before(Schedule *s, const ExecChoice *c) {
  const Edge *e = program_edge(s->program, c->edge);
  if (c->thread != s->turn) {
    s->turn = c->thread;
    s->turn_steps = PATIENCE;
    draw_cut(s);
  }
  if (!schedule_is_seen(e)) return false;
  bool cut = s->cuts_left && s->until_cut == 0 && rank_of(s, c) != FIRST;
  if (s->until_cut && s->until_cut != UINT32_MAX) s->until_cut--;
  if (cut) s->cuts_left--;
  return cut;
}

size_t ranks_pick(Schedule *s, const ExecChoice *choices, size_t n) {
  for (;;) {
    size_t best = n, count = 0;
    for (size_t i = 0; i < n; i++) {
      meet(s, &choices[i]);
      if (choices[i].kind == CHOICE_STEP &&
          (best == n || rank_of(s, &choices[i]) > rank_of(s, &choices[best])))
        best = i;
    }
    if (best == n) return schedule_draw(s) % n; /* time passes, or a wait ends */
    const ExecChoice *c = &choices[best];
    while (best + count < n && choices[best + count].thread == c->thread &&
           choices[best + count].kind == CHOICE_STEP)
      count++;
    if (count < n && ends_before(s, c)) {
      step_back(s, c->thread);
      continue;
    }
    if (schedule_is_change(program_edge(s->program, c->edge), true))
      s->turn_steps = PATIENCE;
    else if (s->turn_steps && !--s->turn_steps)
      step_back(s, c->thread);
    return best + schedule_draw(s) % count;
  }
}
