/* See narrate.h. Locks are followed by address: a thread holds what it took and has not
 * given back, also across condition waits. Things are called by the name of their object
 * where it is a variable, and by the words of the source where it has none (heap
 * objects). */
#include "engine/narrate.h"

#include "base/mem.h"
#include "base/str.h"
#include "engine/names.h"
#include "engine/narrate_parts.h"

#include <assert.h>

/* ---- names ---- */

static const char *name_thread(Narrator *n, Exec *exec, uint32_t number) {
  assert(number && number <= n->threads.len);
  EdgeId edge;
  if (!exec_next_edges(exec, number, &edge, 1) || !edge)
    return arena_printf(n->arena, "thread#%u", number);
  FuncId f = vec_at(&n->program->nodes, program_edge(n->program, edge)->from)->function;
  uint32_t same = 1;
  for (uint32_t i = 0; i < n->threads.len; i++) same += n->threads.data[i].entry == f;
  n->threads.data[number - 1].entry = f;
  return arena_printf(n->arena, "%s#%u",
                      sym_text(n->program, vec_at(&n->program->functions, f)->name),
                      same);
}

/* New threads since the last look get their names. */
static void meet_threads(Narrator *n, Exec *exec) {
  while (n->threads.len < exec_thread_count(exec)) {
    Actor *actor = vec_extend(&n->threads, 1);
    uint32_t number = n->threads.len;
    actor->name = number == 1 ? "main" : name_thread(n, exec, number);
  }
}

const char *narrator_thread(Narrator *n, uint32_t number) {
  return number && number <= n->threads.len ? n->threads.data[number - 1].name
                                            : "a thread";
}

const char *narrator_thing(Narrator *n, Exec *exec, uint64_t address, EdgeId edge,
                           ExecObject *ret_object) {
  const char *path =
      edge ? sym_text(n->program, program_edge(n->program, edge)->path) : "";
  ExecObject object;
  if (!exec_find_object(exec, address, &object) || !object.id) {
    *ret_object = (ExecObject){0};
    const char *stream = exec_stream_name(exec, address);
    return stream ? stream : *path ? path : "an object without a name";
  }
  *ret_object = object;
  if (object.kind == OBJECT_HEAP && *path) return path;
  return name_of_place(n->program, object.id, (uint32_t)(address - object.address),
                       n->arena);
}

/* ---- locks ---- */

static void hold(Actor *actor, uint64_t address, const char *name) {
  HeldLock lock = {address, name};
  vec_push(&actor->locks, lock);
}

static void let_go(Actor *actor, uint64_t address) {
  for (uint32_t i = actor->locks.len; i-- > 0;)
    if (actor->locks.data[i].address == address) {
      memmove(&actor->locks.data[i], &actor->locks.data[i + 1],
              (actor->locks.len - i - 1) * sizeof *actor->locks.data);
      actor->locks.len--;
      return;
    }
}

/* Did the operation that was just taken succeed? Without a result there is nothing to
 * tell failure by, and a try may have failed. */
static bool succeeded(Narrator *n, Exec *exec, uint32_t thread, const Edge *e) {
  if (e->attempt == ATTEMPT_BLOCK) return true;
  const SyncResult *result = vec_at(&n->program->results, e->aux);
  uint64_t words[2] = {0};
  if (!e->dst || vec_at(&n->program->locals, e->dst)->bits > 64 ||
      !exec_local(exec, thread, e->dst, words))
    return false;
  return (int32_t)words[0] == result->ok;
}

/* ---- steps ---- */

void narrator_tell(Narrator *n, uint32_t thread, const char *op, const char *object,
                   EdgeId edge) {
  FoundStep step = {.thread = narrator_thread(n, thread),
                    .op = op,
                    .object = object,
                    .place = place_of_edge(n->program, edge)};
  if (object && object == n->thing) step.id = n->sync;
  vec_push(&n->steps, step);
}

/* A run that needs arguments says so first. */
static void tell_arguments(Narrator *n, const HuntStep *step) {
  Str text = {0};
  for (uint32_t i = 1; i <= n->witness->arguments; i++)
    str_addf(&text, "%s%s", i > 1 ? " " : "", witness_arguments()[i]);
  if (text.len)
    narrator_tell(n, step->thread, "begin with the arguments",
                  arena_strdup(n->arena, text.data), step->edge);
  str_free(&text);
}

