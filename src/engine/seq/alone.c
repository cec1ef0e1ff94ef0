/* Main before its first thread. See internal.h.
 *
 * As long as main is alone on a way, nobody notices what it does: shared memory is followed like its
 * own. The way ends to be alone where it creates a thread or comes to an assertion. */
#include "engine/seq/internal.h"

/* ---- leaving ---- */

typedef struct {
  Unwinder *u;
  State *s;
} Way;

static void write_difference(void *user, uint32_t instance, uint64_t offset, Term value) {
  const Way *way = user;
  Unwinder *u = way->u;
  const SeqInstance *i = vec_at(&u->seq->instances, instance);
  seq_unwind_written(u, way->s, i->object);
  if (!i->shared) return;
  SeqEvent *e = seq_unwind_event(u, way->s, SEQ_WRITE, 0);
  e->address = term_const(u->terms, 64, seq_base(instance) + offset);
  e->size = term_bits(u->terms, value) / 8;
  e->stored = value;
  e->quiet = true;
}

/* The first way that leaves says what memory is when the first event happens. The others, which
 * exclude it, write what they have done to shared memory otherwise. */
void seq_unwind_leave_alone(Unwinder *u, State *s) {
  if (!s->alone) return;
  s->alone = false;
  if (!u->started) {
    u->started = true;
    u->seq->start = seq_memory_share(s->memory);
    return;
  }
  Way way = {u, s};
  seq_unwind_begin_step(u, s);
  seq_memory_compare(u->seq, s->memory, u->seq->start, write_difference, &way);
  seq_unwind_end_step(u, s);
}

/* ---- conditions ---- */

static bool has_choice(const Unwinder *u, NodeId node) {
  return node_end_edge(u->program, node) - node_first_edge(u->program, node) != 1;
}

/* The program ends there, and nothing happens before. */
static bool just_ends(const Unwinder *u, EdgeId edge) {
  enum { MOST_STEPS = 8 };
  for (int i = 0; i < MOST_STEPS; i++) {
    const Edge *e = program_edge(u->program, edge);
    if (e->op == OP_EXIT) return true;
    bool silent = e->op == OP_NOP || e->op == OP_ASSIGN || (i == 0 && e->op == OP_ASSUME);
    if (!silent || !e->to || has_choice(u, e->to)) return false;
    edge = node_first_edge(u->program, e->to);
  }
  return false;
}

/* While main is alone, an assumption of the user holds for all that counts, and so does a condition
 * without which main ends the program: if (!ok) abort(). Then it is no choice any more, and a loop
 * around it turns as often as the program says. Where something was cut off before, the ways that end
 * must stay. */
void seq_assume_alone(Unwinder *u, const State *s, EdgeId first, Term *conditions,
                      uint32_t count) {
  Term holds = 0;
  if (count == 1 && program_edge(u->program, first)->op == OP_ASSUME)
    holds = conditions[0];
  bool cut = u->request->whole && seq_unwind_thread(u)->cuts.len;
  for (uint32_t i = 0; i < 2 && count == 2 && !cut && !holds; i++)
    if (just_ends(u, first + i) && program_edge(u->program, first + i)->op == OP_ASSUME) {
      holds = conditions[1 - i];
      conditions[i] = term_bool(u->terms, false);
    }
  if (!holds) return;
  vec_push(&u->seq->facts, term_implies(u->terms, s->guard, holds));
  for (uint32_t i = 0; i < count; i++)
    if (conditions[i] == holds) conditions[i] = term_bool(u->terms, true);
}
