/* See context.h: what is looked at, in which order, and the child that does it. */
#include "proof/modular.h"

#include "analysis/alike.h"
#include "base/clock.h"
#include "base/proc.h"

#include <assert.h>
#include <stdarg.h>
#include <unistd.h>

bool context_reject(Context *x, const char *format, ...) {
  assert(x->result->verdict != CONTEXT_ACCEPTED);
  if (x->result->why) return false; /* the first one counts */
  va_list args;
  Str text = {0};
  va_start(args, format);
  str_vaddf(&text, format, args);
  va_end(args);
  x->result->verdict = CONTEXT_REJECTED;
  x->result->why = str_take(&text);
  return false;
}

bool context_open(Context *x, const char *why) {
  assert(x->result->verdict != CONTEXT_ACCEPTED);
  if (x->result->why) return false;
  x->result->verdict = CONTEXT_OPEN;
  x->result->why = str_dup(why);
  return false;
}

/* ---- shape ---- */

/* Groups are about shared variables, local states about a thread's own, and perhaps about shared ones:
 * then what is known of it changes when another thread moves (context_passive.c). */
static bool check_shape(Context *x) {
  const ContextCertificate *c = &x->c;
  x->mixed =
      c->shakes.len; /* whatever else steps say of other threads is to be looked at */
  for (uint32_t g = 0; g < c->groups.len; g++) {
    ContextRow row = c->groups.data[g].predicates;
    for (uint32_t i = 0; i < row.count; i++)
      if (c->predicates.data[c->numbers.data[row.first + i]].local)
        return context_reject(x, "group %u is about one thread", g);
  }
  for (uint32_t s = 0; s < c->states.len; s++) {
    ContextState *state = &x->c.states.data[s];
    const Automaton *a = &x->automata->kinds.data[c->kinds.data[state->kind].automaton];
    if (!state->location || state->location >= a->locations.len)
      return context_reject(x, "local state %u is nowhere", s);
    for (uint32_t i = 0; i < state->literals.count; i++) {
      const ContextPredicate *p =
          &c->predicates.data[c->literals.data[state->literals.first + i].predicate];
      if (p->local && p->kind != state->kind)
        return context_reject(x, "local state %u is about another thread", s);
      x->mixed = x->mixed || p->shared;
    }
    const AutoLocation *at = &a->locations.data[state->location];
    bool waits = false;
    for (uint32_t i = 0; i < at->step_count; i++)
      waits =
          waits || op_has(program_edge(x->p, a->steps.data[at->first_step + i].edge)->op,
                          OP_BLOCKS);
    state->atomic = at->depth && state->location != a->start && !waits;
  }
  return true;
}

/* ---- the program ---- */

static bool check_slice(Context *x, const SliceQuestion *question, Slice *slice) {
  Str why = {0};
  bool closed = slice_check(question, slice, &why);
  if (!closed) context_reject(x, "the slice is not closed: %s", str_text(&why));
  str_free(&why);
  return closed;
}

static bool check_automata(Context *x) {
  Str why = {0};
  bool ok = true;
  for (uint32_t i = 0; i < x->automata->kinds.len && ok; i++) {
    const Automaton *a = &x->automata->kinds.data[i];
    if (a->refused) ok = context_reject(x, "there is no automaton: %s", a->refused);
    if (ok && !automaton_check(x->automata, a, &why))
      ok = context_reject(x, "an automaton is not complete: %s", str_text(&why));
  }
  str_free(&why);
  return ok && (x->automata->kinds.len || context_reject(x, "there is no thread"));
}

static bool check_lists(Context *x) {
  Err err = {0};
  x->t = terms_new();
  x->solver = solver_new(x->t, SOLVER_SMT, &err);
  err_free(&err);
  if (!x->solver) return context_open(x, "the solver is missing");
  x->own_now = mem_alloc_zero((x->c.kinds.len + 1) * sizeof *x->own_now);
  return context_check_kinds(x) && context_find_objects(x) &&
         context_check_variables(x) && context_read_terms(x) && check_shape(x) &&
         (!modular_is(x) || modular_read(x)) && context_check_blocks(x) &&
         (x->modular ? modular_check_errors(x) : context_check_net(x));
}

static bool check_sliced(Context *x, uint8_t *asked, const Sharing *sharing) {
  SliceQuestion question = {x->q->program, x->pt, sharing, asked, x->q->stop};
  Slice *slice = slice_new(&question);
  if (!slice) return context_open(x, "the time was over before the proof was checked");
  bool ok = check_slice(x, &question, slice);
  if (ok) {
    slice_view(x->q->program, slice, &x->view);
    x->p = &x->view;
    AutomatonQuestion about = {.program = x->p,
                               .pointsto = x->pt,
                               .sharing = sharing,
                               .asked = asked,
                               .stop = x->q->stop};
    x->automata = automata_new(&about);
    ok = check_automata(x) && check_lists(x);
    automata_free(x->automata);
    slice_view_free(&x->view);
  }
  slice_free(slice);
  return ok;
}