/* One that has read its input says what it was; known at the end only. */
static void tell_input(Narrator *n, Exec *exec) {
  size_t used = exec_input_read(exec);
  if (!used || !n->steps.len) return;
  Str text = {0};
  for (size_t i = 0; i < used; i++)
    str_add_char(&text, n->witness->input[i] == '\n' ? ' ' : n->witness->input[i]);
  FoundStep step = {.thread = "main",
                    .op = "begin with the input",
                    .object = arena_strdup(n->arena, text.data),
                    .place = n->steps.data[0].place};
  str_free(&text);
  vec_push(&n->steps, step);
  memmove(&n->steps.data[1], &n->steps.data[0],
          (n->steps.len - 1) * sizeof *n->steps.data);
  n->steps.data[0] = step;
}

static void before_step(void *user, Exec *exec, const HuntStep *step) {
  Narrator *n = user;
  const Edge *e = program_edge(n->program, step->edge);
  meet_threads(n, exec);
  if (!n->begun) tell_arguments(n, step);
  n->begun = true;
  n->sync = exec_next_sync(exec, step->thread, step->edge);
  n->lock = exec_next_lock(exec, step->thread, step->edge);
  uint32_t other = exec_next_thread(exec, step->thread, step->edge);
  ExecObject object;
  n->thing = n->sync ? narrator_thing(n, exec, n->sync, step->edge, &object)
             : other ? narrator_thread(n, other)
                     : NULL;
  n->lock_name = !n->lock           ? NULL
                 : e->op == OP_WAIT ? narrator_thing(n, exec, n->lock, 0, &object)
                                    : n->thing;
  n->threads_before = exec_thread_count(exec);
  narrate_look(n, exec, step);
}

/* The thread waits where it took its last step, and not for what comes behind it. */
static bool still_waits(Exec *exec, const HuntStep *step, ExecWait *ret_wait) {
  return exec_thread_state(exec, step->thread) == THREAD_WAITING &&
         exec_thread_wait(exec, step->thread, ret_wait) && ret_wait->edge == step->edge;
}

/* It waits for the lock that it has just asked for. It may have come back to that edge, to wait for
 * what it took itself; then it holds it now, and not before. */
static bool fell_asleep(const Narrator *n, Exec *exec, const HuntStep *step) {
  ExecWait wait;
  if (!still_waits(exec, step, &wait) || wait.kind != WAIT_LOCK) return false;
  const Actor *actor = vec_at(&n->threads, step->thread - 1);
  bool held = false;
  for (uint32_t i = 0; i < actor->locks.len; i++)
    held = held || actor->locks.data[i].address == n->lock;
  return wait.holder != step->thread || held;
}

/* A lock was asked for, and perhaps begun to be waited for. */
static void tell_lock(Narrator *n, Exec *exec, const HuntStep *step, const Edge *e) {
  if (fell_asleep(n, exec, step)) {
    if (e->attempt == ATTEMPT_BLOCK)
      narrator_tell(n, step->thread, "sleep before", n->thing, step->edge);
    return;
  }
  bool good = succeeded(n, exec, step->thread, e);
  if (good) hold(vec_at(&n->threads, step->thread - 1), n->lock, n->lock_name);
  narrator_tell(n, step->thread,
                good                        ? "lock"
                : e->attempt == ATTEMPT_TRY ? "trylock, busy:"
                                            : "lock, too late:",
                n->thing, step->edge);
}

/* The step told last gives back or takes the lock of a condition wait. */
static void name_mutex(Narrator *n) {
  FoundStep *step = vec_at(&n->steps, n->steps.len - 1);
  step->mutex = n->lock_name;
  step->mutex_id = n->lock;
}

/* The first step of a condition wait gives the lock back, the second takes it again. */
static void tell_wait(Narrator *n, Exec *exec, const HuntStep *step) {
  Actor *actor = vec_at(&n->threads, step->thread - 1);
  ExecWait wait;
  bool waits = still_waits(exec, step, &wait);
  if (!actor->in_wait && waits) {
    actor->in_wait = true;
    let_go(actor, n->lock);
    narrator_tell(n, step->thread, "wait", n->thing, step->edge);
    name_mutex(n);
  } else if (actor->in_wait && !waits) {
    actor->in_wait = false;
    hold(actor, n->lock, n->lock_name);
    narrator_tell(n, step->thread, "wake up from", n->thing, step->edge);
    name_mutex(n);
  }
}

