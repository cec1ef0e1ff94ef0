/* Every pair of accesses has a reason.
 *
 * The accesses are enumerated anew: every thread, every context that it comes to, every claimed
 * state, every edge. Accesses of one object are cut into classes that agree in all that the
 * rules look at; each pair of classes must be excluded by one of these arguments:
 *
 *   bytes    they never touch the same byte, or both only read
 *   atomic   both are atomic, or both are made by the library under the object's own lock
 *   ordered  create and join (proof_thread.c), or a one-time initialiser: what it does happens
 *            before what comes after it, and it runs only once
 *   own      an object that only one thread ever knows (proof_share.c); a variable of this
 *            thread's frames that no other thread is told of; one that nobody else knows yet
 *            (pointers travel only in ways that order); what this thread alone was given
 *            (proof_array.c)
 *   guarded  both hold the same lock, not both for reading, or are in atomic sections */
#include "proof/proof_internal.h"

#include <assert.h>
#include <stdlib.h>

typedef struct {
  uint32_t thread, state;
  EdgeId edge;
  uint32_t flags, size, offset;
  AObject object;
  bool exact;           /* address.offset is the offset in the object */
  const ByteSet *bytes; /* what it may touch */
  bool open;            /* nobody claims that accesses to these bytes do not race */
  bool handed;          /* its element was given to a thread in this round */
  uint32_t round;       /* the joining loop whose join came before: see proof_array.c */
  Val address;
} Record;

typedef struct {
  VEC(Record) records;
  Map seen; /* hash to index + 1 */
  World world;
  AccessVec accesses;
  uint32_t thread, context, state;
  EdgeId edge;
} Pairs;

/* ---- the accesses ---- */

static uint64_t mix(uint64_t h, uint64_t x) {
  return (h ^ x) * UINT64_C(0x9e3779b97f4a7c15) + (h >> 29);
}

static uint64_t hash_val(uint64_t h, const Val *v) {
  h = mix(mix(h, v->base), v->index);
  return mix(mix(h, (uint64_t)v->stride), (uint64_t)v->offset);
}

static bool is_accepted(const Proof *p, EdgeId e) {
  return map_get(p->accepted, e) != NULL;
}

static bool same_locks(const Proof *p, const CertState *x, const CertState *y) {
  if (x->lock_count != y->lock_count) return false;
  for (uint32_t i = 0; i < x->lock_count; i++) {
    const CertLock *a = &p->c->locks.data[x->first_lock + i];
    const CertLock *b = &p->c->locks.data[y->first_lock + i];
    if (!val_equal(&a->name, &b->name) || a->kind != b->kind || a->mode != b->mode)
      return false;
  }
  return true;
}

static bool is_fresh(const Proof *p, const Record *r) {
  const CertState *s = &p->c->states.data[r->state];
  for (uint32_t i = 0; r->address.known && i < s->fresh_count; i++)
    if (r->address.base == (p->c->numbers.data[s->first_fresh + i] << 1 | 1)) return true;
  return false;
}

static bool same_class(const Proof *p, const Record *x, const Record *y) {
  const CertState *a = &p->c->states.data[x->state], *b = &p->c->states.data[y->state];
  bool same_address =
      (!x->address.known && !y->address.known) || val_equal(&x->address, &y->address);
  return x->thread == y->thread && x->flags == y->flags && x->size == y->size &&
         x->offset == y->offset && x->object == y->object && x->exact == y->exact &&
         program_edge(p->p, x->edge)->op == program_edge(p->p, y->edge)->op &&
         x->bytes == y->bytes && x->handed == y->handed && x->round == y->round &&
         same_address && a->alive == b->alive && a->done == b->done &&
         a->inside == b->inside && !a->section == !b->section && same_locks(p, a, b) &&
         is_fresh(p, x) == is_fresh(p, y) &&
         is_accepted(p, x->edge) == is_accepted(p, y->edge);
}

