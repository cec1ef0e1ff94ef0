/* pointsto_watch: is the points-to analysis right about one run of a program?
 *
 *   pointsto_watch [-s SEED] [-n STEPS] [-a ARGUMENT]... [-f COMPILER-FLAG]... INPUT...
 *   pointsto_watch -t | -p [-f COMPILER-FLAG]... INPUT...
 *
 * In: a program. Out: one line for each edge of which the analysis was wrong, then how much
 * was compared; exit code 1 if there was any such line.
 *
 * The program runs in the interpreter, one edge at a time. Before each step, every address
 * that the edge uses (memory, locks, pointers passed to library functions) must lie in a
 * place that the analysis names for the expression, or in an object that it says is known
 * outside where it says "unknown". After each step, a function that was entered must be one
 * that the analysis expected there. With -t or -p the program does not run: the analysis is
 * timed, or what it says about each store and each call through a pointer is printed. */
#include "analysis/pointsto.h"
#include "base/map.h"
#include "base/str.h"
#include "front/load.h"
#include "model/exec/exec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  const Program *p;
  PointsTo *pt;
  Exec *exec;
  Map reported;       /* edge × 4 + operand */
  Map object_escapes; /* program objects of which some abstract one escapes */
  uint64_t compared;
  unsigned wrong;
} Watch;

/* ---- addresses ---- */

static bool is_literal(const Program *p, ObjectId id) {
  const Object *o = vec_at(&p->objects, id);
  return id && (o->flags & OBJECT_CONSTANT) && (o->flags & OBJECT_LITERAL);
}

/* Objects that the interpreter makes without telling which of the program's they are: state of
 * the library, named semaphores, variable arrays. */
static bool is_nameless(const Object *target, const ExecObject *o) {
  if (o->kind == OBJECT_STACK)
    return target->kind == OBJECT_STACK && (target->flags & OBJECT_DYNAMIC);
  return target->kind == OBJECT_LIBRARY || (target->kind == OBJECT_HEAP && !o->site);
}

/* The target may be this place of this live object. */
static bool names(const Watch *w, const Target *t, const ExecObject *o, uint64_t offset) {
  if (t->function) return false;
  AObjectKind kind = pointsto_object_kind(w->pt, t->object);
  ObjectId id = pointsto_object(w->pt, t->object);
  if (o->id && id != o->id) return is_literal(w->p, id) && is_literal(w->p, o->id);
  if (!o->id && (kind == AOBJECT_PROGRAM || kind == AOBJECT_CONTEXT))
    return is_nameless(vec_at(&w->p->objects, id), o);
  if (!o->id && kind == AOBJECT_ALLOCATED)
    return o->site && pointsto_context(w->pt, t->object) == o->site;
  bool described = kind == AOBJECT_PROGRAM || kind == AOBJECT_CONTEXT;
  return !described || t->offset == OFFSET_ANY ||
         pointsto_fold_offset(w->pt, t->object, offset) == t->offset;
}