static bool check_all(Context *x) {
  if (!context_read(x)) return false;
  if (alike_find(x->q->program, x->pt))
    return context_open(
        x, "addresses of different objects that may be the same are compared");
  x->result->about = x->c.about;
  x->result->object = x->c.object;
  x->result->from = x->c.from;
  x->result->to = x->c.to;
  x->result->edge = x->c.edge;
  x->result->states = x->c.states.len;
  x->result->steps = x->c.steps.len;
  for (uint32_t i = 0; i < x->c.conditions.len; i++)
    vec_push(&x->result->conditions, x->c.conditions.data[i]);
  if (!context_check_asked(x)) return false;
  if (x->c.about == ABOUT_ELSEWHERE) return true;
  uint8_t *asked = mem_alloc_zero(x->q->program->edges.len + 1);
  for (uint32_t i = 0; i < x->c.asked.len; i++) asked[x->c.asked.data[i]] = 1;
  Sharing *sharing = sharing_new(x->q->program, x->pt);
  bool ok = check_sliced(x, asked, sharing);
  sharing_free(sharing);
  mem_free(asked);
  return ok;
}

static void context_free(Context *x) {
  solver_free(x->solver);
  terms_free(x->t);
  for (uint32_t i = 0; x->own_now && i < x->c.kinds.len; i++) map_free(&x->own_now[i]);
  mem_free(x->own_now);
  for (uint32_t i = 0; x->passive && i < x->c.kinds.len; i++)
    context_after_free(&x->passive[i]);
  mem_free(x->passive);
  map_free(&x->shared_now);
  vec_free(&x->objects);
  vec_free(&x->writes);
  map_free(&x->object_at);
  map_free(&x->memory_at);
  mem_free(x->weak);
  map_free(&x->address_of);
  vec_free(&x->laid);
  map_free(&x->apart);
  mem_free(x->named);
  vec_free(&x->accesses);
  map_free(&x->counted);
  vec_free(&x->counters);
  map_free(&x->first_state);
  mem_free(x->next_state);
  mem_free(x->first_step);
  mem_free(x->next_step);
  mem_free(x->first_next);
  mem_free(x->next_next);
  modular_free(x);
  context_certificate_free(&x->c);
}

static void check_here(const ContextQuestion *q, ContextResult *result) {
  Context x = {.q = q, .result = result, .p = q->program, .pt = q->pointsto};
  bool ok = check_all(&x);
  /* only here is it accepted: all was gone through, and nothing was against it */
  if (ok && !result->why)
    result->verdict = CONTEXT_ACCEPTED;
  else if (ok || !result->why)
    context_open(&x, "the checker came to no end");
  assert((result->verdict == CONTEXT_ACCEPTED) == !result->why);
  context_free(&x);
}

/* ---- the child ---- */

typedef struct {
  ContextResult result; /* pointers mean nothing */
  uint32_t why, conditions;
} Message;

static int run_child(int fd, void *data) {
  const ContextQuestion *q = data;
  Message m = {0};
  check_here(q, &m.result);
  m.why = m.result.why ? (uint32_t)strlen(m.result.why) : 0;
  m.conditions = m.result.conditions.len;
  bool sent = proc_write_all(fd, &m, sizeof m) &&
              proc_write_all(fd, m.result.why ? m.result.why : "", m.why) &&
              proc_write_all(fd, m.result.conditions.data,
                             m.conditions * sizeof *m.result.conditions.data);
  return sent ? 0 : 1;
}

static bool take(const uint8_t *data, size_t size, ContextResult *ret) {
  Message m;
  if (size < sizeof m) return false;
  memcpy(&m, data, sizeof m);
  if (size != sizeof m + m.why + m.conditions * sizeof(ObjectId)) return false;
  *ret = m.result;
  ret->why = m.why ? str_ndup((const char *)data + sizeof m, m.why) : NULL;
  ret->conditions.data = NULL;
  ret->conditions.len = ret->conditions.cap = 0;
  if (m.conditions)
    memcpy(vec_extend(&ret->conditions, m.conditions), data + sizeof m + m.why,
           m.conditions * sizeof(ObjectId));
  return true;
}

void context_check(const ContextQuestion *question, ContextResult *ret_result) {
  static const volatile int never;
  static const double GRACE = 0.5;
  *ret_result = (ContextResult){.verdict = CONTEXT_OPEN};
  double seconds = question->deadline - clock_now();
  int fd = -1;
  ProcResult result = {0};
  const void *data;
  size_t size;
  bool taken = false;
  if (seconds > 0) {
    Proc *proc = proc_fork_start(run_child, (void *)question, seconds + GRACE, 0, &fd);
    proc_wait_or_stop(proc, question->stop ? question->stop : &never, &result);
  }
  if (fd >= 0 && proc_ok(&result) && proc_map_fd(fd, &data, &size)) {
    taken = take(data, size, ret_result);
    proc_unmap(data, size);
  }
  if (!taken) ret_result->why = str_dup("the time was over, or the checker was ended");
  if (fd >= 0) close(fd);
  proc_result_free(&result);
}

void context_result_free(ContextResult *result) {
  mem_free(result->why);
  vec_free(&result->conditions);
}