/* The element of this round was given to a thread already. */
static bool is_handed(const Proof *p, uint32_t state, uint32_t index) {
  const CertState *s = &p->c->states.data[state];
  for (uint32_t i = 0; i < s->handed_count; i++)
    if (p->c->numbers.data[s->first_handed + i] == index) return true;
  return false;
}

static uint64_t hash_record(const Proof *p, const Record *r) {
  const CertState *s = &p->c->states.data[r->state];
  uint64_t h = mix(mix(r->thread, r->object), mix(r->flags, r->offset));
  h = mix(mix(h, r->size), mix(s->alive, s->done));
  h = mix(h, r->round * 2 + r->handed);
  h = hash_val(mix(h, s->lock_count), &r->address);
  for (uint32_t i = 0; i < s->lock_count; i++)
    h = hash_val(h, &p->c->locks.data[s->first_lock + i].name);
  return h;
}

/* Points-to errs towards more: constants cannot be written, and only what was allocated can be
 * freed. What tries has no defined meaning. */
static bool is_impossible(const Proof *p, const Access *a, AObject object) {
  if (!(a->flags & ACCESS_WRITE) || !object || object >= pointsto_object_count(p->pt))
    return false;
  const Object *o = &p->p->objects.data[pointsto_object(p->pt, object)];
  bool fixed =
      o->kind == OBJECT_STACK || o->kind == OBJECT_GLOBAL || o->kind == OBJECT_TLS;
  return (o->flags & OBJECT_CONSTANT) || ((a->flags & ACCESS_FREE) && fixed);
}