/* What was asked for is not given: the way on is hard to follow without knowing that. */
static void tell_refusal(Narrator *n, Exec *exec, const HuntStep *step) {
  const Program *p = n->program;
  const Edge *e = program_edge(p, step->edge);
  const Expr *callee = e->op == OP_CALL ? program_expr(p, e->a) : NULL;
  uint64_t words[2] = {0};
  if (!callee || callee->kind != EXPR_FUNC || !e->dst ||
      vec_at(&p->locals, e->dst)->bits > 64)
    return;
  const Function *f = vec_at(&p->functions, (FuncId)callee->data);
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&p->effects, f->first_effect + i);
    if (x->kind != EFFECT_ALLOC || !(x->flags & EFFECT_MAY_NULL)) continue;
    if (exec_local(exec, step->thread, e->dst, words) && !words[0])
      narrator_tell(n, step->thread, "get NULL from", sym_text(p, f->name), step->edge);
    return;
  }
}

static void tell_step(Narrator *n, Exec *exec, const HuntStep *step) {
  const Edge *e = program_edge(n->program, step->edge);
  switch ((OpKind)e->op) {
  case OP_CREATE:
    if (n->threads.len > n->threads_before)
      narrator_tell(n, step->thread, "create", narrator_thread(n, n->threads.len),
                    step->edge);
    else
      narrator_tell(n, step->thread, "create, refused", NULL, step->edge);
    break;
  case OP_LOCK: tell_lock(n, exec, step, e); break;
  case OP_UNLOCK:
    let_go(vec_at(&n->threads, step->thread - 1), n->lock);
    narrator_tell(n, step->thread, "unlock", n->thing, step->edge);
    break;
  case OP_WAIT: tell_wait(n, exec, step); break;
  case OP_JOIN:
  case OP_CANCEL:
  case OP_SIGNAL:
  case OP_BROADCAST:
  case OP_BARRIER_WAIT:
  case OP_SEM_WAIT:
  case OP_SEM_POST:
  case OP_ONCE:
  case OP_RELEASE:
  case OP_ACQUIRE:
    narrator_tell(n, step->thread, op_text((OpKind)e->op), n->thing, step->edge);
    break;
  case OPS_SEQUENTIAL: narrate_value(n, exec, step); break;
  case OP_DETACH:
  case OP_EXIT_THREAD:
  case OP_SELF:
  case OP_CANCEL_POINT:
  case OP_LOCK_INIT:
  case OP_LOCK_DESTROY:
  case OP_COND_INIT:
  case OP_COND_DESTROY:
  case OP_BARRIER_INIT:
  case OP_BARRIER_DESTROY:
  case OP_SEM_INIT:
  case OP_SEM_VALUE:
  case OP_SEM_DESTROY:
  case OPS_SECTION: break;
  }
}

static void see_event(void *user, const ExecEvent *event, uint32_t step) {
  order_add(&((Narrator *)user)->log, event, step);
}

static void after_step(void *user, Exec *exec, const HuntStep *step) {
  Narrator *n = user;
  const Witness *w = n->witness;
  meet_threads(n, exec);
  uint32_t number = n->step++;
  assert(number < w->steps.len);
  if (w->unordered && number == w->at[0]) narrate_first(n, exec);
  if (w->unordered && number == w->at[1]) return; /* the second access */
  if (step->kind == CHOICE_STEP) tell_refusal(n, exec, step);
  if (step->kind == CHOICE_STEP)
    tell_step(n, exec, step);
  else
    narrator_tell(n, step->thread,
                  step->kind == CHOICE_TIMEOUT ? "time passes" : "spurious wake-up", NULL,
                  step->edge);
  if (exec_result(exec)->end == EXEC_RUNNING &&
      exec_thread_state(exec, step->thread) == THREAD_ENDED)
    narrator_tell(n, step->thread, "end", NULL, step->edge);
}

/* ---- the end ---- */

