/* Operations of threads and synchronisation, from their rows (model/lower.h).
 *
 * For each kind of edge (operation, kind and mode of the lock, attempt, results) one C function is
 * generated: the set of rows that can be taken is computed from their guards, one of them is picked,
 * its changes are done. A thread without a row waits: that run of the sequential program is over,
 * because whoever could have helped would have run at the switch before, or the thread would have
 * been abandoned there. An operation that sleeps goes through phases, with a switch before each.
 *
 * Two rows are left out: that a thread cannot be had, and that a deadline is malformed. Both are
 * possible as far as the rows know; an error that needs them need not be one of the program. */
#include "seqc/emit.h"

#include "base/mem.h"
#include "model/lower.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- shapes ---- */

static bool is_generated(const Edge *e) {
  switch ((OpKind)e->op) {
  case OP_JOIN:
  case OP_DETACH:
  case OPS_CANCEL:
  case OPS_LOCK:
  case OPS_COND:
  case OPS_BARRIER:
  case OPS_SEM:
  case OP_ONCE: return true;
  case OP_CREATE:
  case OP_EXIT_THREAD:
  case OP_SELF:
  case OPS_USER:
  case OPS_SECTION:
  case OPS_SEQUENTIAL: break;
  }
  return false;
}

/* glibc's mutex says its type in its bytes; something smaller that is locked is no such. */
static bool has_kind_bytes(const Seqc *s, ExprId lock) {
  enum { NEEDED = MUTEX_KIND_OFFSET + MUTEX_KIND_BYTES };
  Targets t = pointsto_expr(s->pointsto, lock);
  for (uint32_t i = 0; i < t.count; i++) {
    ObjectId id = pointsto_object(s->pointsto, t.targets[i].object);
    if (!id || t.targets[i].function) continue;
    const Object *o = vec_at(&s->program->objects, id);
    if (!(o->flags & OBJECT_DYNAMIC) && o->size && t.targets[i].offset != OFFSET_ANY &&
        t.targets[i].offset + NEEDED > o->size)
      return false;
  }
  return t.count > 0;
}

static bool same_shape(const Seqc *s, const Edge *a, const Edge *b) {
  if (a->op != b->op || a->lock != b->lock || a->mode != b->mode ||
      a->attempt != b->attempt || a->aux != b->aux || a->size != b->size ||
      !a->dst != !b->dst || !a->b != !b->b)
    return false;
  return op_sync_kind((OpKind)a->op) != SYNC_LOCK ||
         has_kind_bytes(s, a->a) == has_kind_bytes(s, b->a);
}

static const char *shape_name(const Seqc *s, const Edge *e) {
  for (uint32_t i = 0; i < s->shapes.len; i++)
    if (same_shape(s, program_edge(s->program, s->shapes.data[i].edge), e))
      return s->shapes.data[i].name;
  return NULL;
}

void seqc_find_shapes(Seqc *s, EdgeId edge) {
  const Edge *e = program_edge(s->program, edge);
  if (!is_generated(e) || shape_name(s, e)) return;
  SeqcShape shape = {.edge = edge};
  uint32_t same = 1;
  for (uint32_t i = 0; i < s->shapes.len; i++)
    same += program_edge(s->program, s->shapes.data[i].edge)->op == e->op;
  do {
    snprintf(shape.name, sizeof shape.name, "do_%s_%u", op_text((OpKind)e->op), same++);
  } while (strmap_get(&s->global_names, shape.name, strlen(shape.name)));
  vec_push(&s->shapes, shape);
}

/* ---- rows as text ---- */

static const char *const ghost_names[] = {
    [GHOST_OWNER] = "owner",     [GHOST_COUNT] = "count",
    [GHOST_READERS] = "readers", [GHOST_READS] = "reads[self]",
    [GHOST_TYPE] = "type",       [GHOST_ROBUST] = "robust",
    [GHOST_WAITERS] = "waiters", [GHOST_VALUE] = "value",
    [GHOST_SIZE] = "size",       [GHOST_MISSING] = "missing",
    [GHOST_DONE] = "done",       [GHOST_KNOWN] = "known",
    [GHOST_ENDED] = "ended",     [GHOST_DETACHED] = "detached",
    [GHOST_JOINED] = "joined",   [GHOST_CANCEL] = "cancel",
};

