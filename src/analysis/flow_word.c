/* Atomic words that serve as locks (model/word.h), as the locks of a state.
 *
 * A word is held from the step that found it 0 and took it to the step that frees it. It keeps others out if each
 * write to it is one that takes it, or one that frees it by who holds it: then in the word's modification order
 * every taking reads the freeing before it, which was po-after its own taking. A word for which this
 * is not so in some state of some thread is loose: it guards nothing. While no other thread runs, and in an
 * object that nobody else knows yet, a word may be written as its owner likes. The end of an object's life
 * conflicts with every use of its words as with any other access, and needs no rule of its own. */
#include "analysis/flow_internal.h"

#include "analysis/touch.h"
#include "model/op_access.h"
#include "model/word.h"

typedef enum {
  ROLE_NONE,
  ROLE_USES,   /* takes or frees a word, or spoils it: that depends on values */
  ROLE_SPOILS, /* writes a word in another way, or may do so */
} WordRole;

/* ---- which words ---- */

static void add_word(Analyzer *a, const Target *t, uint32_t size) {
  PlaceExtent extent = pointsto_extent(a->pt, t->object, t->offset, size, false);
  WordPlace new = {.key = touch_key(a->p, a->pt, t->object),
                   .offset = t->offset,
                   .size = size,
                   .from = extent.from,
                   .to = extent.to};
  new.varies = new.key >= a->p->objects.len || !word_begins_free(a->p, new.key);
  uint64_t *slot = map_at(&a->words_of, new.key);
  for (uint32_t i = (uint32_t)*slot; i; i = a->words.data[i - 1].next)
    if (a->words.data[i - 1].offset == new.offset && a->words.data[i - 1].size == size)
      return;
  new.next = (uint32_t)*slot;
  vec_push(&a->words, new);
  *slot = a->words.len;
}

static void find_word(Analyzer *a, EdgeId e) {
  const Edge *edge = program_edge(a->p, e);
  if (!word_may_be_taken(edge)) return;
  Targets t = pointsto_expr(a->pt, edge->a);
  for (uint32_t i = 0; i < t.count && !t.unknown; i++)
    if (!t.targets[i].function) add_word(a, &t.targets[i], edge->size);
}

/* ---- what edges do to them ---- */

typedef struct {
  Analyzer *a;
  const Edge *edge;
  bool meets;   /* it may write to some word */
  bool differs; /* … other bytes than the word's */
} Meeting;

/* How the word is when it is taken. */
static void note_value(const Meeting *m, WordPlace *word) {
  uint64_t value;
  bool use = word_may_be_taken(m->edge) || word_may_be_freed(m->edge);
  if (!use || !word_written(m->a->p, m->edge, &value) ||
      (value && word->taken && value != word->taken))
    word->varies = true;
  else if (value)
    word->taken = value;
}

static void meet_word(Meeting *m, WordPlace *word, const Touch *touch) {
  if (touch->kind & (TOUCH_NEW | TOUCH_END)) return;
  if (touch->offset == word->offset && touch->size == word->size &&
      touch->offset != OFFSET_ANY) {
    m->meets = true;
    note_value(m, word);
    return;
  }
  bool all = touch->offset == OFFSET_ANY || !touch->size || word->offset == OFFSET_ANY ||
             word->key >= m->a->p->objects.len;
  PlaceExtent x =
      all ? (PlaceExtent){0}
          : pointsto_extent(m->a->pt, word->key, touch->offset, touch->size, false);
  if (all || (x.from < word->to && word->from < x.to))
    m->meets = m->differs = word->varies = true;
}

/* Memory of unknown origin may be this object. */
static bool is_known_outside(const Analyzer *a, uint32_t key) {
  if (key >= a->p->objects.len) return true;
  uint8_t kind = a->p->objects.data[key].kind;
  return (kind != OBJECT_GLOBAL && kind != OBJECT_STACK) || pointsto_escapes(a->pt, key);
}

static void meet_words(void *user, const Touch *touch) {
  Meeting *m = user;
  if (!(touch->kind & TOUCH_WRITE)) return;
  for (uint32_t i = 0; i < m->a->words.len && !touch->key; i++)
    if (is_known_outside(m->a, m->a->words.data[i].key))
      meet_word(m, &m->a->words.data[i], touch);
  for (uint64_t i = touch->key ? map_find(&m->a->words_of, touch->key, 0) : 0; i;
       i = m->a->words.data[i - 1].next)
    meet_word(m, &m->a->words.data[i - 1], touch);
}

