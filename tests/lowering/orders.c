/* See orders.h. */
#include "orders.h"

void orders_note(void *user, const ExecEvent *e) {
  Orders *o = user;
  bool orders =
      e->kind == EVENT_RELEASE || e->kind == EVENT_ACQUIRE || e->kind == EVENT_JOIN;
  if (orders && e->channel != CHANNEL_LIBRARY) vec_push(&o->events, *e);
}

static bool has(const Orders *o, uint32_t thread, ExecEventKind kind, ExecChannel channel,
                uint64_t address) {
  for (uint32_t i = 0; i < o->events.len; i++) {
    const ExecEvent *e = &o->events.data[i];
    if (e->thread == thread && e->kind == kind && e->channel == channel &&
        e->address == address)
      return true;
  }
  return false;
}

static ExecChannel channel_of(const Shadow *s, unsigned whose) {
  SyncKind kind = op_sync_kind((OpKind)s->edge->op);
  if (whose == OF_LOCK || kind == SYNC_LOCK) return CHANNEL_LOCK;
  if (kind == SYNC_BARRIER) return CHANNEL_BARRIER;
  return kind == SYNC_SECTION ? CHANNEL_SECTION : CHANNEL_EVENT;
}

static bool acquires(const Orders *o, const Shadow *s, uint32_t thread, unsigned whose) {
  if (whose == OF_THREAD) return has(o, thread, EVENT_JOIN, CHANNEL_LOCK, 0);
  return has(o, thread, EVENT_ACQUIRE, channel_of(s, whose),
             whose == OF_LOCK ? s->lock : s->a);
}

static bool releases(const Orders *o, const Shadow *s, unsigned whose) {
  return has(o, s->self, EVENT_RELEASE, channel_of(s, whose),
             whose == OF_LOCK ? s->lock : s->a);
}

/* The object of which an operation of this kind is expected to tell. */
static unsigned whose_of(const Shadow *s) {
  SyncKind kind = op_sync_kind((OpKind)s->edge->op);
  return kind == SYNC_COND ? OF_LOCK : kind == SYNC_THREAD ? OF_THREAD : OF_A;
}

const char *orders_differ(const Orders *o, const Shadow *s, const LowerRow *row) {
  unsigned whose = whose_of(s);
  bool barrier = s->edge->op == OP_BARRIER_WAIT;
  if (row->end == ENDS_UNDEFINED || (barrier && row->wake != WAKE_ALL)) return NULL;
  if (acquires(o, s, s->self, whose) != (row->acquires != 0))
    return row->acquires ? "acquires nothing" : "acquires what no row says";
  if (whose != OF_THREAD &&
      (releases(o, s, whose) || has(o, s->self, EVENT_RELEASE, CHANNEL_READERS, s->a)) !=
          (row->releases != 0))
    return row->releases ? "releases nothing" : "releases what no row says";
  if (op_sync_kind((OpKind)s->edge->op) != SYNC_LOCK) return NULL;
  if (row->acquires &&
      has(o, s->self, EVENT_ACQUIRE, CHANNEL_READERS, s->a) == lower_shares(row))
    return "does not learn of readers what the row says";
  if (row->releases &&
      has(o, s->self, EVENT_RELEASE, CHANNEL_READERS, s->a) != lower_shares(row))
    return "does not release as the row says, alone or as a reader";
  return NULL;
}
