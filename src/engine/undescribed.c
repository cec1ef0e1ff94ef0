/* See undescribed.h. One pass over the edges that may run finds the callees; a function is
 * listed once, with its first call. Whether a function "has a body" is the model's word:
 * whatever any input defines is FUNCTION_DEFINED there. */
#include "engine/undescribed.h"

#include "base/str.h"

typedef struct {
  Analyses *a;
  const PointsTo *pt; /* or NULL */
  const Program *p;
  Arena *arena;
  Map known;         /* function to 1: already listed; 0 is the one behind a pointer */
  EdgeId stray;      /* starts code of which nothing is known as a thread, or 0 */
  FuncId stray_code; /* that code, 0 if only a pointer is known */
} Survey;

/* ---- the line for a rules file ---- */

/* Says as a rule what is assumed of a call with these arguments. */
static const char *rule_line(const Survey *s, const char *name, const Edge *call) {
  Str head = {0}, reads = {0}, writes = {0};
  for (uint32_t i = 0; i < call->arg_count; i++) {
    char param[2] = {(char)('a' + i % 26), 0};
    ExprId value = vec_at(&s->p->args, call->first_arg + i)->value;
    str_addf(&head, "%s%s", i ? ", " : "", param);
    if (program_expr(s->p, value)->sort != SORT_PTR) continue;
    str_addf(&reads, "%sdeep %s", reads.len ? ", " : "", param);
    str_addf(&writes, "%sdeep %s", writes.len ? ", " : "", param);
  }
  const char *line =
      reads.len ? arena_printf(s->arena, "%s(%s)  reads %s; writes %s", name,
                               str_text(&head), str_text(&reads), str_text(&writes))
                : arena_printf(s->arena, "%s(%s)  nothing", name, str_text(&head));
  str_free(&head);
  str_free(&reads);
  str_free(&writes);
  return line;
}

/* ---- which code ---- */

static bool is_undescribed(const Program *p, FuncId f) {
  uint32_t flags = p->functions.data[f].flags;
  return (flags & FUNCTION_UNKNOWN) && !(flags & FUNCTION_PURE);
}

static void list(Survey *s, FuncId f, EdgeId id) {
  if (map_get(&s->known, f)) return;
  map_put(&s->known, f, 1);
  const Edge *e = program_edge(s->p, id);
  const char *name = f ? sym_text(s->p, s->p->functions.data[f].name)
                       : "a function that is only known by a pointer";
  /* assembly has its text for a name */
  bool named =
      f && !(s->p->functions.data[f].flags & FUNCTION_QUIET) && !strchr(name, ' ');
  bool called = named && e->op == OP_CALL &&
                program_expr(s->p, e->a)->kind == EXPR_FUNC &&
                (FuncId)program_expr(s->p, e->a)->data == f;
  vec_push(
      &s->a->undescribed,
      ((Undescribed){.name = arena_strdup(s->arena, name),
                     .rule = called  ? rule_line(s, name, e)
                             : named ? arena_printf(s->arena, "%s(...)  nothing", name)
                                     : NULL,
                     .place = place_of_edge(s->p, id),
                     .assembly = f && !named}));
}

static uint32_t callees(const Survey *s, EdgeId id, FuncId *one, const FuncId **ret) {
  if (s->pt) return pointsto_callees(s->pt, id, ret);
  const Edge *e = program_edge(s->p, id);
  const Expr *x = program_expr(s->p, e->op == OP_CALL ? e->a : e->b);
  *one = x->kind == EXPR_FUNC ? (FuncId)x->data : 0;
  *ret = one;
  return *one ? 1 : 0;
}

static void visit_call(Survey *s, EdgeId id) {
  const FuncId *functions;
  FuncId one;
  uint32_t n = callees(s, id, &one, &functions);
  for (uint32_t i = 0; i < n; i++)
    if (is_undescribed(s->p, functions[i])) list(s, functions[i], id);
  if (s->pt ? pointsto_calls_unknown(s->pt, id) : !n) list(s, 0, id);
}