static void put_ghost(uint8_t whose, uint8_t ghost, Str *out) {
  static const char *const holders[] = {[OF_A] = "o->",
                                        [OF_LOCK] = "lock->",
                                        [OF_THREAD] = "threads[thread].",
                                        [OF_SELF] = "threads[self].",
                                        [OF_SECTION] = "",
                                        [OF_TERM] = ""};
  str_addf(out, "%s%s", holders[whose], ghost_names[ghost]);
}

static void put_term(const Edge *e, uint8_t term, int32_t number, Str *out) {
  switch ((LowerTerm)term) {
  case TERM_NUMBER: str_addf(out, "%d", number); break;
  case TERM_SELF: str_add(out, "self"); break;
  case TERM_THREAD: str_add(out, "thread"); break;
  case TERM_OPERAND: str_add(out, "(int64_t)b"); break;
  case TERM_TYPE:
    str_add(out, e->lock == LOCK_MUTEX       ? "((b & 3) == 3 ? 0 : b & 3)"
                 : e->lock == LOCK_RECURSIVE ? "1"
                                             : "0");
    break;
  case TERM_ROBUST: str_add(out, e->lock == LOCK_MUTEX ? "(b >> 30 & 1)" : "0"); break;
  case TERM_SIZE: str_add(out, "o->size"); break;
  }
}

static void put_guard(const Edge *e, const LowerGuard *g, Str *out) {
  static const char *const relations[] = {
      [REL_NONE] = "", [REL_EQ] = "==", [REL_NE] = "!=", [REL_LT] = "<", [REL_GT] = ">"};
  if (g->whose == OF_TERM)
    put_term(e, g->ghost, 0, out);
  else
    put_ghost(g->whose, g->ghost, out);
  str_addf(out, " %s ", relations[g->relation]);
  put_term(e, g->term, g->number, out);
}

static void put_change(Seqc *s, const Edge *e, const LowerChange *c) {
  Str text = {0};
  if (c->kind == CHANGE_RESET) {
    seqc_line(s, "object_reset(o);");
    return;
  }
  put_ghost(c->whose, c->ghost, &text);
  str_add(&text, c->kind == CHANGE_ADD ? " += " : " = ");
  put_term(e, c->term, c->number, &text);
  seqc_line(s, "%s;", str_text(&text));
  if (c->ghost == GHOST_TYPE) seqc_line(s, "o->typed = 1;");
  str_free(&text);
}

static void put_wake(Seqc *s, const Edge *e, uint8_t wake, const char *kind) {
  bool thread = op_sync_kind((OpKind)e->op) == SYNC_THREAD;
  switch ((LowerWake)wake) {
  case WAKE_NONE: break;
  case WAKE_ONE: seqc_line(s, "wake_one(a, %s);", kind); break;
  case WAKE_ALL: seqc_line(s, "wake_all(a, %s, PHASE_WOKEN);", kind); break;
  case WAKE_RETRY:
    if (!thread) seqc_line(s, "wake_all(a, %s, PHASE_START);", kind);
    break;
  case WAKE_RETRY_LOCK:
    seqc_line(s, "wake_all((char *)b, KIND_LOCK, PHASE_START);");
    break;
  case WAKE_CANCEL: seqc_line(s, "wake_cancelled(thread);"); break;
  }
}

static const char *phase_name(uint8_t phase) {
  return phase == LOWER_SLEEPS  ? "PHASE_SLEEPS"
         : phase == LOWER_WOKEN ? "PHASE_WOKEN"
         : phase == LOWER_LATE  ? "PHASE_LATE"
         : phase == LOWER_RUNS  ? "PHASE_RUNS"
                                : "PHASE_START";
}

/* What the operation gives to memory when it ends well. */
static void put_results(Seqc *s, const Edge *e) {
  if (e->op == OP_JOIN && e->b)
    seqc_line(s, "if (b) memcpy((char *)b, &threads[thread].result, %u);",
              e->size && e->size < 8 ? e->size : 8);
  if (e->op == OP_SEM_VALUE) seqc_line(s, "*(m32 *)b = (uint32_t)o->value;");
}

