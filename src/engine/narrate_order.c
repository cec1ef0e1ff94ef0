/* A race whose accesses are unordered, in words: the value that led from one thread to the
 * other, and why it does not order them. */
#include "base/str.h"
#include "engine/narrate_parts.h"

static const ExecEvent *event_at(const Narrator *n, uint32_t i) {
  return &vec_at(&n->log.events, i)->event;
}

/* The thing that an access touches, as the source calls it. */
static const char *thing_of(Narrator *n, Exec *exec, const ExecEvent *e,
                            uint64_t address) {
  ExecObject object;
  if (e->hidden)
    return sym_text(n->program, vec_at(&n->program->objects, e->hidden)->name);
  return narrator_thing(n, exec, address, e->edge, &object);
}

void narrate_first(Narrator *n, Exec *exec) {
  const Witness *w = n->witness;
  for (uint32_t i = n->log.events.len; i-- > 0;) {
    const ExecEvent *e = event_at(n, i);
    if (n->log.events.data[i].step != w->at[0]) break;
    if (e->kind != EVENT_ACCESS || e->edge != w->edges[0] || e->thread != w->threads[0] ||
        w->address < e->address || w->address >= e->address + e->size)
      continue;
    const char *kind = narrator_kind(e->access);
    vec_push(&n->accesses, narrator_access(n, w->threads[0], kind, e->edge));
    narrator_tell(n, w->threads[0], kind, thing_of(n, exec, e, w->address), e->edge);
    return;
  }
}

static const char *place_of(Narrator *n, const ExecEvent *e) {
  const Program *p = n->program;
  const Loc *loc = e->edge ? &p->locs.data[program_edge(p, e->edge)->loc] : NULL;
  if (!loc || !loc->line) return narrator_thread(n, e->thread);
  return arena_printf(n->arena, "%s:%u", sym_text(p, loc->file), loc->line);
}

/* What the value would have had to do. */
static const char *say_gap(Narrator *n, Exec *exec, const OrderGap *gap) {
  const ExecEvent *w = event_at(n, gap->write), *r = event_at(n, gap->read);
  const char *name = thing_of(n, exec, w, w->address);
  const char *stored = place_of(n, w), *loaded = place_of(n, r);
  bool is_volatile = program_edge(n->program, w->edge)->flags & EDGE_VOLATILE;
  switch (gap->kind) {
  case GAP_PLAIN:
    return arena_printf(n->arena,
                        "the value of %s goes from %s to %s, but %s: it orders "
                        "nothing",
                        name, stored, loaded,
                        is_volatile ? "volatile is not atomic" : "it is not atomic");
  case GAP_STORE:
    return arena_printf(n->arena,
                        "the store to %s at %s is %s: it does not order what comes "
                        "before it",
                        name, stored, order_text((MemoryOrder)w->order));
  case GAP_LOAD:
    return arena_printf(n->arena,
                        "the load of %s at %s is %s: it does not order what comes after "
                        "it",
                        name, loaded, order_text((MemoryOrder)r->order));
  case GAP_BROKEN: break;
  }
  return arena_printf(n->arena,
                      "the value of %s at %s is of a store that ends the release "
                      "sequence of the one before",
                      name, loaded);
}

void narrate_unordered(Narrator *n, Exec *exec) {
  const Witness *w = n->witness;
  uint32_t pair[2];
  if (n->accesses.len != 1 || !witness_find_race(w, &n->log, pair)) {
    vec_clear(&n->accesses);
    return;
  }
  const ExecEvent *x = event_at(n, pair[0]), *y = event_at(n, pair[1]);
  uint64_t from = x->address > y->address ? x->address : y->address;
  const char *kind = narrator_kind(y->access);
  vec_push(&n->accesses, narrator_access(n, w->threads[1], kind, y->edge));
  n->told.name = thing_of(n, exec, x->hidden ? x : y, from);
  narrator_tell(n, w->threads[1], kind, n->told.name, y->edge);
  ExecObject object = {0};
  if (x->hidden || y->hidden) {
    n->told.object = x->hidden ? x->hidden : y->hidden;
  } else if (exec_find_object(exec, from, &object) || object.id) {
    n->told.object = object.id;
    n->told.offset = from - object.address;
  }
  n->told.unordered = true;
  OrderGap gap;
  const char *what = order_find_gap(&n->log, pair[0], pair[1], &gap)
                         ? say_gap(n, exec, &gap)
                         : "nothing that either thread does orders them";
  n->told.why =
      arena_printf(n->arena,
                   "neither access of %s and %s happens before the "
                   "other: %s",
                   n->accesses.data[0].thread, n->accesses.data[1].thread, what);
}
