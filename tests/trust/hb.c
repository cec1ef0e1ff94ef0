/* See explore.h. Vector clocks: clock[u] is the latest time of thread u that is known. A
 * thread's own time advances after each release, so that later accesses are told apart. */
#include "explore.h"

#include <string.h>

static void join(Clock into, const Clock from) {
  for (int i = 0; i < MAX_THREADS; i++)
    if (from[i] > into[i]) into[i] = from[i];
}

static void advance(State *s, int t) {
  s->thread[t].clock[t]++;
}

static bool releases(Order o) {
  return o == RELEASE || o == ACQREL || o == SEQCST;
}

static bool acquires(Order o) {
  return o == ACQUIRE || o == ACQREL || o == SEQCST;
}

void hb_release(HbMode mode, State *s, int t, Clock into) {
  if (mode == HB_NONE) return;
  memcpy(into, s->thread[t].clock, sizeof(Clock));
  advance(s, t);
}

void hb_add(HbMode mode, State *s, int t, Clock into) {
  if (mode == HB_NONE) return;
  join(into, s->thread[t].clock);
  advance(s, t);
}

void hb_acquire(HbMode mode, State *s, int t, const Clock from) {
  if (mode != HB_NONE) join(s->thread[t].clock, from);
}

void hb_atomic_load(HbMode mode, State *s, int t, int var, Order order) {
  if (mode == HB_NONE) return;
  join(acquires(order) ? s->thread[t].clock : s->thread[t].pending, s->of_var[var]);
}

/* A plain store heads or ends a release sequence, a read-modify-write carries it on. */
void hb_atomic_store(HbMode mode, State *s, int t, int var, Order order, bool rmw) {
  if (mode == HB_NONE) return;
  uint8_t me = (uint8_t)(1u << t);
  bool keeps = rmw || (mode == HB_MOST && (s->head[var] & me));
  if (!keeps) {
    memset(s->of_var[var], 0, sizeof(Clock));
    s->head[var] = 0;
  }
  if (releases(order)) {
    hb_add(mode, s, t, s->of_var[var]);
    if (mode == HB_MOST) s->head[var] |= me;
  } else {
    join(s->of_var[var], s->thread[t].released);
  }
}

void hb_fence(HbMode mode, State *s, int t, Order order) {
  if (mode == HB_NONE) return;
  Thread *x = &s->thread[t];
  if (acquires(order)) join(x->clock, x->pending);
  if (releases(order)) {
    memcpy(x->released, x->clock, sizeof(Clock));
    advance(s, t);
  }
}

static bool conflict(const Site *a, const Site *b) {
  return a->var == b->var && (a->write || b->write) && !(a->atomic && b->atomic) &&
         !(a->section && b->section);
}

void hb_access(Explorer *e, const Prog *p, HbMode mode, State *s, int t, int site) {
  if (mode == HB_NONE) return;
  for (int u = 0; u < MAX_THREADS; u++) {
    if (u == t) continue;
    for (int other = 0; other < p->sites; other++)
      if (s->when[u][other] > s->thread[t].clock[u] &&
          conflict(&p->site[other], &p->site[site]))
        explorer_race(e, other, site);
  }
  s->when[t][site] = s->thread[t].clock[t];
  const Site *x = &p->site[site];
  if (x->write && !x->atomic) {
    memset(s->of_var[x->var], 0, sizeof(Clock));
    s->head[x->var] = 0;
  }
}

/* An access that every living thread knows of can race no more. */
static void forget(const Prog *p, State *s) {
  for (int u = 0; u < MAX_THREADS; u++)
    for (int i = 0; i < p->sites; i++) {
      bool known = true;
      for (int t = 0; t < MAX_THREADS && known; t++) {
        const Thread *x = &s->thread[t];
        if (t == u || x->state == T_NONE || x->state == T_ENDED) continue;
        known = s->when[u][i] <= x->clock[u];
      }
      if (known) s->when[u][i] = 0;
    }
}

/* The new time for each old one of thread u. Times are only compared with those of accesses that
 * are remembered, so the number of those that are not later stands for a time; the thread's own
 * present is later than all that others know. */
static void renumber(const Prog *p, const State *s, int u, uint8_t map[256]) {
  bool used[256] = {false};
  unsigned now = s->thread[u].clock[u];
  for (int i = 0; i < p->sites; i++) used[s->when[u][i]] = true;
  uint8_t count = 0;
  for (unsigned v = 0; v < 256; v++) {
    if (v && v < now && used[v]) count++;
    map[v] = count;
  }
  for (unsigned v = now; v < 256 && now; v++) map[v] = (uint8_t)(count + 1);
}

void hb_canonical(const Prog *p, State *s) {
  forget(p, s);
  uint8_t map[256];
  for (int u = 0; u < MAX_THREADS; u++) {
    renumber(p, s, u, map);
    for (int i = 0; i < p->sites; i++) s->when[u][i] = map[s->when[u][i]];
    for (int t = 0; t < MAX_THREADS; t++) {
      Thread *x = &s->thread[t];
      x->clock[u] = map[x->clock[u]];
      x->released[u] = map[x->released[u]];
      x->pending[u] = map[x->pending[u]];
    }
    s->of_section[u] = map[s->of_section[u]];
    for (int i = 0; i < MAX_LOCKS; i++) {
      s->of_mutex[i][u] = map[s->of_mutex[i][u]];
      s->of_write[i][u] = map[s->of_write[i][u]];
      s->of_read[i][u] = map[s->of_read[i][u]];
      s->of_sem[i][u] = map[s->of_sem[i][u]];
      s->of_once[i][u] = map[s->of_once[i][u]];
    }
    for (int i = 0; i < MAX_VARS; i++) s->of_var[i][u] = map[s->of_var[i][u]];
  }
}
