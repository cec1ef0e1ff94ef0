/* The accesses to memory that a schedule's error depends on, with their values.
 *
 * A thread goes the way it goes because of what it reads. So the story has every atomic
 * access, and of plain memory what threads share while they run: where the error is about
 * values (an assertion, a deadlock) all of it, where it is a race the reads that a
 * condition follows, and the writes that they find. What a thread had before it was
 * created decides nothing between threads, nor does what is read of it after it was joined,
 * but for assertions about it. A read that is repeated until it finds something is told once for each value. */
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "engine/narrate_parts.h"

#include <assert.h>
#include <string.h>

enum { LOOK_AHEAD = 6, MOST_TOLD = 400 };

/* ---- which steps ---- */

typedef struct {
  const Program *program;
  WitnessKind kind;
  OrderLog log;
  VEC(uint32_t) created, joined; /* event of each thread (number n at n - 1), + 1 */
  Map last;                      /* address << 8 | thread: last access, + 1 */
  Map shared;                    /* addresses */
} Finder;

static void see_event(void *user, const ExecEvent *event, uint32_t step) {
  order_add(&((Finder *)user)->log, event, step);
}

static uint32_t *slot(Finder *f, bool joins, uint32_t thread) {
  assert(thread);
  while (f->created.len < thread) {
    vec_push(&f->created, 0);
    vec_push(&f->joined, 0);
  }
  return joins ? &f->joined.data[thread - 1] : &f->created.data[thread - 1];
}

static bool is_plain(const ExecEvent *e) {
  return e->kind == EVENT_ACCESS && !e->hidden && !e->order;
}

static uint64_t key_of(uint64_t address, uint32_t thread) {
  return address << 8 | (thread & 255);
}

/* Another thread has used the place while this one existed, and one of the two writes. */
static void look_at(Finder *f, uint32_t i) {
  const ExecEvent *e = &f->log.events.data[i].event;
  for (uint32_t t = 1; t <= f->log.last.len && t < 256; t++) {
    uint32_t at = (uint32_t)map_find(&f->last, key_of(e->address, t), 0);
    if (t == e->thread || !at) continue;
    const ExecEvent *other = &f->log.events.data[at - 1].event;
    bool over = *slot(f, true, t) && f->kind != WITNESS_ASSERT;
    if (at > *slot(f, false, e->thread) && !over &&
        ((e->access | other->access) & ACCESS_WRITE))
      map_put(&f->shared, e->address, 1);
  }
  map_put(&f->last, key_of(e->address, e->thread), (uint64_t)i + 1);
}

static void find_shared(Finder *f) {
  for (uint32_t i = 0; i < f->log.events.len; i++) {
    const ExecEvent *e = &f->log.events.data[i].event;
    if (e->kind == EVENT_CREATE)
      *slot(f, false, e->other) = i + 1;
    else if (e->kind == EVENT_JOIN)
      *slot(f, true, e->other) = i + 1;
    else if (is_plain(e))
      look_at(f, i);
  }
}

static bool uses(const Program *p, ExprId id, LocalId local, int depth) {
  const Expr *e = vec_at(&p->exprs, id);
  if (e->kind == EXPR_LOCAL) return e->data == local;
  int n = expr_operand_count((ExprKind)e->kind);
  if (depth > 8) return true;
  return (n > 0 && uses(p, e->a, local, depth + 1)) ||
         (n > 1 && uses(p, e->b, local, depth + 1)) ||
         (n > 2 && uses(p, e->c, local, depth + 1));
}

/* What the edge loads is soon looked at by a condition, directly or through a copy. */
static bool decides(const Program *p, EdgeId edge) {
  const Edge *load = program_edge(p, edge);
  LocalId local = load->dst;
  NodeId node = load->to;
  for (int i = 0; i < LOOK_AHEAD && node && local; i++) {
    EdgeId first = node_first_edge(p, node), end = node_end_edge(p, node);
    for (EdgeId e = first; e < end; e++)
      if (program_edge(p, e)->op == OP_ASSUME && uses(p, program_edge(p, e)->a, local, 0))
        return true;
    if (end - first != 1) return false;
    const Edge *next = program_edge(p, first);
    if (next->op == OP_ASSIGN && uses(p, next->a, local, 0)) local = next->dst;
    node = next->to;
  }
  return false;
}

