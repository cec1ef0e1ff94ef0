/* What a lock must not suffer, so that holding it keeps others out.
 *
 * 1. A thread that holds a lock has it until that thread releases it, if nobody else does anything to it but try
 *    to take it. Then of two threads that hold it, not both for reading, one released it before the other one
 *    took it, and this orders what they did.
 * 2. Who initialises or destroys a lock, or writes other data over it, makes it free, whoever holds it. So that must
 *    be ordered with every use of the lock (taking, releasing, waiting) by another thread, as accesses of its
 *    first byte are (proof_pair.c). A common lock around both is enough where the lock's life ends, as it is for
 *    free; it is not for an initialisation, nor where its bytes are surely meant, for what was taken under
 *    the common lock may be held still.
 * 3. A use that lies before the initialisation may hold the lock on and on. So an access counts as guarded only if
 *    no initialisation of that lock, while several threads run, may come beside the access (lock_is_remade).
 * 4. Who releases what it does not hold makes it free for others, if that has an effect at all: POSIX leaves it
 *    open. A step that releases what is not surely held by its state, while several threads run, makes the
 *    lock loose: it guards nothing (lock_is_loose). With no other thread, nobody else can hold it.
 * 5. A thread that does any of this to a lock of its own does not hold it afterwards (proof_step.c).
 * 6. Atomic words that serve as locks have rules of their own: proof_word.c.
 * 7. Conditions, semaphores, barriers and one-time flags guard nothing, but 2 holds for them as well, and so it does
 *    for two operations of which each makes or ends one and the same object: the library reads and writes its
 *    bytes without any order. */
#include "proof/proof_internal.h"

#include <assert.h>

/* ---- released without being held ---- */

static void add_loose(Proof *p, Loose loose) {
  assert(loose.object < p->p->objects.len);
  for (uint32_t i = 0; i < p->loose.len; i++) {
    const Loose *l = &p->loose.data[i];
    if (l->object == loose.object && l->offset == loose.offset &&
        l->exact == loose.exact && l->word == loose.word)
      return;
  }
  vec_push(&p->loose, loose);
}

static void note_loose(Proof *p, const Val *name, ExprId address, bool word) {
  bool *all = word ? &p->all_words_loose : &p->all_loose;
  if (name->known && name->base && !(name->base & 1) && !name->index) {
    add_loose(p, (Loose){name->base >> 1, (uint64_t)name->offset, true, word});
    return;
  }
  Targets t = pointsto_expr(p->pt, address);
  *all = *all || t.unknown || !t.count;
  for (uint32_t i = 0; i < t.count; i++)
    if (!t.targets[i].function)
      add_loose(p, (Loose){pointsto_object(p->pt, t.targets[i].object),
                           t.targets[i].offset, false, word});
}

void note_foreign_release(Proof *p, const World *w, const Val *name, ExprId address) {
  if (world_is_shared(w)) note_loose(p, name, address, false);
}

void note_loose_words(Proof *p, const Val *name, ExprId address) {
  note_loose(p, name, address, true);
}

void add_loose_words(Proof *p, ObjectId object) {
  if (object)
    add_loose(p, (Loose){object, OFFSET_ANY, false, true});
  else
    p->all_words_loose = true;
}

/* The object that the lock is in: its name says so, or it is at a constant distance from the access; 0: some
 * object. */
static ObjectId object_of(const Proof *p, const Val *name, AObject accessed) {
  if (name->base && !(name->base & 1)) return name->base >> 1;
  bool cell = (name->base & 1) && name->base >> 1 < p->c->symbols.len &&
              p->c->symbols.data[name->base >> 1].kind == CERT_CELL;
  if (cell || !accessed || accessed >= pointsto_object_count(p->pt)) return 0;
  return pointsto_object(p->pt, accessed);
}

bool lock_is_loose(const Proof *p, const CertLock *lock, AObject accessed) {
  const Val *name = &lock->name;
  bool word = lock->kind == LOCK_WORD;
  if (word ? p->all_words_loose : p->all_loose) return true;
  ObjectId object = object_of(p, name, accessed);
  bool exact = name->base && !(name->base & 1) && !name->index && name->offset >= 0;
  for (uint32_t i = 0; i < p->loose.len; i++) {
    const Loose *l = &p->loose.data[i];
    if ((object && l->object != object) || l->word != word) continue;
    if (!object || !exact) return true;
    uint64_t at = (uint64_t)name->offset;
    if (l->exact ? l->offset == at
                 : l->offset == OFFSET_ANY ||
                       l->offset == pointsto_fold_offset(p->pt, object, at))
      return true;
  }
  return false;
}

/* ---- made anew ---- */

uint32_t object_access(const Edge *e, const OpAccess *x) {
  assert(x->kind & OP_OBJECT);
  bool lock = e->op == OP_WAIT ? x->address == e->b && x->operand == 1
                               : op_sync_kind((OpKind)e->op) == SYNC_LOCK;
  uint32_t what = !(x->kind & OP_WRITES)    ? ACCESS_LOCK_USE
                  : op_has(e->op, OP_INITS) ? ACCESS_LOCK_INIT
                                            : ACCESS_LOCK_END;
  return what | (lock ? 0 : ACCESS_EVENT);
}

bool lock_is_remade(Proof *p, const Val *name, AObject accessed, uint32_t thread,
                    uint32_t alive) {
  ObjectId object = object_of(p, name, accessed);
  for (uint32_t i = 0; i < p->remade.len; i++) {
    const Remade *m = &p->remade.data[i];
    bool there = !object || m->object == AOBJECT_UNKNOWN ||
                 m->object >= pointsto_object_count(p->pt) ||
                 pointsto_object(p->pt, m->object) == object;
    if (there && may_be_parallel(p, thread, alive, m->thread, m->alive)) return true;
  }
  return false;
}
