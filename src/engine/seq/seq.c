/* Unwinding of a whole program: main, then every thread that it creates. See seq.h.
 *
 * It is done twice. The first time shows which shared objects nobody writes once there are events:
 * what main has set up while it was alone. The second time they are read where they are, so that
 * pointers and sizes in them are constants for all threads. With them threads may come further than
 * they came at first; if one of the objects is written there, it was none of those, and all begins
 * again without it. */
#include "engine/seq/internal.h"

#include "analysis/touch.h"
#include "base/mem.h"

/* ---- main's arguments ---- */

static uint32_t text_of(Unwinder *u, State *s, const char *word) {
  uint32_t text = seq_unwind_new_instance(u, 0, strlen(word) + 1, true);
  for (uint32_t i = 0; word[i]; i++)
    seq_memory_write(u->seq, &s->memory, text, i,
                     term_const(u->terms, 8, (uint8_t)word[i]));
  return text;
}

static void main_arguments(Unwinder *u, State *s, Term *args) {
  static const char *const only_name[] = {"program"};
  const SeqWorld *world = &u->request->world;
  const char *const *words = world->words ? world->words : only_name;
  uint32_t count = world->words ? 1 + world->arguments : 1;
  uint32_t list = seq_unwind_new_instance(u, 0, (count + 1) * 8, true);
  uint32_t environment = seq_unwind_new_instance(u, 0, 8, true);
  for (uint32_t i = 0; i < count; i++)
    seq_memory_write(u->seq, &s->memory, list, i * 8,
                     term_const(u->terms, 64, seq_base(text_of(u, s, words[i]))));
  args[0] = term_const(u->terms, 32, count);
  if (u->request->whole) { /* any arguments, of which nothing is known */
    args[0] = term_var(u->terms, 32, "argc");
    vec_push(&u->seq->facts, term_not(u->terms, term_slt(u->terms, args[0],
                                                         term_const(u->terms, 32, 0))));
    for (uint32_t i = list; i < u->seq->instances.len; i++)
      u->seq->instances.data[i].foreign = true;
  }
  args[1] = term_const(u->terms, 64, seq_base(list));
  args[2] = term_const(u->terms, 64, seq_base(environment));
}

static void end_of_thread(Unwinder *u, State *s, Term result) {
  if (guard_is_false(u, s->guard) || u->over) return;
  SeqEvent *e = seq_unwind_event(u, s, u->thread ? SEQ_END : SEQ_EXIT, 0);
  e->value = result ? result : term_const(u->terms, 64, 0);
}

static void fit_arguments(Unwinder *u, FuncId function, Term *args, uint32_t count) {
  const Function *f = vec_at(&u->program->functions, function);
  for (uint32_t i = 0; i < count && i < f->param_count; i++) {
    uint32_t bits = vec_at(&u->program->locals, f->first_local + i)->bits;
    args[i] = term_fit(u->terms, args[i], bits);
  }
}

static void unwind_main(Unwinder *u) {
  State s = {.guard = term_bool(u->terms, true), .alone = true};
  Term args[3], result;
  seq_unwind_event(u, &s, SEQ_BEGIN, 0);
  main_arguments(u, &s, args);
  for (uint32_t i = 0; i < u->program->constructors.len; i++) {
    FuncId f = u->program->constructors.data[i].function;
    Term copy[3] = {args[0], args[1], args[2]};
    if (f) fit_arguments(u, f, copy, 3);
    if (f && !guard_is_false(u, s.guard)) seq_unwind_function(u, f, copy, 3, &s, &result);
  }
  fit_arguments(u, u->program->main, args, 3);
  if (!guard_is_false(u, s.guard))
    seq_unwind_function(u, u->program->main, args, 3, &s, &result);
  seq_unwind_leave_alone(u, &s);
  end_of_thread(u, &s, result);
  seq_memory_drop(s.memory);
}