static void put_end(Seqc *s, const Edge *e, const LowerRow *row, const char *kind) {
  switch ((LowerEnd)row->end) {
  case ENDS_NOT:
    if (row->next == LOWER_RUNS) {
      seqc_line(s, "return 1;");
      return;
    }
    seqc_line(s, "threads[self].at = a, threads[self].kind = %s;", kind);
    seqc_line(s, "threads[self].phase = %s;", phase_name(row->next));
    seqc_line(s, "break;");
    return;
  case ENDS_RESULT: {
    SyncReturn r = sync_return(s->program, e, (SyncOutcome)row->outcome, row->error);
    if (row->outcome == RESULT_OK) put_results(s, e);
    if (r.error) seqc_line(s, "errno = %d;", r.error);
    seqc_line(s, "return %s%lld;", r.value < 0 ? "(uint64_t)" : "",
              e->op == OP_ONCE ? 0 : (long long)r.value);
    return;
  }
  case ENDS_CANCELLED:
    seqc_line(s, "thread_ends(UINT64_MAX);");
    seqc_line(s, "raise = 1;");
    seqc_line(s, "return 0;");
    return;
  case ENDS_UNDEFINED:
    seqc_line(s, "ASSUME(0); /* undefined: the program is wrong in another way */");
    seqc_line(s, "return 0;");
    return;
  }
}

/* ---- one function for each shape ---- */

static bool is_left_out(const LowerRow *row, const Edge *e) {
  bool malformed = row->attempts == 1 << ATTEMPT_TIMED || e->attempt == ATTEMPT_TIMED;
  return malformed && row->end == ENDS_RESULT && row->error == EINVAL;
}

static bool in_set(uint8_t set, uint8_t member) {
  return set == 0 || (set >> member & 1);
}

static bool is_about(const LowerRow *row, const Edge *e, bool returns) {
  return row->op == e->op && in_set(row->locks, e->lock) && in_set(row->modes, e->mode) &&
         in_set(row->attempts, e->attempt) && (row->cause == CAUSE_RETURN) == returns &&
         !is_left_out(row, e);
}

static void put_condition(Seqc *s, const Edge *e, const LowerRow *row, bool phases,
                          uint32_t n) {
  Str text = {0};
  if (phases) {
    str_add(&text, row->phases & (row->phases - 1) ? "threads[self].phase & ("
                                                   : "threads[self].phase == ");
    bool more = false;
    for (uint8_t p = LOWER_START; p <= LOWER_RUNS; p = (uint8_t)(p << 1))
      if (row->phases & p) {
        str_addf(&text, "%s%s", more ? " | " : "", phase_name(p));
        more = true;
      }
    if (row->phases & (row->phases - 1)) str_add(&text, ")");
  }
  for (int i = 0; i < LOWER_GUARDS && row->guards[i].relation != REL_NONE; i++) {
    if (text.len) str_add(&text, " && ");
    put_guard(e, &row->guards[i], &text);
  }
  if (text.len)
    seqc_line(s, "if (%s) rows |= %uu;", str_text(&text), 1u << n);
  else
    seqc_line(s, "rows |= %uu;", 1u << n);
  str_free(&text);
}

static void put_case(Seqc *s, const Edge *e, const LowerRow *row, uint32_t n,
                     const char *kind) {
  seqc_line(s, "case %u:", n);
  s->indent++;
  for (int i = 0; i < LOWER_CHANGES && row->changes[i].kind != CHANGE_NONE; i++)
    put_change(s, e, &row->changes[i]);
  put_wake(s, e, row->wake, kind);
  put_end(s, e, row, kind);
  s->indent--;
}

static const char *kind_name(const Edge *e) {
  switch (op_sync_kind((OpKind)e->op)) {
  case SYNC_LOCK: return "KIND_LOCK";
  case SYNC_COND: return "KIND_COND";
  case SYNC_BARRIER: return "KIND_BARRIER";
  case SYNC_SEM: return "KIND_SEM";
  case SYNC_ONCE: return "KIND_ONCE";
  case SYNC_THREAD:
  case SYNC_NONE:
  case SYNC_USER:
  case SYNC_SECTION:
  case SYNC_KIND_COUNT: break;
  }
  return "KIND_THREAD";
}