static WordRole role_of(Analyzer *a, EdgeId e) {
  const Edge *edge = program_edge(a->p, e);
  if (!op_may_write((OpKind)edge->op) && !op_has(edge->op, OP_CALLS)) return ROLE_NONE;
  Meeting m = {.a = a, .edge = edge};
  touch_visit(a->p, a->pt, e, meet_words, &m);
  if (!m.meets) return ROLE_NONE;
  bool uses = word_may_be_taken(edge) || word_may_be_freed(edge);
  return uses && !m.differs && !pointsto_expr(a->pt, edge->a).unknown ? ROLE_USES
                                                                      : ROLE_SPOILS;
}

void flow_words_prepare(Analyzer *a) {
  for (EdgeId e = 1; e < a->p->edges.len; e++)
    if (pointsto_is_reachable(a->pt,
                              a->p->nodes.data[program_edge(a->p, e)->from].function))
      find_word(a, e);
  if (!a->words.len) return;
  a->word_roles = arena_alloc_zero(a->arena, a->p->edges.len);
  for (EdgeId e = 1; e < a->p->edges.len; e++) a->word_roles[e] = (uint8_t)role_of(a, e);
}

static WordRole role(const Analyzer *a, EdgeId e) {
  return a->word_roles ? (WordRole)a->word_roles[e] : ROLE_NONE;
}

static WordUse use_of(Analyzer *a, EdgeId e, const Work *w) {
  const Edge *edge = program_edge(a->p, e);
  if (role(a, e) != ROLE_USES) return WORD_NO_USE;
  FlowValue b = value_of_expr(a, w, edge->b);
  FlowValue c = edge->op == OP_CMPXCHG ? value_of_expr(a, w, edge->c) : value_unknown();
  int64_t x, y;
  return word_use(edge, value_is_number(&b, &x) ? &x : NULL,
                  value_is_number(&c, &y) ? &y : NULL);
}

bool word_is_taken(Analyzer *a, EdgeId e, const Work *w) {
  return use_of(a, e, w) == WORD_TAKES;
}

bool words_are_freed_in(const Analyzer *a, const Function *f) {
  for (uint32_t i = 0; i < f->edge_count; i++)
    if (role(a, f->first_edge + i)) return true;
  return false;
}

bool work_holds_locks(const Work *w) {
  for (uint32_t i = 0; i < w->locks.len; i++)
    if (w->locks.data[i].kind != LOCK_WORD) return true;
  return false;
}

/* ---- states ---- */

static FlowLock word_of(Analyzer *a, const Work *w, const Edge *edge) {
  FlowLock lock = lock_of(a, w, edge, edge->a);
  lock.kind = LOCK_WORD;
  lock.mode = MODE_EXCLUSIVE;
  return lock;
}

static uint32_t find_held(const Work *w, const FlowLock *lock) {
  for (uint32_t i = 0; i < w->locks.len && lock->name.known; i++)
    if (w->locks.data[i].kind == LOCK_WORD &&
        value_equal(&w->locks.data[i].name, &lock->name))
      return i + 1;
  return 0;
}

static FlowValue result_symbol(Analyzer *a, EdgeId e, uint32_t second) {
  return value_symbol(a, (Symbol){.kind = SYMBOL_EDGE, .a = e, .b = second});
}

/* What somebody finds who cannot take it: the value that it has when it is taken, if that is always the same. */
static FlowValue found_taken(Analyzer *a, EdgeId e) {
  const Edge *edge = program_edge(a->p, e);
  Targets t = pointsto_expr(a->pt, edge->a);
  FlowValue any = result_symbol(a, e, 0);
  uint64_t taken = 0;
  any.nonzero = edge->op == OP_RMW; /* a weak exchange fails without a reason */
  for (uint32_t i = 0; i < t.count; i++) {
    uint64_t word =
        t.targets[i].function
            ? 0
            : map_find(&a->words_of, touch_key(a->p, a->pt, t.targets[i].object), 0);
    for (; word; word = a->words.data[word - 1].next) {
      const WordPlace *x = &a->words.data[word - 1];
      if (x->varies || (taken && taken != x->taken)) return any;
      taken = x->taken;
    }
  }
  return any.nonzero && taken ? value_number((int64_t)taken) : any;
}