static void unwind_other(Unwinder *u) {
  State s = {.guard = term_bool(u->terms, true),
             .memory = seq_memory_share(u->seq->start)};
  Term result, args[1] = {seq_unwind_thread(u)->argument};
  FuncId entry = seq_unwind_thread(u)->entry;
  seq_unwind_event(u, &s, SEQ_BEGIN, 0);
  if (seq_unwind_thread(u)->waits) {
    seq_unwind_cut(u, &s, seq_thread_key());
    seq_memory_drop(s.memory);
    return;
  }
  if (!(vec_at(&u->program->functions, entry)->flags & FUNCTION_DEFINED)) {
    u->seq->vague = true;
    seq_unwind_partial(u, "a thread runs a function without a body");
    result = 0;
  } else {
    fit_arguments(u, entry, args, 1);
    seq_unwind_function(u, entry, args, 1, &s, &result);
  }
  if (result && term_bits(u->terms, result) < 64)
    result = term_zext(u->terms, result, 64);
  end_of_thread(u, &s, result);
  seq_memory_drop(s.memory);
}

/* ---- what the program has of locks, creations and cancellation ---- */

static bool may_be_special(const Unwinder *u, const Edge *e) {
  if (e->op == OP_LOCK_INIT) {
    const Expr *kind = program_expr(u->program, e->b);
    return e->b != 0 && kind->kind != EXPR_CONST;
  }
  if (e->op != OP_LOCK || e->lock != LOCK_MUTEX) return false;
  Targets t = pointsto_expr(u->request->pointsto, e->a);
  for (uint32_t i = 0; i < t.count; i++) {
    ObjectId id = t.targets[i].function
                      ? 0
                      : pointsto_object(u->request->pointsto, t.targets[i].object);
    const Object *o = vec_at(&u->program->objects, id);
    uint32_t at = t.targets[i].offset;
    if (!id || o->init_size == 0) continue;
    if (at == OFFSET_ANY) return true;
    for (uint64_t k = at + MUTEX_KIND_OFFSET;
         k < at + MUTEX_KIND_OFFSET + MUTEX_KIND_BYTES; k++)
      if (k < o->init_size && u->program->bytes.data[o->init + k]) return true;
  }
  return false;
}

static void look_at_edges(Unwinder *u) {
  u->normal_locks = !u->request->whole; /* kinds may be set as memory */
  for (EdgeId i = 1; i < u->program->edges.len; i++) {
    const Edge *e = program_edge(u->program, i);
    if (may_be_special(u, e)) u->normal_locks = false;
    if (e->op == OP_CANCEL) u->cancels = true;
    u->create_edges += e->op == OP_CREATE;
  }
}

/* ---- the whole ---- */

static void free_orders(Map *orders) {
  for (uint32_t i = 0; i < orders->len; i++) {
    VEC(Parts) left = {0};
    Parts *all = (Parts *)(uintptr_t)orders->entries[i].value;
    vec_push(&left, *all);
    while (left.len) {
      Parts parts = vec_pop(&left);
      for (uint32_t k = 0; k < parts.len; k++)
        if (parts.data[k].is_loop) {
          Parts inner;
          memcpy(&inner, &parts.data[k].parts, sizeof inner);
          vec_push(&left, inner);
        }
      vec_free(&parts);
    }
    vec_free(&left);
    mem_free(all);
  }
  map_free(orders);
}

static SeqProgram *unwind_once(const SeqRequest *request, uint8_t *stable) {
  SeqProgram *seq = mem_alloc_zero(sizeof *seq);
  seq->program = request->program;
  seq->pointsto = request->pointsto;
  seq->shared = request->shared;
  seq->terms = terms_new();
  seq->whole = request->whole;
  Unwinder u = {.seq = seq,
                .request = request,
                .program = request->program,
                .terms = seq->terms,
                .liveness = liveness_new(request->program),
                .stable = stable};
  look_at_edges(&u);
  vec_push(&seq->threads,
           (SeqThread){.entry = request->program->main,
                       .id = term_const(seq->terms, 64, seq_thread_id(0))});
  if (request->whole && seq_has_puns(request->program, request->pointsto))
    seq_unwind_partial(&u, "an address may be read as a number");
  unwind_main(&u);
  for (uint32_t i = 1; i < seq->threads.len && !u.over; i++) {
    u.thread = i;
    u.glue = false;
    map_clear(&u.thread_locals);
    unwind_other(&u);
  }
  if (u.weak && seq->threads.len > 1)
    seq_unwind_partial(&u, "an atomic access is weaker than sequentially consistent");
  map_free(&u.thread_locals);
  map_free(&u.foreign);
  free_orders(&u.orders);
  liveness_free(u.liveness);
  return seq;
}