/* The objects that the rows speak of. */
static void put_objects(Seqc *s, const Edge *e) {
  const char *kind = kind_name(e);
  if (op_sync_kind((OpKind)e->op) == SYNC_THREAD) {
    seqc_line(s, "unsigned thread = thread_of((uint64_t)a);");
    seqc_line(s, "(void)thread;");
  } else if (e->lock == LOCK_MUTEX && e->op != OP_WAIT && has_kind_bytes(s, e->a)) {
    seqc_line(s, "struct object *o = mutex_at(a);");
  } else {
    seqc_line(s, "struct object *o = object_at(a, %s);", kind);
  }
  if (e->lock == LOCK_RECURSIVE) seqc_line(s, "o->type = 1;");
  if (e->op == OP_WAIT)
    seqc_line(s, has_kind_bytes(s, e->b)
                     ? "struct object *lock = mutex_at((char *)b);"
                     : "struct object *lock = object_at((char *)b, KIND_LOCK);");
}

static void put_rows(Seqc *s, const Edge *e, bool phases, bool returns) {
  uint32_t count, n = 0;
  const LowerRow *rows = lower_rows((OpKind)e->op, &count);
  seqc_line(s, "uint64_t rows = 0;");
  put_objects(s, e);
  for (uint32_t i = 0; i < count; i++)
    if (is_about(&rows[i], e, returns) &&
        (phases || returns || rows[i].phases & LOWER_START))
      put_condition(s, e, &rows[i], phases, n++);
  seqc_line(s, "switch (pick(rows)) {");
  n = 0;
  for (uint32_t i = 0; i < count; i++)
    if (is_about(&rows[i], e, returns) &&
        (phases || returns || rows[i].phases & LOWER_START))
      put_case(s, e, &rows[i], n++, kind_name(e));
  seqc_line(s, "}");
}

/* The operation has rows after which it is not over. */
static bool has_phases(const Edge *e) {
  uint32_t count;
  const LowerRow *rows = lower_rows((OpKind)e->op, &count);
  for (uint32_t i = 0; i < count; i++)
    if (is_about(&rows[i], e, false) && rows[i].phases & LOWER_START &&
        rows[i].end == ENDS_NOT && rows[i].next != LOWER_RUNS)
      return true;
  return false;
}

static void put_function(Seqc *s, const SeqcShape *shape, bool returns) {
  static const char *const attempts[] = {"", ", tried", ", timed"};
  const Edge *e = program_edge(s->program, shape->edge);
  s->edge = shape->edge;
  bool phases = !returns && has_phases(e);
  seqc_line(s, "/* %s%s%s%s%s */", op_text((OpKind)e->op), e->lock ? ": " : "",
            e->lock ? lock_kind_text((LockKind)e->lock) : "",
            e->mode == MODE_SHARED ? ", shared" : "", attempts[e->attempt]);
  seqc_line(s, "static uint64_t %s%s(char *a, uint64_t b) {", shape->name,
            returns ? "_returns" : "");
  s->indent++;
  seqc_line(s, "(void)b;");
  if (phases) {
    seqc_line(s, "threads[self].phase = PHASE_START;");
    seqc_line(s, "for (;;) {");
    s->indent++;
  }
  put_rows(s, e, phases, returns);
  if (phases) {
    seqc_line(s, "if (SWITCH()) return 0;");
    s->indent--;
    seqc_line(s, "}");
  } else {
    seqc_line(s, "return 0;");
  }
  s->indent--;
  seqc_line(s, "}");
  seqc_line(s, "%s", "");
}

