/* What a certificate is about: all accesses to the bytes, and which two of them may race. See
 * context_internal.h. */
#include "proof/context_internal.h"

#include <assert.h>

/* How an edge touches the bytes in question. */
typedef struct {
  const Context *x;
  bool writes, elsewhere;
  bool exact; /* it is an access to these very bytes, whenever it happens */
  VEC(PlaceExtent) extents;
} Look;

static bool meet(PlaceExtent a, PlaceExtent b) {
  return a.from < b.to && b.from < a.to;
}

static PlaceExtent bytes_of(const Context *x) {
  assert(x->c.about == ABOUT_RACE && x->c.from < x->c.to);
  uint64_t size = x->c.to - x->c.from;
  return pointsto_extent(x->pt, x->c.object, x->c.from,
                         size > UINT32_MAX ? 0 : (uint32_t)size, true);
}

bool context_is_in_question(const Context *x, uint32_t byte) {
  return meet(pointsto_extent(x->pt, x->c.object, byte, 1, true), bytes_of(x));
}

static void look(void *user, const Touch *t) {
  Look *l = user;
  const Context *x = l->x;
  if (!t->key) l->elsewhere = true;
  /* memory that nobody knows is whatever is known outside */
  bool same = t->key ? t->key == x->c.object : pointsto_escapes(x->pt, x->c.object);
  bool begins = (t->kind & TOUCH_NEW) && context_is_heap(x, x->c.object);
  if (x->c.about != ABOUT_RACE || !same || begins) return;
  PlaceExtent e = {0, UINT32_MAX, true};
  if (t->key && t->offset != OFFSET_ANY)
    e = pointsto_extent(x->pt, x->c.object, t->offset, t->size, false);
  if (!meet(e, bytes_of(x))) return;
  bool heap = x->q->program->objects.data[x->c.object].kind == OBJECT_HEAP;
  l->exact = l->exact ||
             (t->key && t->offset != OFFSET_ANY && !heap && !(t->kind & TOUCH_SYNC) &&
              pointsto_place_step(x->pt, x->c.object, t->offset) == 0);
  l->writes = l->writes || (t->kind & TOUCH_WRITE);
  vec_push(&l->extents, e);
}

static Look look_at(const Context *x, EdgeId edge) {
  Look l = {.x = x};
  touch_visit(x->q->program, x->pt, edge, look, &l);
  return l;
}

/* An edge that is asked about, and of which it is not seen how it touches the bytes, may write them
 * all. */
static Look look_at_asked(const Context *x, EdgeId edge) {
  Look l = look_at(x, edge);
  if (!l.extents.len) {
    l.writes = true;
    vec_push(&l.extents, ((PlaceExtent){0, UINT32_MAX, true}));
  }
  return l;
}

/* Two such accesses never race. */
static bool is_atomic(const Edge *e) {
  switch ((OpKind)e->op) {
  case OP_LOAD:
  case OP_STORE: return e->order != ORDER_NONE;
  case OP_RMW:
  case OP_CMPXCHG: return true;
  case OPS_CONTROL:
  case OP_FENCE:
  case OPS_BULK:
  case OPS_STACK:
  case OPS_VA:
  case OPS_THREAD:
  case OPS_SYNC:
  case OP_ASSERT:
  case OP_EXIT: break;
  }
  return false;
}

bool context_conflict(const Context *x, EdgeId a, EdgeId b) {
  const Program *p = x->q->program;
  if (is_atomic(program_edge(p, a)) && is_atomic(program_edge(p, b))) return false;
  Look one = look_at_asked(x, a), two = look_at_asked(x, b);
  bool both = false;
  for (uint32_t i = 0; i < one.extents.len; i++)
    for (uint32_t k = 0; k < two.extents.len; k++)
      both = both || meet(one.extents.data[i], two.extents.data[k]);
  bool conflict = both && (one.writes || two.writes);
  vec_free(&one.extents);
  vec_free(&two.extents);
  return conflict;
}

/* ---- the question ---- */

static bool is_asked(const Context *x, EdgeId edge) {
  for (uint32_t i = 0; i < x->c.asked.len; i++)
    if (x->c.asked.data[i] == edge) return true;
  return false;
}

static bool runs(const Context *x, EdgeId edge) {
  const Program *p = x->q->program;
  NodeId from = program_edge(p, edge)->from;
  return pointsto_is_reachable(x->pt, p->nodes.data[from].function);
}

/* Every access to the bytes is asked about, unless nobody writes there. What may be another element,
 * another object of the same place of allocation, or only the use of a lock, the checker does not tell
 * from them. */
static bool check_accesses(Context *x) {
  const Program *p = x->q->program;
  bool written = false, vague = false;
  EdgeId missing = 0;
  if (pointsto_object_kind(x->pt, x->c.object) != AOBJECT_PROGRAM)
    return context_open(x, "objects of calling contexts are not seen by the checker");
  if (x->c.from >= x->c.to) return context_reject(x, "it is about no bytes");
  for (EdgeId e = 1; e < p->edges.len; e++) {
    if (!runs(x, e)) continue;
    Look l = look_at(x, e);
    written = written || l.writes;
    if (l.extents.len && !is_asked(x, e)) {
      vague = vague || !l.exact;
      if (l.exact) missing = e;
    }
    vec_free(&l.extents);
  }
  if (written && missing)
    return context_reject(x, "the access of line %u is missing",
                          p->locs.data[program_edge(p, missing)->loc].line);
  if (written && vague)
    return context_open(x,
                        "which accesses are to these bytes is not seen by the checker");
  return true;
}

static bool check_elsewhere(Context *x) {
  for (EdgeId e = 1; e < x->q->program->edges.len; e++) {
    if (!runs(x, e)) continue;
    Look l = look_at(x, e);
    vec_free(&l.extents);
    if (l.elsewhere)
      return context_open(x, "an access may be to memory that nobody knows");
  }
  return true;
}

bool context_check_asked(Context *x) {
  const Program *p = x->q->program;
  switch (x->c.about) {
  case ABOUT_RACE: return check_accesses(x);
  case ABOUT_ELSEWHERE: return check_elsewhere(x);
  case ABOUT_ASSERTION:
    if (program_edge(p, x->c.edge)->op != OP_ASSERT || x->c.asked.len != 1 ||
        x->c.asked.data[0] != x->c.edge)
      return context_reject(x, "it is about no assertion");
    return true;
  case ABOUT_NOTHING: break;
  }
  return context_reject(x, "it is about nothing");
}
