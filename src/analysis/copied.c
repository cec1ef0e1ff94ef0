/* See copied.h. The state of an object of synchronisation of glibc is in its first word, so a copy counts if it may
 * have that word. Memory between (a structure that was copied, and is copied back) carries it on: such objects are
 * collected, as a whole, until no copy adds another one. Loads and stores of one function count together as a copy, and
 * so does realloc, which moves what it is given. */
#include "analysis/copied.h"

#include "base/map.h"
#include "model/op_access.h"

enum { STATE_BYTES = 4 };

typedef struct {
  AObject object;
  PlaceExtent extent;
  bool by_user;  /* by a rule of the user's: what its bytes mean is not known */
  uint32_t next; /* of the same object, + 1 */
} Used;

/* From memory at an address to memory at another one, or to an object that the edge makes (realloc). */
typedef struct {
  EdgeId edge;
  OpAccess from, to; /* `to` has no address where something is made */
} Copy;

typedef struct {
  const Program *p;
  const PointsTo *pt;
  VEC(Used) used;
  Map first;   /* object to the first of its places in `used`, + 1 */
  Map carries; /* objects with a copy of such a place */
  VEC(Copy) copies;
  VEC(EdgeId) writes; /* of what may not be 0 */
} Search;

static void note_use(Search *s, const Edge *e, ExprId address) {
  Targets targets = pointsto_expr(s->pt, address);
  for (uint32_t i = 0; i < targets.count; i++) {
    const Target *x = &targets.targets[i];
    if (x->function || x->object == AOBJECT_UNKNOWN) continue;
    bool any = x->offset == OFFSET_ANY;
    PlaceExtent extent = pointsto_extent(s->pt, x->object, any ? 0 : x->offset,
                                         any ? 0 : STATE_BYTES, false);
    uint64_t *slot = map_at(&s->first, x->object);
    vec_push(&s->used,
             ((Used){x->object, extent, e->flags & EDGE_USER, (uint32_t)*slot}));
    *slot = s->used.len;
  }
}

/* Library functions that return a new object with the contents of an old one. */
static void note_moves(Search *s, EdgeId id) {
  const Edge *e = program_edge(s->p, id);
  const FuncId *callees;
  uint32_t n = e->aux ? pointsto_callees(s->pt, id, &callees) : 0;
  for (uint32_t i = 0; i < n; i++) {
    const Function *f = vec_at(&s->p->functions, callees[i]);
    for (uint32_t k = 0; k < f->effect_count; k++) {
      const Effect *x = vec_at(&s->p->effects, f->first_effect + k);
      if (x->kind != EFFECT_ALLOC || x->other >= e->arg_count) continue;
      ExprId old = vec_at(&s->p->args, e->first_arg + x->other)->value;
      vec_push(&s->copies, ((Copy){.edge = id, .from = {.address = old}}));
    }
  }
}

/* Writes a value that may be another one than the 0 with which everything begins. */
static bool writes_data(const Search *s, const Edge *e) {
  bool plain = e->op == OP_STORE || e->op == OP_FILL || e->op == OP_RMW;
  if (!plain && e->op != OP_CMPXCHG) return false;
  const Expr *value = program_expr(s->p, plain ? e->b : e->c);
  return value->kind != EXPR_CONST || value->value;
}

static void visit(Search *s, EdgeId id) {
  const Edge *e = program_edge(s->p, id);
  OpAccess accesses[OP_ACCESS_MAX];
  uint32_t n = op_accesses(s->p, e, accesses);
  Copy copy = {.edge = id};
  for (uint32_t i = 0; i < n; i++) {
    if (accesses[i].kind & OP_WRITES) copy.to = accesses[i];
    if (accesses[i].kind & OP_READS) copy.from = accesses[i];
    if ((accesses[i].kind & OP_OBJECT) && (accesses[i].kind & OP_READS))
      note_use(s, e, accesses[i].address);
  }
  if (writes_data(s, e)) vec_push(&s->writes, id);
  if (e->op == OP_COPY && copy.to.address && copy.from.address)
    vec_push(&s->copies, copy);
  if (e->op == OP_CALL) note_moves(s, id);
}

static void visit_all(Search *s) {
  for (FuncId f = 1; f < s->p->functions.len; f++) {
    const Function *function = &s->p->functions.data[f];
    if (!(function->flags & FUNCTION_DEFINED) || !pointsto_is_reachable(s->pt, f))
      continue;
    for (uint32_t i = 0; i < function->edge_count; i++)
      visit(s, function->first_edge + i);
  }
}

/* What is used at the place, those of the library first; or NULL. */
static const Used *used_at(const Search *s, const Target *x, uint32_t size) {
  bool any = x->offset == OFFSET_ANY;
  PlaceExtent extent =
      pointsto_extent(s->pt, x->object, any ? 0 : x->offset, any ? 0 : size, false);
  const Used *found = NULL;
  for (uint64_t i = map_find(&s->first, x->object, 0); i; i = s->used.data[i - 1].next) {
    const Used *used = &s->used.data[i - 1];
    bool there = used->extent.from < extent.to && extent.from < used->extent.to;
    if (there && (!found || found->by_user)) found = used;
  }
  return found;
}

static bool touches_used(const Search *s, const Target *x, uint32_t size) {
  return used_at(s, x, size);
}