/* A thread, or what is run once: its function must be there. */
static void visit_start(Survey *s, EdgeId id) {
  const FuncId *functions;
  FuncId one;
  uint32_t n = callees(s, id, &one, &functions);
  FuncId missing = 0;
  bool stray = !n || (s->pt && pointsto_calls_unknown(s->pt, id));
  for (uint32_t i = 0; i < n; i++)
    if (!(s->p->functions.data[functions[i]].flags & FUNCTION_DEFINED)) {
      missing = functions[i];
      stray = true;
    }
  if (!stray || s->stray) return;
  s->stray = id;
  s->stray_code = missing;
}

static void visit(Survey *s, EdgeId id) {
  const Edge *e = program_edge(s->p, id);
  if (e->op == OP_CALL) visit_call(s, id);
  if (e->op == OP_CREATE || e->op == OP_ONCE) visit_start(s, id);
}

static void survey(Survey *s) {
  for (FuncId f = 1; f < s->p->functions.len; f++) {
    const Function *function = &s->p->functions.data[f];
    if (!(function->flags & FUNCTION_DEFINED)) continue;
    if (s->pt && !pointsto_is_reachable(s->pt, f)) continue;
    for (uint32_t i = 0; i < function->edge_count; i++)
      visit(s, function->first_edge + i);
  }
}

/* ---- what follows ---- */

static const char *why_stray(const Survey *s) {
  const Program *p = s->p;
  bool thread = program_edge(p, s->stray)->op == OP_CREATE;
  if (!s->stray_code)
    return arena_printf(s->arena, "%s, and nobody knows which function that is",
                        thread ? "starts a thread" : "runs something once");
  return arena_printf(
      s->arena, "%s %s%s, which has no body here", thread ? "starts a thread in" : "runs",
      sym_text(p, p->functions.data[s->stray_code].name), thread ? "" : " once");
}

static const char *why_strict(const Survey *s) {
  enum { NAMED = 3 };
  Str text = {0};
  str_add(&text, "it rests on what nobody described: ");
  for (uint32_t i = 0; i < s->a->undescribed.len && i < NAMED; i++)
    str_addf(&text, "%s%s", i ? ", " : "", s->a->undescribed.data[i].name);
  if (s->a->undescribed.len > NAMED)
    str_addf(&text, " and %u more", s->a->undescribed.len - NAMED);
  const char *kept = arena_strdup(s->arena, str_text(&text));
  str_free(&text);
  return kept;
}

void undescribed_survey(Analyses *a) {
  Survey s = {.a = a, .pt = analyses_pointsto(a), .p = a->program, .arena = a->arena};
  survey(&s);
  caveat_note(&a->caveats, CAVEAT_STRAY_THREAD, s.stray, s.stray);
  if (s.stray) a->caveats.text[CAVEAT_STRAY_THREAD] = why_stray(&s);
  bool refused = a->strict && a->undescribed.len;
  caveat_note(&a->caveats, CAVEAT_UNDESCRIBED, refused, 0);
  if (refused) a->caveats.text[CAVEAT_UNDESCRIBED] = why_strict(&s);
  map_free(&s.known);
}

/* Code that nobody looked at may touch, wait and start threads; that an assertion of its
 * own fails is no matter of this program. */
static bool may_matter(const Obligations *o, Property p) {
  if (p != PROPERTY_ASSERT) return true;
  for (uint32_t i = 0; i < o->list.len; i++)
    if (obligation_property(&o->list.data[i]) == p) return true;
  return false;
}

void undescribed_tell(const Analyses *a, const Obligations *obligations, CheckResult *r) {
  for (uint32_t i = 0; i < a->undescribed.len; i++)
    vec_push(&r->undescribed, a->undescribed.data[i]);
  for (int p = 0; p < PROPERTY_COUNT; p++)
    r->conditional[p] = r->asked[p] && r->verdicts[p] == VERDICT_SAFE &&
                        a->undescribed.len && may_matter(obligations, (Property)p);
}