/* The functions that threads begin with, by address. */
static void put_starts(Seqc *s) {
  seqc_line(s, "static uint64_t call_start(char *function, char *argument) {");
  s->indent++;
  for (uint32_t i = 0; i < s->entries.len; i++) {
    const Function *f = seqc_function(s, s->entries.data[i]);
    const char *name = s->functions[s->entries.data[i]];
    Str call = {0}, fitted = {0};
    str_addf(&call, "%s(", name);
    for (uint32_t k = 0; k < f->param_count; k++) {
      const Local *param = vec_at(&s->program->locals, f->first_local + k);
      if (k) str_add(&call, ", ");
      if (k == 0)
        seqc_fit(s, "argument", SORT_PTR, 64, param->sort, param->bits, &call);
      else
        str_add(&call, "0");
    }
    str_add(&call, ")");
    if (f->return_bits)
      seqc_fit(s, str_text(&call), f->return_sort, f->return_bits, SORT_INT, 64, &fitted);
    if (f->return_bits)
      seqc_line(s, "if (function == (char *)&%s) return %s;", name, str_text(&fitted));
    else
      seqc_line(s, "if (function == (char *)&%s) return %s, 0;", name, str_text(&call));
    str_free(&call);
    str_free(&fitted);
  }
  seqc_line(s, "(void)argument;");
  seqc_line(s, "ASSUME(function == 0); /* no function of the program */");
  seqc_line(s, "return 0;");
  s->indent--;
  seqc_line(s, "}");
  seqc_line(s, "%s", "");
}

void seqc_sync_functions(Seqc *s) {
  seqc_line(
      s, "/* ---- synchronisation: the rows that can be taken, one of them is ---- */");
  seqc_line(s, "%s", "");
  for (uint32_t i = 0; i < s->shapes.len; i++) {
    put_function(s, &s->shapes.data[i], false);
    if (program_edge(s->program, s->shapes.data[i].edge)->op == OP_ONCE)
      put_function(s, &s->shapes.data[i], true);
  }
  put_starts(s);
}

/* ---- edges ---- */

static char *operand(Seqc *s, const Edge *e) {
  if (!e->b || e->op == OP_ONCE || e->op == OP_LOCK || e->op == OP_SEM_WAIT)
    return str_dup("0");
  const Expr *b = program_expr(s->program, e->b);
  Str text = {0}, fitted = {0};
  seqc_expr(s, e->b, &text);
  if (e->op == OP_LOCK_INIT && b->sort == SORT_PTR)
    str_addf(&fitted, "(%s ? *(m32 *)(%s) : 0)", str_text(&text), str_text(&text));
  else if (op_has(e->op, OP_INITS) && b->bits > 32)
    str_addf(&fitted, "(uint32_t)%s", str_text(&text));
  else
    seqc_fit(s, str_text(&text), b->sort, b->bits, SORT_INT, 64, &fitted);
  str_free(&text);
  return str_take(&fitted);
}

static void put_once(Seqc *s, EdgeId edge, const char *name, const char *a) {
  const Edge *e = program_edge(s->program, edge);
  const FuncId *callees;
  uint32_t count = pointsto_callees(s->pointsto, edge, &callees);
  char *address = seqc_value(s, e->b);
  seqc_line(s, "if (%s(%s, 0)) {", name, a);
  s->indent++;
  for (uint32_t i = 0; i < count; i++) {
    if (!(seqc_function(s, callees[i])->flags & FUNCTION_DEFINED))
      seqc_refuse(s, "give it a body", "once runs a library function");
    seqc_line(s, "%sif (%s == (char *)&%s) %s();", i ? "else " : "", address,
              s->functions[callees[i]], s->functions[callees[i]]);
  }
  seqc_line(s, "if (raise) %s", seqc_leave(s));
  seqc_line(s, "if (SWITCH()) %s", seqc_leave(s));
  seqc_line(s, "%s_returns(%s, 0);", name, a);
  s->indent--;
  seqc_line(s, "}");
  mem_free(address);
}