static void mark_reads(Finder *f, const Witness *w, uint8_t *marked) {
  Map writer = {0};
  for (uint32_t i = 0; i < f->log.events.len; i++) {
    const ExecEvent *e = &f->log.events.data[i].event;
    uint32_t step = f->log.events.data[i].step;
    if (e->kind != EVENT_ACCESS || e->hidden) continue;
    bool told = e->order || (map_get(&f->shared, e->address) &&
                             (w->kind != WITNESS_RACE || decides(f->program, e->edge)));
    if (told && step < w->steps.len) marked[step] = 1;
    uint32_t found = (uint32_t)map_find(&writer, e->address, 0);
    if (told && (e->access & ACCESS_READ) && found && map_get(&f->shared, e->address))
      marked[found - 1] = 1;
    if (e->access & ACCESS_WRITE) map_put(&writer, e->address, (uint64_t)step + 1);
  }
  map_free(&writer);
}

uint8_t *narrate_mark(const Program *program, const Witness *w) {
  Finder f = {.program = program, .kind = w->kind};
  uint8_t *marked = mem_alloc_zero(w->steps.len + 1);
  WitnessWatch watch = {.event = see_event, .user = &f};
  if (witness_follow(program, w, &watch)) {
    find_shared(&f);
    mark_reads(&f, w, marked);
  }
  if (w->unordered) marked[w->at[0]] = marked[w->at[1]] = 0; /* told anyway */
  order_free(&f.log);
  vec_free(&f.created);
  vec_free(&f.joined);
  map_free(&f.last);
  map_free(&f.shared);
  return marked;
}

/* ---- what they do ---- */

void narrate_look(Narrator *n, Exec *exec, const HuntStep *step) {
  ExecAccess access[EXEC_ACCESS_MAX];
  assert(n->step <= n->witness->steps.len);
  n->access_size = 0;
  if (!n->marked[n->step] ||
      exec_next_access(exec, step->thread, step->edge, access) != 1 || access[0].size > 8)
    return;
  n->access = access[0].address;
  n->before = 0;
  if (exec_peek_memory(exec, n->access, &n->before, access[0].size))
    n->access_size = (uint32_t)access[0].size;
}

/* The number as the source would write it. */
static const char *number(Narrator *n, uint64_t value, uint32_t size, uint8_t sort) {
  if (sort == SORT_PTR) return value ? "a pointer" : "NULL";
  if (sort == SORT_FLOAT && size == 8) {
    double x;
    memcpy(&x, &value, sizeof x);
    return arena_printf(n->arena, "%g", x);
  }
  int64_t s = size == 1   ? (int8_t)value
              : size == 2 ? (int16_t)value
              : size == 4 ? (int32_t)value
                          : (int64_t)value;
  return arena_printf(n->arena, "%lld", (long long)s);
}

/* Not again what the thread has told last. */
static void tell_once(Narrator *n, const HuntStep *step, const char *op,
                      const char *object) {
  Actor *actor = vec_at(&n->threads, step->thread - 1);
  if (actor->last_edge == step->edge && actor->last_op && str_eq(actor->last_op, op))
    return;
  actor->last_edge = step->edge;
  actor->last_op = op;
  if (n->values_told++ < MOST_TOLD)
    narrator_tell(n, step->thread, op, object, step->edge);
}

void narrate_value(Narrator *n, Exec *exec, const HuntStep *step) {
  const Program *p = n->program;
  const Edge *e = program_edge(p, step->edge);
  uint64_t after = 0, words[8] = {0};
  if (e->op == OP_HAVOC && e->dst && vec_at(&p->locals, e->dst)->bits <= 64 &&
      exec_local(exec, step->thread, e->dst, words)) {
    const Local *local = vec_at(&p->locals, e->dst);
    const char *text = number(n, words[0],
                              local->bits > 32   ? 8
                              : local->bits > 16 ? 4
                                                 : 2,
                              local->sort);
    tell_once(n, step, arena_printf(n->arena, "choose %s", text), NULL);
    return;
  }
  if (!n->access_size || !exec_peek_memory(exec, n->access, &after, n->access_size))
    return;
  ExecObject object;
  const char *name = narrator_thing(n, exec, n->access, step->edge, &object);
  uint8_t sort =
      e->op == OP_LOAD ? vec_at(&p->locals, e->dst)->sort : vec_at(&p->exprs, e->b)->sort;
  const char *was = number(n, n->before, n->access_size, sort);
  const char *is = number(n, after, n->access_size, sort);
  const char *op = e->op == OP_LOAD    ? arena_printf(n->arena, "read %s from", is)
                   : e->op == OP_STORE ? arena_printf(n->arena, "write %s to", is)
                   : n->before == after && e->op == OP_CMPXCHG
                       ? arena_printf(n->arena, "find %s in", is)
                       : arena_printf(n->arena, "change %s to %s in", was, is);
  tell_once(n, step, op, name);
}