static void report(Watch *w, EdgeId edge, unsigned operand, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void report(Watch *w, EdgeId edge, unsigned operand, const char *format, ...) {
  uint64_t *known = map_at(&w->reported, (uint64_t)edge * 64 + operand);
  if (*known) return;
  *known = 1;
  w->wrong++;
  const Edge *e = program_edge(w->p, edge);
  const Loc *loc = &w->p->locs.data[e->loc];
  char text[512];
  va_list ap;
  va_start(ap, format);
  vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  printf("%s:%u:%u: edge %u (%s) operand %u: %s\n", sym_text(w->p, loc->file), loc->line,
         loc->column, edge, op_text((OpKind)e->op), operand, text);
}

static void describe_target(const Watch *w, const Target *t, Str *out) {
  static const char *const kinds[] = {"outside", "",          "",       "allocated",
                                      "varargs", "arguments", "hidden", "buffer"};
  ObjectId id = pointsto_object(w->pt, t->object);
  const Edge *context = program_edge(w->p, pointsto_context(w->pt, t->object));
  if (t->function) {
    str_add(out, sym_text(w->p, w->p->functions.data[t->function].name));
    return;
  }
  str_add(out, id ? sym_text(w->p, w->p->objects.data[id].name)
                  : kinds[pointsto_object_kind(w->pt, t->object)]);
  if (pointsto_object_kind(w->pt, t->object) == AOBJECT_CONTEXT)
    str_addf(out, "@%u", w->p->locs.data[context->loc].line);
  if (t->offset == OFFSET_ANY)
    str_add(out, "+any");
  else if (t->offset)
    str_addf(out, "+%u", t->offset);
}

enum { SHOWN_MAX = 12 };

static void describe_targets(const Watch *w, Targets t, Str *out) {
  str_add(out, "{");
  for (uint32_t i = 0; i < t.count && i < SHOWN_MAX; i++) {
    str_add(out, i ? ", " : "");
    describe_target(w, &t.targets[i], out);
  }
  str_add(out, t.count > SHOWN_MAX ? ", …" : "");
  str_add(out, t.unknown ? (t.count ? ", unknown}" : "unknown}") : "}");
}

static void check_address(Watch *w, EdgeId edge, unsigned operand, ExprId expr,
                          uint64_t address) {
  ExecObject o;
  if (!expr || !exec_find_object(w->exec, address, &o)) return;
  uint64_t offset = address - o.address;
  if (offset >= o.size) return;
  w->compared++;
  Targets t = pointsto_expr(w->pt, expr);
  for (uint32_t i = 0; i < t.count; i++)
    if (names(w, &t.targets[i], &o, offset)) return;
  if (t.unknown && (!o.id || map_get(&w->object_escapes, o.id))) return;
  Str where = {0}, set = {0};
  exec_describe(w->exec, address, &where);
  describe_targets(w, t, &set);
  report(w, edge, operand, "%s [object %u, offset %" PRIu64 "] is not in %s",
         str_text(&where), o.id, offset, str_text(&set));
  str_free(&where);
  str_free(&set);
}

/* Pointers among the arguments of a library function: it uses them itself. */
static void check_arguments(Watch *w, uint32_t thread, EdgeId edge) {
  const Edge *e = program_edge(w->p, edge);
  for (uint32_t i = 0; i < e->arg_count; i++) {
    ExprId value = vec_at(&w->p->args, e->first_arg + i)->value;
    const Expr *x = program_expr(w->p, value);
    uint64_t word;
    if (x->kind == EXPR_LOCAL && x->sort == SORT_PTR &&
        exec_local(w->exec, thread, (LocalId)x->data, &word))
      check_address(w, edge, 4 + i, value, word);
  }
}

static void check_edge(Watch *w, uint32_t thread, EdgeId edge) {
  const Edge *e = program_edge(w->p, edge);
  ExecAccess accesses[EXEC_ACCESS_MAX];
  size_t count = exec_next_access(w->exec, thread, edge, accesses);
  for (size_t i = 0; i < count; i++)
    if (accesses[i].size)
      check_address(w, edge, (unsigned)i, accesses[i].operand, accesses[i].address);
  uint64_t sync = exec_next_sync(w->exec, thread, edge);
  if (sync) check_address(w, edge, 0, e->a, sync);
  uint64_t lock = e->op == OP_WAIT ? exec_next_lock(w->exec, thread, edge) : 0;
  if (lock) check_address(w, edge, 1, e->b, lock);
  if (e->op == OP_CALL) check_arguments(w, thread, edge);
}

/* ---- calls ---- */

/* The function at whose very beginning the thread stands, or 0. */
static FuncId entered(const Watch *w, uint32_t thread) {
  EdgeId next;
  if (!exec_next_edges(w->exec, thread, &next, 1)) return 0;
  NodeId node = program_edge(w->p, next)->from;
  FuncId f = w->p->nodes.data[node].function;
  return w->p->functions.data[f].entry == node ? f : 0;
}

static void check_call(Watch *w, EdgeId edge, FuncId function) {
  const FuncId *callees;
  uint32_t n = pointsto_callees(w->pt, edge, &callees);
  w->compared++;
  for (uint32_t i = 0; i < n; i++)
    if (callees[i] == function) return;
  report(w, edge, 3, "enters %s, which is none of the %u expected",
         sym_text(w->p, w->p->functions.data[function].name), n);
}

/* A call of a library function that calls nothing back: what is entered is the handler of a
 * signal, which may come anywhere. */
static bool raises_signal(const Watch *w, EdgeId edge) {
  const FuncId *callees;
  uint32_t n = pointsto_callees(w->pt, edge, &callees);
  const Function *f = n == 1 ? &w->p->functions.data[callees[0]] : NULL;
  bool quiet = f && (f->flags & FUNCTION_RULE);
  for (uint32_t i = 0; quiet && i < f->effect_count; i++)
    quiet = w->p->effects.data[f->first_effect + i].kind != EFFECT_CALL;
  return quiet;
}

static void check_entered(Watch *w, uint32_t thread, EdgeId edge,
                          uint32_t threads_before) {
  const Edge *e = program_edge(w->p, edge);
  FuncId f = entered(w, thread);
  if (f && !pointsto_is_reachable(w->pt, f))
    report(w, edge, 2, "enters %s, which is unreachable",
           sym_text(w->p, w->p->functions.data[f].name));
  bool loops = f && e->to == w->p->functions.data[f].entry;
  if (f && !loops && (e->op == OP_ONCE || (e->op == OP_CALL && !raises_signal(w, edge))))
    check_call(w, edge, f);
  for (uint32_t t = threads_before + 1; t <= exec_thread_count(w->exec); t++) {
    FuncId start = entered(w, t);
    /* a timer's thread begins when the timer is set; which function that is was said before */
    bool said = e->op == OP_CALL && raises_signal(w, edge);
    if (start && said && !pointsto_is_reachable(w->pt, start))
      report(w, edge, 2, "starts %s, which is unreachable",
             sym_text(w->p, w->p->functions.data[start].name));
    if (start && !said) check_call(w, edge, start);
  }
}

/* ---- a run ---- */

typedef struct {
  uint64_t seed, steps;
} Limits;

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static void follow(Watch *w, Limits limits) {
  uint64_t random = limits.seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
  const ExecChoice *choices;
  uint32_t last = 0;
  for (uint64_t step = 0; step < limits.steps; step++) {
    size_t n = exec_choices(w->exec, &choices), pick = 0;
    if (!n) return;
    bool stay = next_random(&random) % 8 != 0; /* most steps are of the same thread */
    while (pick < n && stay && choices[pick].thread != last) pick++;
    if (pick == n || !stay) pick = next_random(&random) % n;
    ExecChoice choice = choices[pick];
    uint32_t threads = exec_thread_count(w->exec);
    last = choice.thread;
    if (choice.kind == CHOICE_STEP) check_edge(w, choice.thread, choice.edge);
    if (!exec_step(w->exec, pick)) return;
    if (choice.kind == CHOICE_STEP) check_entered(w, choice.thread, choice.edge, threads);
  }
}

static void drop_output(void *user, int fd, const void *bytes, size_t n) {
  (void)user;
  (void)fd;
  (void)bytes;
  (void)n;
}

static int watch(const Program *program, PointsTo *pt, Limits limits, int argc,
                 const char *const *argv) {
  Watch w = {.p = program, .pt = pt};
  for (AObject o = 1; o < pointsto_object_count(pt); o++)
    if (pointsto_escapes(pt, o)) map_put(&w.object_escapes, pointsto_object(pt, o), 1);
  ExecOptions options = {.seed = limits.seed,
                         .stepwise = true,
                         .isolated = true,
                         .output = drop_output,
                         .argc = argc,
                         .argv = argv};
  w.exec = exec_new(program, &options);
  follow(&w, limits);
  const ExecResult *end = exec_result(w.exec);
  printf("%u wrong, %" PRIu64 " compared in %" PRIu64 " steps%s%s\n", w.wrong, w.compared,
         end->steps, end->end == EXEC_STOPPED ? ", stopped: " : "",
         end->end == EXEC_STOPPED && end->text ? end->text : "");
  exec_free(w.exec);
  map_free(&w.reported);
  map_free(&w.object_escapes);
  return w.wrong ? 1 : 0;
}

/* ---- without a run ---- */

static int print(const Program *p, PointsTo *pt) {
  Watch w = {.p = p, .pt = pt};
  Str out = {0};
  for (EdgeId id = 1; id < p->edges.len; id++) {
    const Edge *e = &p->edges.data[id];
    bool called = e->op == OP_CALL && program_expr(p, e->a)->kind != EXPR_FUNC;
    if (e->op != OP_STORE && !called) continue;
    const Loc *loc = &p->locs.data[e->loc];
    str_addf(&out, "%u:%u %s ", loc->line, loc->column, op_text((OpKind)e->op));
    if (*sym_text(p, e->path)) str_addf(&out, "%s ", sym_text(p, e->path));
    const FuncId *callees;
    uint32_t n = called ? pointsto_callees(pt, id, &callees) : 0;
    if (!called) describe_targets(&w, pointsto_expr(pt, e->a), &out);
    for (uint32_t i = 0; i < n; i++)
      str_addf(&out, i ? ", %s" : "%s", sym_text(p, p->functions.data[callees[i]].name));
    str_add(&out, called && pointsto_calls_unknown(pt, id) ? ", unknown\n" : "\n");
  }
  fputs(str_text(&out), stdout);
  str_free(&out);
  return 0;
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int measure(const Program *p, const PointsTo *pt, double took) {
  uint64_t accesses = 0, targets = 0, unknown = 0;
  for (EdgeId e = 1; e < p->edges.len; e++) {
    const Edge *x = &p->edges.data[e];
    if (x->op != OP_LOAD && x->op != OP_STORE) continue;
    Targets t = pointsto_expr(pt, x->a);
    accesses++;
    targets += t.count;
    unknown += t.unknown;
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("{\"seconds\": %.3f, \"megabytes\": %ld, \"lines\": %u, \"edges\": %u, "
         "\"accesses\": %" PRIu64 ", \"targets\": %.2f, \"unknown\": %.3f}\n",
         took, usage.ru_maxrss / 1024, p->line_count, p->edges.len, accesses,
         accesses ? (double)targets / (double)accesses : 0.0,
         accesses ? (double)unknown / (double)accesses : 0.0);
  return 0;
}

int main(int argc, char **argv) {
  VEC(const char *) flags = {0}, arguments = {0};
  Limits limits = {.seed = 1, .steps = 200000};
  bool timed = false, printed = false;
  int option, code = 2;
  vec_push(&arguments, "program");
  while ((option = getopt(argc, argv, "s:n:a:f:tp")) != -1) {
    switch (option) {
    case 's': limits.seed = strtoull(optarg, NULL, 10); break;
    case 'n': limits.steps = strtoull(optarg, NULL, 10); break;
    case 'a': vec_push(&arguments, optarg); break;
    case 'f': vec_push(&flags, optarg); break;
    case 't': timed = true; break;
    case 'p': printed = true; break;
    default: return 2;
    }
  }
  FrontRequest request = {.inputs = (const char *const *)argv + optind,
                          .input_count = (size_t)(argc - optind),
                          .flags = flags.data,
                          .flag_count = flags.len};
  Program program = {0};
  Err err = {0};
  if (front_load(&request, &program, &err)) {
    double before = seconds();
    PointsTo *pt = pointsto_new(&program, NULL);
    double took = seconds() - before;
    code = timed     ? measure(&program, pt, took)
           : printed ? print(&program, pt)
                     : watch(&program, pt, limits, (int)arguments.len, arguments.data);
    pointsto_free(pt);
  } else {
    Str text = {0};
    err_format(&err, &text);
    fprintf(stderr, "%s\n", str_text(&text));
    str_free(&text);
  }
  program_free(&program);
  vec_free(&flags);
  vec_free(&arguments);
  return code;
}