static void put_generated(Seqc *s, EdgeId edge, const char *to) {
  const Edge *e = program_edge(s->program, edge);
  const char *name = shape_name(s, e);
  Str a = {0};
  if (e->a) {
    const Expr *x = program_expr(s->program, e->a);
    Str text = {0};
    seqc_expr(s, e->a, &text);
    seqc_fit(s, str_text(&text), x->sort, x->bits, SORT_PTR, 64, &a);
    str_free(&text);
  } else {
    str_add(&a, "(char *)0");
  }
  char *b = operand(s, e);
  SyncReturn ok = sync_return(s->program, e, RESULT_OK, 0);
  if (e->op == OP_ONCE) {
    put_once(s, edge, name, str_text(&a));
    if (to && ok.has_value) seqc_line(s, "%s = %lld;", to, (long long)ok.value);
  } else if (to && ok.has_value) {
    const Local *dst = vec_at(&s->program->locals, e->dst);
    seqc_line(s, "%s = (%s)%s(%s, %s);", to, seqc_type(s, dst->sort, dst->bits), name,
              str_text(&a), b);
  } else {
    seqc_line(s, "%s(%s, %s);", name, str_text(&a), b);
  }
  if (has_phases(e) || op_has(e->op, OP_CANCELLED))
    seqc_line(s, "if (raise) %s", seqc_leave(s));
  mem_free(b);
  str_free(&a);
}

static void put_create(Seqc *s, const Edge *e, const char *to) {
  char *id = seqc_value(s, e->a), *function = seqc_value(s, e->b);
  Str argument = {0};
  if (e->c) {
    const Expr *x = program_expr(s->program, e->c);
    Str text = {0};
    seqc_expr(s, e->c, &text);
    seqc_fit(s, str_text(&text), x->sort, x->bits, SORT_PTR, 64, &argument);
    str_free(&text);
  } else {
    str_add(&argument, "0");
  }
  seqc_line(s, "{");
  seqc_line(s, "  struct start started = {%s, %s, thread_new()};", function,
            str_text(&argument));
  seqc_line(s, "  *(m64 *)(%s) = id_of(started.id);", id);
  SyncReturn ok = sync_return(s->program, e, RESULT_OK, 0);
  if (to && ok.has_value) seqc_line(s, "  %s = %lld;", to, (long long)ok.value);
  seqc_line(s, "  async(started);");
  seqc_line(s, "}");
  mem_free(id);
  mem_free(function);
  str_free(&argument);
}

static void put_exit_thread(Seqc *s, const Edge *e) {
  Str value = {0};
  if (e->a) {
    const Expr *x = program_expr(s->program, e->a);
    Str text = {0};
    seqc_expr(s, e->a, &text);
    seqc_fit(s, str_text(&text), x->sort, x->bits, SORT_INT, 64, &value);
    str_free(&text);
  }
  seqc_line(s, "thread_ends(%s);", e->a ? str_text(&value) : "0");
  seqc_line(s, "raise = 1;");
  seqc_line(s, "%s", seqc_leave(s));
  str_free(&value);
}

void seqc_sync_edge(Seqc *s, EdgeId edge) {
  const Edge *e = program_edge(s->program, edge);
  const char *to =
      e->dst ? s->locals[e->dst - seqc_function(s, s->function)->first_local] : NULL;
  switch ((OpKind)e->op) {
  case OP_CREATE: put_create(s, e, to); break;
  case OP_EXIT_THREAD: put_exit_thread(s, e); break;
  case OP_SELF: {
    const Local *dst = e->dst ? vec_at(&s->program->locals, e->dst) : NULL;
    Str text = {0};
    if (dst) seqc_fit(s, "id_of(self)", SORT_INT, 64, dst->sort, dst->bits, &text);
    if (dst) seqc_line(s, "%s = %s;", to, str_text(&text));
    str_free(&text);
    break;
  }
  case OP_ATOMIC_BEGIN: seqc_line(s, "section++;"); break;
  case OP_ATOMIC_END: seqc_line(s, "if (section) section--;"); break;
  case OPS_USER:
    if (to && sync_return(s->program, e, RESULT_OK, 0).has_value)
      seqc_line(s, "%s = %lld;", to,
                (long long)sync_return(s->program, e, RESULT_OK, 0).value);
    break;
  case OP_JOIN:
  case OP_DETACH:
  case OPS_CANCEL:
  case OPS_LOCK:
  case OPS_COND:
  case OPS_BARRIER:
  case OPS_SEM:
  case OP_ONCE: put_generated(s, edge, to); break;
  case OPS_SEQUENTIAL: break;
  }
}