void word_take(Analyzer *a, uint32_t context, EdgeId e, Work *w) {
  const Edge *edge = program_edge(a->p, e);
  FlowLock lock = word_of(a, w, edge);
  bool named = lock.name.known && !value_mentions(a, &lock.name, SYMBOL_EDGE, e);
  work_purge(a, w, SYMBOL_EDGE, e);
  Work failed = {0};
  work_copy(&failed, w);
  if (edge->dst) work_bind(&failed, edge->dst, found_taken(a, e));
  if (edge->dst2) work_bind(&failed, edge->dst2, value_number(0));
  node_merge(a, context, edge->to, &failed);
  work_free(&failed);
  if (named && !find_held(w, &lock)) work_add_lock(w, lock);
  if (edge->dst) work_bind(w, edge->dst, value_number(0));
  if (edge->dst2) work_bind(w, edge->dst2, value_number(1));
  node_merge(a, context, edge->to, w);
}

/* What the operation writes is at its first operand. False: somewhere, or nobody knows where. */
static bool writes_at(Analyzer *a, const Edge *edge, Targets *ret) {
  *ret = pointsto_expr(a->pt, edge->a);
  return (edge->op == OP_STORE || edge->op == OP_RMW || edge->op == OP_CMPXCHG) &&
         !ret->unknown && ret->count;
}

/* The object of a held word is none that the operation has an address in. */
static bool is_elsewhere(Analyzer *a, const Edge *edge, const FlowLock *held) {
  Targets t;
  if (!held->unique || !writes_at(a, edge, &t)) return false;
  for (uint32_t i = 0; i < t.count; i++)
    if (!t.targets[i].function &&
        pointsto_object(a->pt, t.targets[i].object) == flow_base_id(held->name.base))
      return false;
  return true;
}

void words_overwrite(Analyzer *a, EdgeId e, Work *w) {
  WordUse use = use_of(a, e, w);
  if (!role(a, e) || use == WORD_TAKES) return;
  const Edge *edge = program_edge(a->p, e);
  if (use == WORD_FREES) {
    FlowLock lock = word_of(a, w, edge);
    uint32_t at = find_held(w, &lock);
    if (at) {
      memmove(&w->locks.data[at - 1], &w->locks.data[at],
              (--w->locks.len - (at - 1)) * sizeof *w->locks.data);
      return;
    }
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < w->locks.len; i++)
    if (w->locks.data[i].kind != LOCK_WORD || is_elsewhere(a, edge, &w->locks.data[i]))
      w->locks.data[kept++] = w->locks.data[i];
  w->locks.len = kept;
}

/* ---- loose words ---- */

static void add_loose(Flow *flow, ObjectId object, uint32_t offset) {
  for (uint32_t i = 0; i < flow->loose_words.len; i++)
    if (flow->loose_words.data[i].object == object &&
        flow->loose_words.data[i].offset == offset)
      return;
  vec_push(&flow->loose_words, ((FlowWord){object, offset}));
}

/* Nobody else knows the object yet. */
static bool is_in_fresh(Analyzer *a, const Work *w, const Edge *edge) {
  FlowValue v = value_of_expr(a, w, edge->a);
  return !a->weak_publication && v.known && flow_is_symbol(v.base) &&
         work_is_fresh(w, flow_base_id(v.base));
}

static void find_loose(Analyzer *a, uint32_t context, EdgeId e, const Work *w,
                       void *data) {
  (void)context, (void)data;
  WordUse use = use_of(a, e, w);
  if (!role(a, e) || use == WORD_TAKES || !work_is_shared_time(w)) return;
  const Edge *edge = program_edge(a->p, e);
  Targets t;
  if (!writes_at(a, edge, &t)) {
    a->flow->all_words_loose = true;
    return;
  }
  FlowLock lock = word_of(a, w, edge);
  bool frees = use == WORD_FREES;
  if ((frees && find_held(w, &lock)) || is_in_fresh(a, w, edge)) return;
  for (uint32_t i = 0; i < t.count; i++)
    if (!t.targets[i].function)
      add_loose(a->flow, pointsto_object(a->pt, t.targets[i].object),
                frees ? t.targets[i].offset : OFFSET_ANY);
}

void words_find_loose(Analyzer *a) {
  for (uint32_t i = 0; i < a->contexts.len && a->words.len; i++)
    if (a->contexts.data[i].function) visit_states(a, i, find_loose, NULL);
}