FoundAccess narrator_access(Narrator *n, uint32_t thread, const char *kind, EdgeId edge) {
  const Actor *actor = vec_at(&n->threads, thread - 1);
  const char **locks = arena_alloc(n->arena, (actor->locks.len + 1) * sizeof *locks);
  for (uint32_t i = 0; i < actor->locks.len; i++) locks[i] = actor->locks.data[i].name;
  return (FoundAccess){.thread = actor->name,
                       .kind = kind,
                       .place = place_of_edge(n->program, edge),
                       .locks = locks,
                       .lock_count = actor->locks.len};
}

const char *narrator_kind(unsigned kind) {
  if (kind & ACCESS_FREE) return "free";
  if (kind & ACCESS_ATOMIC) return kind & ACCESS_WRITE ? "atomic write" : "atomic read";
  return kind & ACCESS_WRITE ? "write" : "read";
}

/* The two accesses that overlap. */
static void end_with_race(Narrator *n, Exec *exec) {
  const Witness *w = n->witness;
  ExecAccess x[EXEC_ACCESS_MAX], y[EXEC_ACCESS_MAX];
  size_t a = exec_next_access(exec, w->threads[0], w->edges[0], x);
  size_t b = exec_next_access(exec, w->threads[1], w->edges[1], y);
  for (size_t i = 0; i < a; i++)
    for (size_t k = 0; k < b; k++) {
      uint64_t from = x[i].address > y[k].address ? x[i].address : y[k].address;
      bool overlap = from < x[i].address + x[i].size && from < y[k].address + y[k].size;
      if (n->accesses.len || !overlap || !((x[i].kind | y[k].kind) & ACCESS_WRITE))
        continue;
      vec_push(&n->accesses,
               narrator_access(n, w->threads[0], narrator_kind(x[i].kind), w->edges[0]));
      vec_push(&n->accesses,
               narrator_access(n, w->threads[1], narrator_kind(y[k].kind), w->edges[1]));
      ExecObject object;
      n->told.name = narrator_thing(n, exec, from, w->edges[0], &object);
      n->told.object = object.id;
      n->told.offset = from - object.address;
    }
  for (uint32_t i = 0; i < n->accesses.len; i++)
    narrator_tell(n, w->threads[i], n->accesses.data[i].kind, n->told.name, w->edges[i]);
}

static void end_with_assertion(Narrator *n, Exec *exec) {
  const ExecResult *end = exec_result(exec);
  const char *text = sym_text(n->program, program_edge(n->program, end->edge)->path);
  n->told.name = *text ? text : "the assertion";
  n->told.why = "the assertion does not hold at the end of this schedule";
  if (end->thread && end->thread <= n->threads.len)
    vec_push(&n->accesses, narrator_access(n, end->thread, "assert", end->edge));
  narrator_tell(n, end->thread, "fail the assertion", *text ? text : NULL, end->edge);
}

static void at_end(void *user, Exec *exec) {
  Narrator *n = user;
  meet_threads(n, exec);
  tell_input(n, exec);
  switch (n->witness->kind) {
  case WITNESS_NONE: break;
  case WITNESS_RACE:
    if (n->witness->unordered)
      narrate_unordered(n, exec);
    else
      end_with_race(n, exec);
    break;
  case WITNESS_DEADLOCK: narrate_deadlock(n, exec); break;
  case WITNESS_ASSERT: end_with_assertion(n, exec); break;
  }
}

bool narrate(const Program *program, const Witness *witness, Arena *arena,
             Narration *ret) {
  Narrator n = {.program = program, .witness = witness, .arena = arena};
  WitnessWatch watch = {
      .before = before_step, .after = after_step, .end = at_end, .user = &n};
  if (witness->unordered) watch.event = see_event;
  n.marked = narrate_mark(program, witness);
  bool good = witness_follow(program, witness, &watch) && n.accesses.len;
  if (good) {
    *ret = n.told;
    ret->accesses =
        arena_dup(arena, n.accesses.data, n.accesses.len * sizeof *n.accesses.data);
    ret->access_count = n.accesses.len;
    ret->steps = arena_dup(arena, n.steps.data, n.steps.len * sizeof *n.steps.data);
    ret->step_count = n.steps.len;
  }
  for (uint32_t i = 0; i < n.threads.len; i++) vec_free(&n.threads.data[i].locks);
  vec_free(&n.threads);
  mem_free(n.marked);
  order_free(&n.log);
  vec_free(&n.steps);
  vec_free(&n.accesses);
  return good;
}