/* The first range of the object that is open, or the number of all. */
static uint32_t first_open_range(const Proof *p, AObject object) {
  uint32_t low = 0, high = p->open_range_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (p->open_ranges[middle].object < object)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool has_open_range(const Proof *p, AObject object) {
  uint32_t i = first_open_range(p, object);
  return i < p->open_range_count && p->open_ranges[i].object == object;
}

/* Nobody claims that accesses to what it touches do not race. */
static bool is_open(const Proof *p, const Record *r) {
  if (p->open && r->object < pointsto_object_count(p->pt) &&
      p->open[pointsto_object(p->pt, r->object)])
    return true;
  bool part = r->size && !(r->flags & ACCESS_FREE);
  for (uint32_t i = first_open_range(p, r->object); i < p->open_range_count; i++) {
    const ProofRange *x = &p->open_ranges[i];
    if (x->object != r->object) break;
    if (byte_set_is_within(part ? r->bytes : NULL, x->from, x->to)) return true;
  }
  return false;
}

static bool is_shared_state(const CertState *s) {
  return s->in_thread || s->alive;
}

/* A new object's lock is made before anybody else knows it. */
static void note_remade(Proof *p, const Record *r) {
  const CertState *s = &p->c->states.data[r->state];
  if (!is_shared_state(s) || (is_fresh(p, r) && !p->weak_publication)) return;
  Remade m = {.object = r->object, .thread = r->thread, .alive = s->alive};
  vec_push(&p->remade, m);
}

static void add_record(Proof *p, const Access *a, AObject object, uint32_t offset,
                       const Val *address, void *data) {
  Pairs *x = data;
  if (object_is_confined(p, object) || is_impossible(p, a, object) ||
      (address && !parameter_may_be(p, x->context, address, object)))
    return;
  Record r = {.thread = x->thread,
              .state = x->state,
              .edge = x->edge,
              .flags = a->flags,
              .size = a->size,
              .offset = offset,
              .object = object,
              .address = address ? *address : val_unknown()};
  r.exact =
      r.address.known && r.address.base && !(r.address.base & 1) && !r.address.index;
  r.bytes = bytes_touched(p, object, offset, &r.address, r.size);
  r.open = is_open(p, &r);
  if (r.address.known && r.address.index) {
    r.handed = is_handed(p, r.state, r.address.index);
    r.round = round_of_join(p, r.edge, r.address.index);
  }
  p->result->accesses++;
  if ((a->flags & (ACCESS_LOCK_INIT | ACCESS_EVENT)) == ACCESS_LOCK_INIT)
    note_remade(p, &r);
  uint64_t key = hash_record(p, &r);
  for (int probe = 0; probe < 16; probe++, key = key * 31 + 7) {
    uint64_t *slot = map_at(&x->seen, key);
    if (!*slot) {
      vec_push(&x->records, r);
      *slot = x->records.len;
      return;
    }
    if (same_class(p, &x->records.data[*slot - 1], &r)) return;
  }
  vec_push(&x->records, r);
}

static void record_step(Proof *p, uint32_t context, uint32_t state, EdgeId e,
                        void *data) {
  Pairs *x = data;
  x->context = context;
  edge_accesses(p, e, &x->accesses);
  if (!x->accesses.len) return;
  world_load(p, &x->world, state);
  x->state = state;
  x->edge = e;
  for (uint32_t i = 0; i < x->accesses.len; i++)
    visit_targets(p, &x->world, &x->accesses.data[i], add_record, x);
}

/* ---- own memory ---- */

static bool is_own_variable(const Proof *p, const Record *r) {
  if (!r->address.known || !r->address.base || (r->address.base & 1)) return false;
  ObjectId o = r->address.base >> 1;
  uint8_t kind = p->p->objects.data[o].kind;
  return (kind == OBJECT_TLS || kind == OBJECT_STACK) && !p->told[o];
}

static bool is_argument(const Proof *p, uint32_t symbol) {
  return symbol && symbol < p->c->symbols.len &&
         p->c->symbols.data[symbol].kind == CERT_ARGUMENT;
}

/* The access stays within what the thread was given: the argument's object if that is new, or
 * the element that begins there. */
static bool within_own(const Proof *p, const Record *r) {
  const Own *own = &p->own.data[r->thread];
  const Val *v = &r->address;
  if (!v->known || !(v->base & 1) || v->index || !is_argument(p, v->base >> 1))
    return false;
  if (own->kind == OWN_FRESH) return true;
  return own->kind == OWN_ELEMENT && r->size && v->offset >= 0 &&
         v->offset + (int64_t)r->size <= own->argument.stride &&
         !(r->flags & ACCESS_FREE);
}

/* In one array; if their indices differ, they do not meet. */
static bool in_one_element(const Record *a, const Record *b) {
  const Val *x = &a->address, *y = &b->address;
  if (!x->known || !y->known || !x->base || x->base != y->base || (x->base & 1) ||
      x->stride != y->stride || ((a->flags | b->flags) & ACCESS_FREE))
    return false;
  int64_t stride = x->stride < 0 ? -x->stride : x->stride, d = x->offset - y->offset;
  int64_t low = d < 0 ? x->offset : y->offset;
  int64_t end_x = x->offset - low + a->size, end_y = y->offset - low + b->size;
  return a->size && b->size && end_x <= stride && end_y <= stride;
}

/* Both in elements that are numbered by the threads' own numbers. */
static bool by_own_numbers(const Proof *p, const Record *a, const Record *b) {
  return p->own.data[a->thread].kind == OWN_COUNTER && in_one_element(a, b) &&
         is_argument(p, a->address.index) && is_argument(p, b->address.index);
}

/* If a's index is the number of b's thread, and only then, they may meet: a is in an element
 * of those of which b's thread was given its own, where it stays; … */
static bool of_given_element(const Proof *p, const Record *a, const Record *b) {
  const Own *own = &p->own.data[b->thread];
  const Val *v = &a->address;
  if (own->kind != OWN_ELEMENT || !within_own(p, b) || !v->known || !v->index ||
      !a->size || (a->flags & ACCESS_FREE) || v->base != own->argument.base ||
      v->stride != own->argument.stride)
    return false;
  int64_t at = v->offset - own->argument.offset;
  return at >= 0 && at + (int64_t)a->size <= v->stride;
}

/* … or b's thread was given its number, and finds the element by it. */
static bool of_numbered_element(const Proof *p, const Record *a, const Record *b) {
  const Own *own = &p->own.data[b->thread];
  return own->kind == OWN_COUNTER && !own->argument.offset && a->address.known &&
         a->address.index && is_argument(p, b->address.index) && in_one_element(a, b);
}

/* The creator prepares the element of this round, before it hands it over: the threads that
 * there are have others. */
static bool before_hand_over(const Proof *p, const Record *a, const Record *b) {
  const Own *own = &p->own.data[b->thread];
  if (!of_given_element(p, a, b) || a->handed || a->address.index >= p->c->symbols.len)
    return false; /* or the index is a value without a name in the certificate */
  const CertSymbol *i = &p->c->symbols.data[a->address.index];
  return i->kind == CERT_PHI && i->a == own->head && i->b == own->counter;
}

/* The creator uses the element of this round, behind the join of the thread that had it. */
static bool after_join(Proof *p, const Record *a, const Record *b) {
  ObjectId object;
  return a->round && single_object_at(p, &a->address, &object) &&
         (of_given_element(p, a, b) || of_numbered_element(p, a, b)) &&
         round_joins(p, a->round, b->thread);
}

static bool own_memory(Proof *p, const Record *a, const Record *b) {
  if (!p->weak_publication && (is_fresh(p, a) || is_fresh(p, b))) return true;
  if (before_hand_over(p, a, b) || before_hand_over(p, b, a) || after_join(p, a, b) ||
      after_join(p, b, a))
    return true;
  if (a->thread == b->thread &&
      ((within_own(p, a) && within_own(p, b)) || by_own_numbers(p, a, b)))
    return true;
  return is_own_variable(p, a) && is_own_variable(p, b);
}

/* ---- locks ---- */

/* The name means the same for every thread: a single object, or the fixed content of a cell. */
static bool is_global_name(Proof *p, const Val *name, const CertState *s) {
  if (!name->known || name->index) return false;
  if (!(name->base & 1)) return name->base && object_is_single(p, name->base >> 1);
  assert(name->base >> 1 < p->c->symbols.len);
  return p->c->symbols.data[name->base >> 1].kind == CERT_CELL && is_shared_state(s);
}

/* Its offset in the object that it is known to be in is a multiple of its size. */
static bool is_aligned(const Record *r) {
  const Val *v = &r->address;
  return v->known && v->base && !(v->base & 1) && v->offset % (int64_t)r->size == 0 &&
         (!v->index || v->stride % (int64_t)r->size == 0);
}

/* If the two meet at all, their addresses are equal: equal, natural sizes, at places that are multiples of
 * the size apart. */
static bool meet_as_a_whole(const Proof *p, const Record *a, const Record *b) {
  if (!a->size || a->size != b->size || a->size > 16 || (a->size & (a->size - 1)))
    return false;
  if (is_aligned(a) && is_aligned(b) && a->address.base == b->address.base) return true;
  return a->offset == b->offset && place_holds_whole(p, a->object, a->offset, a->size);
}

/* The lock is at a constant distance from the accessed address. */
static bool distance(Proof *p, const Record *r, const Val *lock, int64_t *ret) {
  const Val *v = &r->address;
  if (!v->known || !lock->known || !v->base || !names_one(p, v) ||
      v->base != lock->base || v->index != lock->index ||
      (v->index && v->stride != lock->stride))
    return false;
  *ret = lock->offset - v->offset;
  return true;
}

/* Accesses at O + i·s + d under the lock L + i·t + c: where they meet, i is the same. */
static bool same_row(Proof *p, const Record *a, const Val *x, const Record *b,
                     const Val *y) {
  const Val *v = &a->address, *u = &b->address;
  if (!v->known || !u->known || !v->base || v->base != u->base || (v->base & 1) ||
      x->base != y->base || !x->base || (x->base & 1) ||
      !object_is_single(p, x->base >> 1))
    return false;
  if (v->index && u->index)
    return v->index == x->index && u->index == y->index && v->stride &&
           v->stride == u->stride && v->offset == u->offset && x->stride == y->stride &&
           x->offset == y->offset;
  const Record *row = v->index ? a : b, *one = v->index ? b : a;
  const Val *any = v->index ? x : y, *fixed = v->index ? y : x;
  if (!row->address.index || row->address.index != any->index || !row->address.stride ||
      fixed->index)
    return false;
  int64_t d = one->address.offset - row->address.offset;
  return d % row->address.stride == 0 &&
         fixed->offset == any->offset + d / row->address.stride * any->stride;
}

/* See proof_lock.c. */
static bool keeps_out(Proof *p, const Record *r, const CertLock *lock) {
  return !lock_is_loose(p, lock, r->object) &&
         !lock_is_remade(p, &lock->name, r->object, r->thread,
                         p->c->states.data[r->state].alive);
}

static bool guarded(Proof *p, const Record *a, const Record *b) {
  const CertState *s = &p->c->states.data[a->state], *t = &p->c->states.data[b->state];
  if (s->section && t->section) return true;
  for (uint32_t i = 0; i < s->lock_count; i++)
    for (uint32_t k = 0; k < t->lock_count; k++) {
      const CertLock *x = &p->c->locks.data[s->first_lock + i];
      const CertLock *y = &p->c->locks.data[t->first_lock + k];
      if (x->kind != y->kind || (x->mode == MODE_SHARED && y->mode == MODE_SHARED))
        continue;
      if (!keeps_out(p, a, x) || !keeps_out(p, b, y)) continue;
      if (val_equal(&x->name, &y->name) && is_global_name(p, &x->name, s) &&
          is_global_name(p, &y->name, t))
        return true;
      int64_t dx, dy;
      if (!meet_as_a_whole(p, a, b)) continue;
      if (distance(p, a, &x->name, &dx) && distance(p, b, &y->name, &dy) && dx == dy)
        return true;
      if (same_row(p, a, &x->name, b, &y->name)) return true;
    }
  return false;
}

/* ---- one pair ---- */

static bool bytes_meet(const Record *a, const Record *b) {
  if (((a->flags | b->flags) & ACCESS_FREE) || !a->size || !b->size) return true;
  if (!a->exact || !b->exact) return byte_sets_meet(a->bytes, b->bytes);
  int64_t x = a->address.offset, y = b->address.offset;
  return x < y + (int64_t)b->size && y < x + (int64_t)a->size;
}

static bool sets_meet(const Proof *p, uint32_t x, uint32_t y) {
  const CertSet *s = &p->c->sets.data[x];
  for (uint32_t i = 0; i < s->count; i++)
    if (certificate_set_has(p->c, y, p->c->numbers.data[s->first + i])) return true;
  return false;
}

static bool ordered(Proof *p, const Record *a, const Record *b) {
  const CertState *s = &p->c->states.data[a->state], *t = &p->c->states.data[b->state];
  if (!may_be_parallel(p, a->thread, s->alive, b->thread, t->alive)) return true;
  return sets_meet(p, s->inside, t->done) || sets_meet(p, t->inside, s->done) ||
         sets_meet(p, s->inside, t->inside);
}

/* The library may do the one while the other happens, whatever the order of the calls. */
static bool meets_later(const Proof *p, const Record *later, const Record *other) {
  const CertState *s = &p->c->states.data[other->state];
  return (later->flags & ACCESS_LATER) &&
         !(other->flags & (ACCESS_LATER | ACCESS_SYNCED)) &&
         ((later->flags | other->flags) & ACCESS_WRITE) &&
         (other->thread || s->alive || (later->flags & ACCESS_BESIDE));
}

/* The thread of b, or one that creates it, is created by the edge of a, which stores its id:
 * that may come after anything that the thread does. */
static bool creates_other(const Proof *p, const Record *a, const Record *b) {
  if (program_edge(p->p, a->edge)->op != OP_CREATE) return false;
  for (uint32_t k = 1; k < p->c->threads.len; k++)
    if (p->c->threads.data[k].site == a->edge &&
        (k == b->thread || p->descends[(size_t)k * p->c->threads.len + b->thread]))
      return true;
  return false;
}

/* The write makes the lock anew: that it is guarded does not help (see proof_lock.c, 2). */
static bool makes_free(const Proof *p, const Record *r) {
  const Edge *e = program_edge(p->p, r->edge);
  return (r->flags & ACCESS_LOCK_INIT) ||
         ((e->op == OP_COPY || e->op == OP_FILL) && r->exact);
}

/* One uses a lock, the other one ends its life or makes it free. */
static bool keeps_lock(Proof *p, const Record *use, const Record *other) {
  assert(use->flags & ACCESS_LOCK_USE);
  if (!(other->flags & (ACCESS_RENEWS | ACCESS_WRITE)) || !bytes_meet(use, other))
    return true;
  return ordered(p, use, other) || own_memory(p, use, other) ||
         (!makes_free(p, other) && guarded(p, use, other));
}

/* Both make, end or overwrite an object of synchronisation. */
static bool renew_apart(Proof *p, const Record *a, const Record *b) {
  const uint32_t changes = ACCESS_RENEWS | ACCESS_WRITE;
  if (!(a->flags & changes) || !(b->flags & changes) || !bytes_meet(a, b)) return true;
  return ordered(p, a, b) || own_memory(p, a, b) || guarded(p, a, b);
}

static bool excluded(Proof *p, const Record *a, const Record *b) {
  p->result->pairs++;
  if (a->flags & ACCESS_LOCK_USE) return keeps_lock(p, a, b);
  if (b->flags & ACCESS_LOCK_USE) return keeps_lock(p, b, a);
  if ((a->flags | b->flags) & ACCESS_LOCK) return renew_apart(p, a, b);
  if (a->open || b->open) return true;
  if (meets_later(p, a, b) || meets_later(p, b, a)) return false;
  if (!((a->flags | b->flags) & ACCESS_WRITE) || !bytes_meet(a, b)) return true;
  if ((a->flags & b->flags & (ACCESS_ATOMIC | ACCESS_SYNCED)) &&
      !((a->flags | b->flags) & ACCESS_FREE))
    return true;
  if (is_accepted(p, a->edge) || is_accepted(p, b->edge)) return true;
  if (creates_other(p, a, b) || creates_other(p, b, a)) return guarded(p, a, b);
  return ordered(p, a, b) || own_memory(p, a, b) || guarded(p, a, b);
}

/* ---- all of them ---- */

#define REFUSED_PAIR                                                                     \
  "nothing keeps the access to %s apart from the one in line %u (threads %u, %u)"

static int by_object(const void *x, const void *y) {
  const Record *a = x, *b = y;
  return a->object < b->object ? -1 : a->object > b->object;
}

static void doubt(Proof *p, ObjectId object) {
  if (!p->doubted) p->doubted = arena_alloc_zero(p->arena, p->p->objects.len + 1);
  p->doubted[object] = 1;
}

/* A race of data is the concern of its object; with a lock that is not kept, all that it guards is in
 * doubt. Where something of the object is open, the pair may be one of that. */
static void refuse_pair(Proof *p, const Record *a, const Record *b) {
  ObjectId o =
      a->object < pointsto_object_count(p->pt) ? pointsto_object(p->pt, a->object) : 0;
  const char *name = o ? sym_text(p->p, p->p->objects.data[o].name) : "memory";
  uint32_t line = p->p->locs.data[program_edge(p->p, b->edge)->loc].line;
  bool data = o && !((a->flags | b->flags) & ACCESS_LOCK);
  if (data && has_open_range(p, a->object))
    doubt(p, o);
  else if (data)
    refuse(p, o, a->edge, REFUSED_PAIR, name, line, a->thread, b->thread);
  else
    reject(p, a->edge, REFUSED_PAIR, name, line, a->thread, b->thread);
}

static void check_object(Proof *p, const Record *r, uint32_t count) {
  assert(count && r[0].object == r[count - 1].object);
  bool writes = false, refused = false;
  for (uint32_t i = 0; i < count; i++)
    writes = writes || (r[i].flags & (ACCESS_WRITE | ACCESS_RENEWS));
  for (uint32_t i = 0; writes && i < count && !is_stopped(p); i++)
    for (uint32_t k = i; k < count; k++) {
      bool lock = (r[i].flags | r[k].flags) & ACCESS_LOCK;
      if ((refused && !lock) || excluded(p, &r[i], &r[k])) continue;
      refuse_pair(p, &r[i], &r[k]);
      if (lock) return;
      refused = true; /* once is enough, but locks are to be looked at */
    }
}

static void check_outside(Proof *p, const Record *r) {
  const CertState *s = &p->c->states.data[r->state];
  if (is_shared_state(s) && !r->open && !(r->flags & (ACCESS_SYNCED | ACCESS_LOCK_USE)))
    reject(p, r->edge, "memory of unknown origin is accessed");
}

static bool is_destructor(const Proof *p, FuncId f) {
  for (uint32_t i = 1; i < p->p->destructors.len; i++)
    if (p->p->destructors.data[i].function == f) return true;
  return false;
}

/* Destructors run in the thread that ends the program, beside all others. */
static bool may_end_program(const Proof *p, uint32_t thread) {
  const uint8_t *runs = p->runs_in + (size_t)thread * p->p->functions.len;
  for (FuncId f = 1; f < p->p->functions.len && p->p->destructors.len > 1; f++) {
    const Function *x = &p->p->functions.data[f];
    for (uint32_t i = 0; runs[f] && i < x->edge_count; i++) {
      const Edge *e = program_edge(p->p, x->first_edge + i);
      if (e->op == OP_EXIT && !(e->flags & (EDGE_ABORT | EDGE_QUICK))) return true;
    }
  }
  return false;
}

void contexts_of_thread(Proof *p, uint32_t thread, uint8_t *ret_runs) {
  const CertThread *t = &p->c->threads.data[thread];
  VEC(uint32_t) stack = {0};
  memset(ret_runs, 0, p->c->contexts.len);
  for (uint32_t i = 0; i < t->entry_count; i++)
    vec_push(&stack, p->c->numbers.data[t->first_entry + i]);
  bool ends = thread && may_end_program(p, thread);
  for (uint32_t i = 0; ends && i < p->c->contexts.len; i++)
    if (is_destructor(p, p->c->contexts.data[i].function)) vec_push(&stack, i);
  while (stack.len) {
    uint32_t c = vec_pop(&stack);
    if (ret_runs[c]) continue;
    ret_runs[c] = 1;
    for (uint32_t i = 0; i < p->links.data[c].callees.len; i++)
      vec_push(&stack, p->links.data[c].callees.data[i]);
  }
  vec_free(&stack);
}

void check_pairs(Proof *p) {
  Pairs x = {0};
  uint8_t *runs = mem_alloc_zero(p->c->contexts.len + 1);
  for (x.thread = 0; x.thread < p->c->threads.len; x.thread++) {
    contexts_of_thread(p, x.thread, runs);
    for (uint32_t c = 0; c < p->c->contexts.len && !is_stopped(p); c++)
      if (runs[c]) visit_context(p, c, record_step, &x);
    p->threads_examined++;
  }
  qsort(x.records.data, x.records.len, sizeof *x.records.data, by_object);
  p->records_left = x.records.len;
  for (uint32_t from = 0, to; from < x.records.len && !is_stopped(p); from = to) {
    for (to = from + 1;
         to < x.records.len && x.records.data[to].object == x.records.data[from].object;
         to++) {
    }
    if (x.records.data[from].object != AOBJECT_UNKNOWN)
      check_object(p, &x.records.data[from], to - from);
    else
      for (uint32_t i = from; i < to; i++) check_outside(p, &x.records.data[i]);
    p->records_left -= to - from;
  }
  assert(p->result->stopped || !p->records_left);
  vec_free(&x.records);
  vec_free(&x.accesses);
  map_free(&x.seen);
  world_free(&x.world);
  mem_free(runs);
}
