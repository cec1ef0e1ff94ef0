/* Variables that travel with a lock.
 *
 * If every access to a variable is made under one lock (or while no other thread is
 * there), then whoever holds the lock is the only one who can change it. So its value is
 * part of the local state of the holder, and of the free lock otherwise: the lock has a
 * place for each combination of values, instead of one for being free. Accesses under the
 * lock are nobody else's business, which makes nets much smaller, and true statements
 * about them simpler.
 *
 * That it is so is learnt from one exploration (guarded_review) and checked by all later
 * ones: a read without the lock gives TOP, a write without it bars the variable. */
#include "engine/petri/translate.h"

enum { MOST_ROWS = 64, MOST_TOGETHER = 8 };

static bool travels_with(const WorldVar *v, const SyncObject *x) {
  return v->guarded && x->family == FAMILY_LOCK && v->lock_object == x->object &&
         v->lock_offset == x->offset;
}

/* The n-th variable of the lock, or NET_NONE. */
static uint32_t variable_of(const Translation *t, uint32_t sync_object, uint32_t n) {
  for (uint32_t v = 0; v < t->var_count; v++)
    if (travels_with(&t->w->vars.data[v], &t->sync_objects.data[sync_object]) && n-- == 0)
      return v;
  return NET_NONE;
}

int guarded_lock(Translation *t, uint32_t variable) {
  const WorldVar *v = &t->w->vars.data[variable];
  for (uint32_t i = 0; v->guarded && i < t->sync_objects.len; i++)
    if (travels_with(v, &t->sync_objects.data[i])) return (int)i;
  if (!v->guarded) return SYNC_OBJECT_NONE;
  SyncObject fresh = {
      .family = FAMILY_LOCK, .object = v->lock_object, .offset = v->lock_offset};
  vec_push(&t->sync_objects, fresh);
  guarded_start(t, t->sync_objects.len - 1);
  return (int)t->sync_objects.len - 1;
}

bool guarded_is_known(Translation *t, LocalState *s, uint32_t variable) {
  int lock = guarded_lock(t, variable);
  const LocalHold *held = lock == SYNC_OBJECT_NONE ? NULL : local_hold(s, (uint32_t)lock);
  return held && !held->shared;
}

AbsValue guarded_value(Translation *t, LocalState *s, uint32_t variable) {
  const WorldVar *v = &t->w->vars.data[variable];
  return local_read(t->w, s, v->object, v->offset, v->size);
}

static void set_value(Translation *t, LocalState *s, uint32_t variable, AbsValue value) {
  const WorldVar *v = &t->w->vars.data[variable];
  local_keep(s, v->object, v->offset, v->size, value);
}

void guarded_apply(Translation *t, LocalState *s) {
  AbsValue value;
  for (uint32_t i = 0; i < t->writes.len; i++)
    for (uint32_t v = 0; v < t->var_count; v++)
      if (t->w->vars.data[v].guarded && guarded_is_known(t, s, v) &&
          pn_memory_after(t, i, v, &value))
        set_value(t, s, v, value);
}

/* ---- rows of values ---- */

static uint32_t number_of_row(Translation *t, uint32_t sync_object, AbsValue *values) {
  uint32_t domain = t->sync_objects.data[sync_object].domain - 1;
  Domain *d = &t->domains.data[domain];
  for (uint32_t k = 0; k < d->row; k++)
    if (t->w->vars.data[variable_of(t, sync_object, k)].widened) values[k] = abs_top();
  for (uint32_t i = 0; i < d->values.len; i++) {
    bool same = i + 1 != d->excess;
    for (uint32_t k = 0; k < d->row && same; k++)
      same = abs_equal(d->rows.data[i * d->row + k], values[k]);
    if (same) return i;
  }
  bool all_top = true;
  AbsValue top[MOST_TOGETHER];
  for (uint32_t k = 0; k < d->row; k++) {
    all_top = all_top && abs_is_top(values[k]);
    top[k] = abs_top();
  }
  uint32_t most = 4 * t->limits.domain < MOST_ROWS ? 4 * t->limits.domain : MOST_ROWS;
  if (d->values.len >= most && !all_top) {
    if (!t->limits.strict || t->learning) return number_of_row(t, sync_object, top);
    if (d->excess) return d->excess - 1;
    d->excess = d->values.len + 1;
    values = top;
  }
  for (uint32_t k = 0; k < d->row; k++) vec_push(&d->rows, values[k]);
  uint32_t number = d->values.len;
  vec_push(&d->values, abs_number(number));
  translate_ask_again(t, domain);
  return number;
}

void guarded_start(Translation *t, uint32_t sync_object) {
  AbsValue first[MOST_TOGETHER];
  uint32_t count = 0, v;
  while (count < MOST_TOGETHER && (v = variable_of(t, sync_object, count)) != NET_NONE)
    first[count++] = translate_first_value(t, v);
  if (!count) return;
  Domain fresh = {.row = count};
  vec_push(&t->domains, fresh);
  t->sync_objects.data[sync_object].domain = t->domains.len;
  number_of_row(t, sync_object, first);
}

static uint32_t count_values(const Domain *d, uint32_t column) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < d->values.len; i++) {
    bool fresh = true;
    for (uint32_t k = 0; k < i && fresh; k++)
      fresh = !abs_equal(d->rows.data[i * d->row + column],
                         d->rows.data[k * d->row + column]);
    count += fresh;
  }
  return count;
}

/* The one with the most values. */
void guarded_widen(Translation *t, uint32_t sync_object) {
  const Domain *d = &t->domains.data[t->sync_objects.data[sync_object].domain - 1];
  uint32_t worst = 0, most = 0;
  for (uint32_t k = 0; k < d->row; k++) {
    uint32_t n = count_values(d, k), v = variable_of(t, sync_object, k);
    if (n <= most || t->w->vars.data[v].widened) continue;
    most = n;
    worst = v;
  }
  if (most) t->w->vars.data[worst].widened = true;
}

