/* What enables, disables and posts the events of a harness: variables of the program, and
 * functions that it calls without defining them, which the harness defines.
 *
 * A function with a body cannot be one of them: its body says what it does, and the
 * variable that it sets can be named instead. */
#include "harness/plan.h"

#include "base/opt.h"

/* ---- variables ---- */

static bool no_such_variable(Planner *m, const HarnessName *name) {
  const Program *p = m->plan->program;
  VEC(const char *) names = {0};
  for (ObjectId o = 1; o < p->objects.len; o++)
    if (p->objects.data[o].kind == OBJECT_GLOBAL && !p->objects.data[o].owner)
      vec_push(&names, sym_text(p, p->objects.data[o].name));
  vec_push(&names, NULL);
  const char *meant = opt_nearest(name->name, names.data);
  char *remedy = meant ? str_printf("did you mean %s?", meant)
                       : str_dup("name a variable of file scope");
  plan_fail(m, name->place, remedy, "the program has no global variable '%s'",
            name->name);
  mem_free(remedy);
  vec_free(&names);
  return false;
}

static bool is_atomic(const Program *p, TypeId type) {
  for (int i = 0; i < 32 && type; i++) {
    const Type *t = vec_at(&p->types, type);
    if (t->flags & TYPE_ATOMIC) return true;
    type = t->kind == TYPE_ALIAS ? t->elem : 0;
  }
  return false;
}

static bool plan_variable(Planner *m, const HarnessName *name) {
  const Program *p = m->plan->program;
  const Object *found = NULL;
  for (uint32_t i = 0; i < m->plan->variables.len; i++)
    if (str_eq(m->plan->variables.data[i].name, name->name)) return true;
  for (ObjectId o = 1; o < p->objects.len; o++) {
    const Object *object = &p->objects.data[o];
    if (object->kind != OBJECT_GLOBAL || object->owner ||
        (object->flags & OBJECT_LITERAL) ||
        !plan_is_called(sym_text(p, object->name), name->name))
      continue;
    if (found)
      return plan_fail(m, name->place, "give one of them another name",
                       "several files have a variable '%s'", name->name);
    found = object;
  }
  if (!found) return no_such_variable(m, name);
  PlanVariable variable = {.name = name->name,
                           .c_type = ctypes_scalar(p, found->type),
                           .atomic = is_atomic(p, found->type)};
  if (!variable.c_type)
    return plan_fail(m, name->place, "name a variable that is a number",
                     "the variable %s is no number", name->name);
  vec_push(&m->plan->variables, variable);
  return true;
}

/* ---- functions ---- */

static FuncId find_declared(const Program *p, const char *name) {
  for (FuncId f = 1; f < p->functions.len; f++)
    if (str_eq(sym_text(p, p->functions.data[f].name), name)) return f;
  return 0;
}

/* Some call, which tells the types of the arguments: declarations do not. */
static const Edge *find_use(const Program *p, FuncId f) {
  for (EdgeId id = 1; id < p->edges.len; id++) {
    const Edge *e = program_edge(p, id);
    if (e->op != OP_CALL) continue;
    const Expr *callee = program_expr(p, e->a);
    if (callee->kind == EXPR_FUNC && callee->data == f) return e;
  }
  return NULL;
}

static bool check_patterns(Planner *m, const HarnessHook *said, const PlanHook *hook) {
  if (said->pattern_count > hook->arg_count)
    return plan_fail(m, said->place, "write one _, number or itself for each argument",
                     "%s has %u arguments, not %u", hook->name, hook->arg_count,
                     said->pattern_count);
  for (uint32_t i = 0; i < said->pattern_count; i++) {
    bool pointer = str_eq(hook->c_args[i], "void *");
    HarnessPatternKind kind = said->patterns[i].kind;
    if (kind != PATTERN_ANY && pointer != (kind == PATTERN_ITSELF))
      return plan_fail(
          m, said->place,
          pointer ? "write itself or _ for it" : "write a number or _ for it",
          "argument %u of %s is %s pointer", i + 1, hook->name, pointer ? "a" : "no");
  }
  return true;
}

static bool fill_hook(Planner *m, const HarnessHook *said, FuncId id, const Edge *use,
                      PlanHook *hook) {
  Plan *plan = m->plan;
  const Program *p = plan->program;
  const Function *f = &p->functions.data[id];
  hook->arg_count = f->param_count;
  hook->c_args = arena_alloc_zero(plan->arena, (f->param_count + 1) * sizeof(char *));
  bool plain = !(f->flags & FUNCTION_VARARGS) && use->arg_count == f->param_count;
  for (uint32_t i = 0; plain && i < f->param_count; i++) {
    const Arg *arg = vec_at(&p->args, use->first_arg + i);
    const Expr *value = program_expr(p, arg->value);
    hook->c_args[i] = plan_value_type(p, (Sort)value->sort, value->bits, 0);
    plain = hook->c_args[i] && !arg->passing.byval_size;
  }
  if (f->return_bits)
    hook->c_result = plan_value_type(p, (Sort)f->return_sort, f->return_bits, 0);
  if (!plain || (f->return_bits && !hook->c_result))
    return plan_fail(m, said->place, "call it through a function of numbers and pointers",
                     "%s takes or returns what a harness cannot write", said->function);
  return true;
}