typedef struct {
  const Program *program;
  uint8_t *written;
} WriteNote;

static void note_write(void *user, const Touch *touch) {
  const WriteNote *note = user;
  if (!(touch->kind & TOUCH_WRITE)) return;
  if (!touch->key) /* nobody knows where */
    memset(note->written, 1, note->program->objects.len + 1);
  else if (touch->key < note->program->objects.len)
    note->written[touch->key] = 1;
}

/* A write of which only the address is known: one object, or nobody knows which. */
static void note_address(const SeqProgram *seq, Term address, uint8_t *written) {
  uint64_t value;
  uint64_t upper =
      term_get_const(seq->terms, address, &value) ? value >> SEQ_BASE_SHIFT : 0;
  if (upper && upper <= seq->instances.len)
    written[seq->instances.data[upper - 1].object] = 1;
  else
    memset(written, 1, seq->program->objects.len + 1);
}

/* Objects that some event writes or frees. */
static void find_written(const SeqProgram *seq, uint8_t *written) {
  WriteNote note = {seq->program, written};
  memset(written, 0, seq->program->objects.len + 1);
  for (uint32_t t = 0; t < seq->threads.len; t++)
    for (uint32_t i = 0; i < seq->threads.data[t].events.len; i++) {
      const SeqEvent *e = &seq->threads.data[t].events.data[i];
      if (e->kind == SEQ_FREE || e->kind == SEQ_TOUCH)
        touch_visit(seq->program, seq->pointsto, e->edge, note_write, &note);
      if (e->kind != SEQ_WRITE && e->kind != SEQ_UPDATE) continue;
      if (!e->pointer) {
        note_address(seq, e->address, written);
        continue;
      }
      Targets targets = pointsto_expr(seq->pointsto, e->pointer);
      for (uint32_t k = 0; k < targets.count; k++)
        if (!targets.targets[k].function)
          written[pointsto_object(seq->pointsto, targets.targets[k].object)] = 1;
    }
}

/* Leaves out what was written after all. */
static bool withdraw(uint8_t *stable, const uint8_t *written, uint32_t count) {
  bool any = false;
  for (ObjectId o = 0; o < count; o++)
    if (stable[o] == 2 || (stable[o] && written[o])) {
      stable[o] = 0;
      any = true;
    }
  return any;
}

SeqProgram *seq_unwind(const SeqRequest *request) {
  SeqProgram *seq = unwind_once(request, NULL);
  uint32_t count = request->program->objects.len;
  uint8_t *shared = mem_alloc_zero(count + 1), *stable = mem_alloc_zero(count + 1),
          *written = mem_alloc_zero(count + 1);
  bool again = false;
  find_written(seq, written);
  for (ObjectId o = 1; o < count; o++)
    again = (stable[o] = request->shared[o] && !written[o]) || again;
  while (again && !seq->gave_up) {
    SeqRequest next = *request;
    next.shared = shared;
    for (ObjectId o = 0; o < count; o++) shared[o] = request->shared[o] && !stable[o];
    seq_free(seq);
    seq = unwind_once(&next, stable);
    seq->shared = request->shared;
    find_written(seq, written);
    again = withdraw(stable, written, count);
  }
  mem_free(shared);
  mem_free(stable);
  mem_free(written);
  return seq;
}

void seq_free(SeqProgram *seq) {
  if (!seq) return;
  for (uint32_t i = 0; i < seq->threads.len; i++) {
    vec_free(&seq->threads.data[i].events);
    vec_free(&seq->threads.data[i].inputs);
    vec_free(&seq->threads.data[i].cuts);
  }
  vec_free(&seq->threads);
  vec_free(&seq->instances);
  vec_free(&seq->rows);
  vec_free(&seq->facts);
  map_free(&seq->globals);
  map_free(&seq->bytes);
  seq_memory_drop(seq->start);
  terms_free(seq->terms);
  mem_free(seq);
}
