/* Unwinding of a whole program: main, then every thread that it creates. See seq.h.
 *
 * It is done twice. The first time shows which shared objects nobody writes once there are events:
 * what main has set up while it was alone. The second time they are read where they are, so that
 * pointers and sizes in them are constants for all threads. If that shows somebody who writes one of
 * them after all, it is done once more without those. */
#include "engine/seq/internal.h"

#include "base/mem.h"

/* ---- main's arguments ---- */

/* A program without arguments: argc is 1, argv has its name. */
static void main_arguments(Unwinder *u, State *s, Term *args) {
  static const char name[] = "program";
  uint32_t text = seq_unwind_new_instance(u, 0, sizeof name, true);
  uint32_t list = seq_unwind_new_instance(u, 0, 16, true);
  uint32_t environment = seq_unwind_new_instance(u, 0, 8, true);
  for (uint32_t i = 0; i < sizeof name; i++)
    seq_memory_write(u->seq, &s->memory, text, i,
                     term_const(u->terms, 8, (uint8_t)name[i]));
  seq_memory_write(u->seq, &s->memory, list, 0, term_const(u->terms, 64, seq_base(text)));
  args[0] = term_const(u->terms, 32, 1);
  if (u->request->whole) { /* any arguments, of which nothing is known */
    args[0] = term_var(u->terms, 32, "argc");
    vec_push(&u->seq->facts, term_not(u->terms, term_slt(u->terms, args[0],
                                                         term_const(u->terms, 32, 0))));
    for (uint32_t i = text; i <= environment; i++)
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
  State s = {.guard = term_bool(u->terms, true)};
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
  seq_unwind_become_eventful(u, &s);
  end_of_thread(u, &s, result);
  seq_memory_drop(s.memory);
}

static void unwind_other(Unwinder *u) {
  State s = {.guard = term_bool(u->terms, true),
             .memory = seq_memory_share(u->seq->start)};
  Term result, args[1] = {seq_unwind_thread(u)->argument};
  FuncId entry = seq_unwind_thread(u)->entry;
  seq_unwind_event(u, &s, SEQ_BEGIN, 0);
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

/* ---- what the program has of locks and cancellation ---- */

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

static void look_at_locks(Unwinder *u) {
  u->normal_locks = !u->request->whole; /* kinds may be set as memory */
  for (EdgeId i = 1; i < u->program->edges.len; i++) {
    const Edge *e = program_edge(u->program, i);
    if (may_be_special(u, e)) u->normal_locks = false;
    if (e->op == OP_CANCEL) u->cancels = true;
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
                .stable = stable};
  look_at_locks(&u);
  if (request->whole) u.liveness = liveness_new(request->program);
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
  free_orders(&u.orders);
  liveness_free(u.liveness);
  return seq;
}

/* Shared objects that no event writes: *stable gets them. */
static void find_stable(const SeqProgram *seq, const uint8_t *shared, uint8_t *stable) {
  for (ObjectId o = 1; o < seq->program->objects.len; o++) stable[o] = shared[o] != 0;
  for (uint32_t t = 0; t < seq->threads.len; t++)
    for (uint32_t i = 0; i < seq->threads.data[t].events.len; i++) {
      const SeqEvent *e = &seq->threads.data[t].events.data[i];
      if (e->kind != SEQ_WRITE && e->kind != SEQ_UPDATE && e->kind != SEQ_FREE) continue;
      if (!e->pointer)
        memset(stable, 0, seq->program->objects.len); /* nobody knows where */
      Targets targets = pointsto_expr(seq->pointsto, e->pointer);
      for (uint32_t k = 0; k < targets.count; k++)
        if (!targets.targets[k].function)
          stable[pointsto_object(seq->pointsto, targets.targets[k].object)] = 0;
    }
}

/* What was taken to be stable and is not: what is constant now may have opened a way to where it is
 * written. */
static bool drop_unstable(const SeqProgram *seq, uint8_t *stable) {
  bool any = false;
  for (ObjectId o = 1; o < seq->program->objects.len; o++) {
    any = any || stable[o] == 2;
    if (stable[o] == 2) stable[o] = 0;
  }
  return any;
}

SeqProgram *seq_unwind(const SeqRequest *request) {
  SeqProgram *seq = unwind_once(request, NULL);
  uint32_t objects = request->program->objects.len;
  uint8_t *stable = mem_alloc_zero(objects + 1), *shared = mem_alloc_zero(objects + 1);
  if (!seq->gave_up) find_stable(seq, request->shared, stable);
  for (bool again = memchr(stable, 1, objects); again;) {
    SeqRequest next = *request;
    for (ObjectId o = 0; o < objects; o++) shared[o] = request->shared[o] && !stable[o];
    next.shared = shared;
    seq_free(seq);
    seq = unwind_once(&next, stable);
    seq->shared = request->shared;
    again = drop_unstable(seq, stable) && !seq->gave_up;
  }
  mem_free(shared);
  mem_free(stable);
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