static bool touches_any(const Search *s, const OpAccess *access) {
  Targets targets = pointsto_expr(s->pt, access->address);
  for (uint32_t i = 0; i < targets.count; i++) {
    const Target *x = &targets.targets[i];
    if (!x->function && x->object != AOBJECT_UNKNOWN && touches_used(s, x, access->size))
      return true;
  }
  return false;
}

static bool has_state(const Search *s, const OpAccess *from) {
  Targets targets = pointsto_expr(s->pt, from->address);
  for (uint32_t i = 0; i < targets.count; i++) {
    const Target *x = &targets.targets[i];
    if (x->function || x->object == AOBJECT_UNKNOWN) continue;
    if (map_get(&s->carries, x->object) || touches_used(s, x, from->size)) return true;
  }
  return false;
}

/* True if the state comes to where it is used; otherwise what gets it carries it, and `grown` is set if that is new. */
static bool arrives_at(Search *s, const Target *to, uint32_t size, bool *grown) {
  if (touches_used(s, to, size)) return true;
  *grown = *grown || !map_get(&s->carries, to->object);
  map_put(&s->carries, to->object, 1);
  return false;
}

static bool arrives(Search *s, const OpAccess *to, bool *grown) {
  Targets targets = pointsto_expr(s->pt, to->address);
  for (uint32_t i = 0; i < targets.count; i++) {
    const Target *x = &targets.targets[i];
    if (!x->function && x->object != AOBJECT_UNKNOWN && arrives_at(s, x, to->size, grown))
      return true;
  }
  return false;
}

/* … to any object that was allocated at the site. */
static bool arrives_in_new(Search *s, ObjectId site, bool *grown) {
  for (AObject o = 0; o < pointsto_object_count(s->pt); o++) {
    Target all = {.object = o, .offset = OFFSET_ANY};
    if (o != AOBJECT_UNKNOWN && pointsto_object(s->pt, o) == site &&
        arrives_at(s, &all, 0, grown))
      return true;
  }
  return false;
}

static bool copy_arrives(Search *s, const Copy *copy, bool *grown) {
  if (!has_state(s, &copy->from)) return false;
  return copy->to.address ? arrives(s, &copy->to, grown)
                          : arrives_in_new(s, program_edge(s->p, copy->edge)->aux, grown);
}

/* The stores of a function that reads the state by loads, as one does that copies byte by byte, may write it. What is
 * stored there as a constant is none. */
static EdgeId copied_by_hand(Search *s, const Function *function) {
  bool state = false;
  EdgeId found = 0;
  for (uint32_t i = 0; i < function->edge_count; i++) {
    EdgeId id = function->first_edge + i;
    const Edge *e = program_edge(s->p, id);
    OpAccess accesses[OP_ACCESS_MAX];
    bool stores = e->op == OP_STORE && program_expr(s->p, e->b)->kind != EXPR_CONST;
    if ((e->op != OP_LOAD && !stores) || !op_accesses(s->p, e, accesses)) continue;
    if (!stores)
      state = state || has_state(s, &accesses[0]);
    else if (!found && touches_any(s, &accesses[0]))
      found = id;
  }
  return state ? found : 0;
}

static EdgeId any_by_hand(Search *s) {
  EdgeId found = 0;
  for (FuncId f = 1; f < s->p->functions.len && !found; f++) {
    const Function *function = &s->p->functions.data[f];
    if ((function->flags & FUNCTION_DEFINED) && pointsto_is_reachable(s->pt, f))
      found = copied_by_hand(s, function);
  }
  return found;
}

/* The write goes to the state of an object of the library, and certainly there: a place that is not known is not counted. */
static bool is_in_state(const Search *s, EdgeId id) {
  OpAccess accesses[OP_ACCESS_MAX];
  uint32_t n = op_accesses(s->p, program_edge(s->p, id), accesses);
  for (uint32_t k = 0; k < n; k++) {
    Targets targets = pointsto_expr(s->pt, accesses[k].address);
    for (uint32_t i = 0; i < targets.count; i++) {
      const Target *x = &targets.targets[i];
      if (x->function || x->object == AOBJECT_UNKNOWN || x->offset == OFFSET_ANY)
        continue;
      const Used *used = used_at(s, x, accesses[k].size);
      if (used && !used->by_user) return true;
    }
  }
  return false;
}

static EdgeId find_copy(Search *s) {
  for (bool grown = s->used.len > 0; grown;) {
    grown = false;
    for (uint32_t i = 0; i < s->copies.len; i++)
      if (copy_arrives(s, &s->copies.data[i], &grown)) return s->copies.data[i].edge;
  }
  return s->used.len ? any_by_hand(s) : 0;
}

static EdgeId find_write(const Search *s) {
  for (uint32_t i = 0; i < s->writes.len && s->used.len; i++)
    if (is_in_state(s, s->writes.data[i])) return s->writes.data[i];
  return 0;
}

Copied copied_find(const Program *program, const PointsTo *pointsto) {
  Search s = {.p = program, .pt = pointsto};
  visit_all(&s);
  Copied found = {.copy = find_copy(&s), .write = find_write(&s)};
  vec_free(&s.used);
  vec_free(&s.copies);
  vec_free(&s.writes);
  map_free(&s.first);
  map_free(&s.carries);
  return found;
}