AbsValue guarded_at(const Translation *t, uint32_t sync_object, uint32_t number,
                    uint32_t variable) {
  const Domain *d = &t->domains.data[t->sync_objects.data[sync_object].domain - 1];
  for (uint32_t k = 0; k < d->row; k++)
    if (variable_of(t, sync_object, k) == variable)
      return d->rows.data[number * d->row + k];
  return abs_top();
}

uint32_t guarded_replaced(Translation *t, uint32_t sync_object, uint32_t number,
                          uint32_t variable, AbsValue value) {
  AbsValue row[MOST_TOGETHER];
  uint32_t count = t->domains.data[t->sync_objects.data[sync_object].domain - 1].row;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t v = variable_of(t, sync_object, k);
    row[k] = v == variable ? value : guarded_at(t, sync_object, number, v);
  }
  return number_of_row(t, sync_object, row);
}

/* ---- taking and giving ---- */

void guarded_take(Translation *t, LocalState *next, uint32_t sync_object,
                  uint32_t number) {
  uint32_t domain = t->sync_objects.data[sync_object].domain;
  translate_take(t, RESOURCE_SYNC_OBJECT, sync_object,
                 domain ? SYNC_OBJECT_VALUES + number : SYNC_OBJECT_FREE, 1);
  for (uint32_t k = 0; domain && k < t->domains.data[domain - 1].row; k++) {
    uint32_t v = variable_of(t, sync_object, k);
    set_value(t, next, v, guarded_at(t, sync_object, number, v));
  }
}

void guarded_give(Translation *t, LocalState *next, uint32_t sync_object) {
  uint32_t domain = t->sync_objects.data[sync_object].domain, number = SYNC_OBJECT_FREE;
  if (domain) {
    AbsValue row[MOST_TOGETHER];
    for (uint32_t k = 0; k < t->domains.data[domain - 1].row; k++) {
      uint32_t v = variable_of(t, sync_object, k);
      row[k] = guarded_value(t, next, v);
      local_forget(next, t->w->vars.data[v].object, t->w->vars.data[v].offset,
                   t->w->vars.data[v].size);
    }
    number = SYNC_OBJECT_VALUES + number_of_row(t, sync_object, row);
  }
  translate_give(t, RESOURCE_SYNC_OBJECT, sync_object, number, 1);
}

/* ---- learning ---- */

static void note_guard(Translation *t, LocalState *s, uint32_t variable) {
  Guarding *g = &t->guarding.data[variable];
  uint32_t kept = 0;
  if (t->w->alone[t->edge]) return;
  if (!g->seen)
    for (uint32_t i = 0; i < s->holds.len; i++)
      vec_push(&g->common, s->holds.data[i].sync);
  g->seen = true;
  for (uint32_t i = 0; i < g->common.len; i++) {
    const LocalHold *held = local_hold(s, g->common.data[i]);
    if (held && !held->shared) g->common.data[kept++] = g->common.data[i];
  }
  g->common.len = kept;
}

void guarded_note_read(Translation *t, LocalState *s, uint32_t variable) {
  note_guard(t, s, variable);
}

static void bar(Translation *t, uint32_t variable) {
  WorldVar *v = &t->w->vars.data[variable];
  t->restart = t->restart || v->guarded;
  v->guarded = false;
  v->barred = true;
}

/* Who took the lock does not know any more whether others change its variables. */
void guarded_give_any(Translation *t, uint32_t sync_object) {
  for (uint32_t v = 0; v < t->var_count; v++)
    if (travels_with(&t->w->vars.data[v], &t->sync_objects.data[sync_object])) bar(t, v);
  translate_give(t, RESOURCE_SYNC_OBJECT, sync_object, SYNC_OBJECT_FREE, 1);
}

void guarded_note_writes(Translation *t, LocalState *s, const Edge *e) {
  AbsValue value;
  for (uint32_t i = 0; i < t->writes.len; i++)
    for (uint32_t v = 0; v < t->var_count; v++) {
      if (!pn_memory_after(t, i, v, &value)) continue;
      bool known = guarded_is_known(t, s, v);
      note_guard(t, s, v);
      if (e->op == OP_RMW || e->op == OP_CMPXCHG || e->op == OP_CREATE ||
          (t->w->vars.data[v].guarded && !known && !t->w->alone[t->edge]))
        bar(t, v);
    }
}

static uint32_t count_guarded_by(const Translation *t, const SyncObject *x) {
  uint32_t n = 0;
  for (uint32_t v = 0; v < t->w->vars.len; v++) n += travels_with(&t->w->vars.data[v], x);
  return n;
}

/* After an exploration that was there to learn: true, begin again. */
bool guarded_review(Translation *t) {
  for (uint32_t i = 0; i < t->var_count; i++) {
    WorldVar *v = &t->w->vars.data[i];
    const Guarding *g = &t->guarding.data[i];
    bool fresh = !v->settled && !v->guarded && !v->barred;
    v->settled = true;
    if (!fresh || !g->seen || t->w->unordered[v->object]) continue;
    for (uint32_t k = 0; k < g->common.len && !v->guarded; k++) {
      const SyncObject *x = &t->sync_objects.data[g->common.data[k]];
      if (x->rw || x->family != FAMILY_LOCK || count_guarded_by(t, x) >= MOST_TOGETHER)
        continue;
      v->guarded = true;
      v->lock_object = x->object;
      v->lock_offset = x->offset;
    }
  }
  t->restart = t->restart || t->learning;
  return t->restart;
}