static bool plan_hook(Planner *m, const HarnessHook *said) {
  Plan *plan = m->plan;
  const Program *p = plan->program;
  for (uint32_t i = 0; i < plan->hooks.len; i++)
    if (str_eq(plan->hooks.data[i].name, said->function))
      return check_patterns(m, said, &plan->hooks.data[i]);
  FuncId id = find_declared(p, said->function);
  const Edge *use = id ? find_use(p, id) : NULL;
  uint32_t flags = id ? p->functions.data[id].flags : 0;
  if (flags & FUNCTION_DEFINED)
    return plan_fail(m, said->place, "name the variable that it sets: when VARIABLE",
                     "the program defines %s, so its body says what it does",
                     said->function);
  if (flags & FUNCTION_RULE)
    return plan_fail(m, said->place, "call it through a function of another name",
                     "the library table says what %s does", said->function);
  if (!use)
    return plan_fail(m, said->place, "name a function that is declared and called",
                     "the program does not call '%s'", said->function);
  PlanHook hook = {.name = said->function};
  if (!fill_hook(m, said, id, use, &hook) || !check_patterns(m, said, &hook))
    return false;
  vec_push(&plan->hooks, hook);
  return true;
}

static bool plan_hooks(Planner *m, const HarnessHooks *said) {
  for (uint32_t i = 0; i < said->len; i++)
    if (!plan_hook(m, &said->data[i])) return false;
  return true;
}

/* ---- what is taken for granted ---- */

static void add_names(Str *out, const char *before, const HarnessHooks *hooks) {
  for (uint32_t i = 0; i < hooks->len; i++)
    str_addf(out, "%s%s", i ? ", " : before, hooks->data[i].function);
}

static void note_event(Plan *plan, const HarnessEvent *e) {
  Str text = {0};
  str_addf(&text, "%s %s ", e->task ? "the task" : "the interrupt",
           plan->harness->calls.data[e->call].name);
  str_add(&text, e->task ? "begins when no other task" : "may come at any time");
  if (e->task && plan->tasks_wait) str_add(&text, " and no interrupt handler");
  if (e->task) str_add(&text, " runs");
  for (uint32_t i = 0; i < e->when.len; i++)
    str_addf(&text, "%s%s", i ? " and " : ", while ", e->when.data[i].name);
  if (e->when.len) str_add(&text, e->when.len > 1 ? " are not 0" : " is not 0");
  add_names(&text, ", enabled by ", &e->enable);
  if (e->enabled_first) str_add(&text, " and at first");
  add_names(&text, ", disabled by ", &e->disable);
  if (e->disables_itself) str_add(&text, ", disabled when it begins");
  add_names(&text, ", posted by ", &e->post);
  if (e->post.len) str_add(&text, e->queued ? ", as often as posted" : "");
  if (e->atomic) str_add(&text, ", and is one step");
  plan_note(plan, e->place.line, "%s", str_text(&text));
  str_free(&text);
}

static bool is_event(const Harness *h, const char *hook, const char *routine) {
  for (uint32_t i = 0; i < h->events.len; i++) {
    const HarnessHooks *post = &h->events.data[i].post;
    for (uint32_t k = 0; k < post->len; k++)
      if (str_eq(post->data[k].function, hook) &&
          plan_is_called(routine, h->calls.data[h->events.data[i].call].routine))
        return true;
  }
  return false;
}

/* Where the function that posts is told what, something may be posted that the harness
 * does not know. It never runs, which must be said. */
static void note_posts(Plan *plan, const HarnessHook *said) {
  const Program *p = plan->program;
  VEC(uint64_t) seen = {0};
  for (EdgeId id = 1; id < p->edges.len; id++) {
    const Edge *e = program_edge(p, id);
    if (e->op != OP_CALL) continue;
    const Expr *callee = program_expr(p, e->a);
    if (callee->kind != EXPR_FUNC ||
        !str_eq(sym_text(p, p->functions.data[callee->data].name), said->function))
      continue;
    for (uint32_t i = 0; i < said->pattern_count && i < e->arg_count; i++) {
      const Expr *arg = program_expr(p, vec_at(&p->args, e->first_arg + i)->value);
      if (said->patterns[i].kind != PATTERN_ITSELF || arg->kind != EXPR_FUNC) continue;
      const char *name = sym_text(p, p->functions.data[arg->data].name);
      bool known = is_event(plan->harness, said->function, name);
      for (uint32_t k = 0; k < seen.len && !known; k++) known = seen.data[k] == arg->data;
      if (known) continue;
      vec_push(&seen, arg->data);
      plan_note(plan, said->place.line, "%s, which is posted by %s, never runs", name,
                said->function);
    }
  }
  vec_free(&seen);
}

static void note_all_posts(Plan *plan) {
  const Harness *h = plan->harness;
  for (uint32_t i = 0; i < plan->hooks.len; i++) {
    const HarnessHook *found = NULL;
    for (uint32_t e = 0; e < h->events.len; e++)
      for (uint32_t k = 0; k < h->events.data[e].post.len && !found; k++)
        if (str_eq(h->events.data[e].post.data[k].function, plan->hooks.data[i].name))
          found = &h->events.data[e].post.data[k];
    if (found) note_posts(plan, found);
  }
}

bool plan_events(Planner *m) {
  const Harness *h = m->plan->harness;
  bool tasks = false, handlers = false;
  for (uint32_t i = 0; i < h->events.len; i++) {
    const HarnessEvent *e = &h->events.data[i];
    tasks = tasks || e->task;
    handlers = handlers || !e->task;
    for (uint32_t k = 0; k < e->when.len; k++)
      if (!plan_variable(m, &e->when.data[k])) return false;
    if (!plan_hooks(m, &e->enable) || !plan_hooks(m, &e->disable) ||
        !plan_hooks(m, &e->post))
      return false;
  }
  m->plan->tasks_wait = tasks && handlers;
  for (uint32_t i = 0; i < h->events.len; i++) note_event(m->plan, &h->events.data[i]);
  note_all_posts(m->plan);
  return true;
}
