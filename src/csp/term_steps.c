/* The operational semantics: what a process term can do next.
 *
 * In: a term. Out: its transitions, kept in the term. The rules are those of Roscoe's
 * "Understanding Concurrent Systems": internal actions of operands are promoted, they do
 * not resolve choices; parallel operands end one by one (their tick is internal) and the
 * whole ends when all have. These rules are used for components; combinations of
 * components go by the rules that compile.c derives from the same operators. */
#include "csp/term_prefix.h"
#include "csp/timed.h"

#include <stdlib.h>

typedef struct {
  Csp *csp;
  CspTerm *term;
  CspStep *steps;
  uint32_t len, cap;
} Steps;

enum { FEW_STEPS = 32 };

/* Few steps are kept without repetition; of many, csp_term_steps drops what is repeated. */
static void add(Steps *s, uint32_t event, CspTerm *to) {
  for (uint32_t i = 0; i < s->len && s->len <= FEW_STEPS; i++)
    if (s->steps[i].event == event && s->steps[i].to == to) return;
  if (s->len == s->cap) {
    s->cap = s->cap ? s->cap * 2 : 4;
    CspStep *grown = arena_alloc(s->csp->arena, s->cap * sizeof *grown);
    for (uint32_t i = 0; i < s->len; i++) grown[i] = s->steps[i];
    s->steps = grown;
  }
  s->steps[s->len++] = (CspStep){event, to};
}

/* The term with one kid replaced. */
static CspTerm *with_kid(Steps *s, uint32_t i, CspTerm *kid) {
  CspTerm *t = s->term;
  CspTerm *small[8], **kids = small;
  if (t->count > 8) kids = arena_alloc(s->csp->arena, t->count * sizeof *kids);
  for (uint32_t k = 0; k < t->count; k++) kids[k] = k == i ? kid : t->kids[k];
  return csp_term(s->csp, t->op, kids, t->count, t->sets, t->set_count, t->relation,
                  t->number, t->place);
}

static CspTerm *with_kids(Steps *s, CspTerm **kids) {
  CspTerm *t = s->term;
  return csp_term(s->csp, t->op, kids, t->count, t->sets, t->set_count, t->relation,
                  t->number, t->place);
}

static CspTerm *kid_steps(Steps *s, uint32_t i) {
  CspTerm *kid = s->term->kids[i];
  csp_term_steps(s->csp, kid);
  return kid;
}

/* ---- prefixes ---------------------------------------------------------------------- */

static void add_branch(Steps *s, CspNode *node, const CspBranch *b) {
  CspValue *after = csp_eval(s->csp, node->kids[node->count - 1], b->env);
  if (after->kind != VALUE_PROCESS)
    csp_fail(s->csp, node->place, "put a process after the event", "expected a process");
  add(s, b->event,
      node->timed ? csp_timed_after(s->csp, node, b->event, after->term) : after->term);
}

/* Time may pass before a timed event. */
static void add_waiting(Steps *s, CspNode *node) {
  if (node->timed) add(s, csp_tock(s->csp, node->place)->ids[0], s->term);
}

static void prefix_steps(Steps *s) {
  CspList branches = {0};
  CspNode *node = s->term->node;
  csp_prefix_branches(s->csp, node, s->term->env, &branches);
  bool menus = false;
  for (uint32_t i = 1; i + 1 < node->count; i++) menus |= node->kids[i]->op == '$';
  if (!menus) {
    for (uint32_t i = 0; i < branches.len; i++) add_branch(s, node, branches.data[i]);
    add_waiting(s, node);
    return;
  }
  for (uint32_t i = 0; i < branches.len; i++) {
    CspBranch *b = branches.data[i];
    bool seen = false;
    for (uint32_t k = 0; k < i && !seen; k++)
      seen = csp_branch_same_menu(branches.data[k], b);
    if (seen) continue;
    CspTerm *menu =
        csp_term(s->csp, TERM_MENU, &s->term, 1, NULL, 0, NULL, (int)i, s->term->place);
    if (!menu->has_steps) {
      Steps own = {.csp = s->csp, .term = menu};
      for (uint32_t k = i; k < branches.len; k++)
        if (csp_branch_same_menu(branches.data[k], b))
          add_branch(&own, node, branches.data[k]);
      add_waiting(&own, node);
      menu->steps = own.steps;
      menu->step_count = own.len;
      menu->has_steps = true;
    }
    add(s, EVENT_TAU, menu);
  }
}

/* ---- choices ----------------------------------------------------------------------- */

static void extchoice_steps(Steps *s) {
  for (uint32_t i = 0; i < s->term->count; i++) {
    CspTerm *kid = kid_steps(s, i);
    for (uint32_t k = 0; k < kid->step_count; k++) {
      CspStep *step = &kid->steps[k];
      add(s, step->event, step->event == EVENT_TAU ? with_kid(s, i, step->to) : step->to);
    }
  }
}

static void sliding_steps(Steps *s) {
  CspTerm *kid = kid_steps(s, 0);
  for (uint32_t k = 0; k < kid->step_count; k++) {
    CspStep *step = &kid->steps[k];
    add(s, step->event, step->event == EVENT_TAU ? with_kid(s, 0, step->to) : step->to);
  }
  add(s, EVENT_TAU, s->term->kids[1]);
}

static void interrupt_steps(Steps *s) {
  CspTerm *p = kid_steps(s, 0), *q = kid_steps(s, 1);
  for (uint32_t k = 0; k < p->step_count; k++)
    add(s, p->steps[k].event,
        p->steps[k].event == EVENT_TICK ? p->steps[k].to
                                        : with_kid(s, 0, p->steps[k].to));
  for (uint32_t k = 0; k < q->step_count; k++)
    add(s, q->steps[k].event,
        q->steps[k].event == EVENT_TAU ? with_kid(s, 1, q->steps[k].to) : q->steps[k].to);
}

static void exception_steps(Steps *s) {
  CspTerm *p = kid_steps(s, 0);
  for (uint32_t k = 0; k < p->step_count; k++) {
    CspStep *step = &p->steps[k];
    CspTerm *to = step->event == EVENT_TICK ? step->to
                  : csp_events_has(s->term->sets[0], step->event)
                      ? s->term->kids[1]
                      : with_kid(s, 0, step->to);
    add(s, step->event, to);
  }
}

static void seq_steps(Steps *s) {
  CspTerm *p = kid_steps(s, 0);
  for (uint32_t k = 0; k < p->step_count; k++)
    if (p->steps[k].event == EVENT_TICK)
      add(s, EVENT_TAU, s->term->kids[1]);
    else
      add(s, p->steps[k].event, with_kid(s, 0, p->steps[k].to));
}

/* ---- parallel ---------------------------------------------------------------------- */

/* Every way in which all kids marked in `in` do `event` together. */
static void joint(Steps *s, uint32_t event, const bool *in, uint32_t at, CspTerm **kids,
                  uint32_t result) {
  if (at == s->term->count) {
    add(s, result, with_kids(s, kids));
    return;
  }
  CspTerm *kid = s->term->kids[at];
  if (!in[at]) {
    kids[at] = kid;
    joint(s, event, in, at + 1, kids, result);
    return;
  }
  for (uint32_t k = 0; k < kid->step_count; k++)
    if (kid->steps[k].event == event) {
      kids[at] = kid->steps[k].to;
      joint(s, event, in, at + 1, kids, result);
    }
}

/* Whether kid i must take part in the event when somebody does it. */
static bool takes_part(const CspTerm *t, uint32_t i, uint32_t event) {
  return t->op == TERM_ALPHA
             ? csp_events_has(t->sets[i], event)
             : t->op != TERM_INTERLEAVE && csp_events_has(t->sets[0], event);
}

static bool can(const CspTerm *kid, uint32_t event) {
  for (uint32_t k = 0; k < kid->step_count; k++)
    if (kid->steps[k].event == event) return true;
  return false;
}

static void joint_event(Steps *s, uint32_t event) {
  CspTerm *t = s->term;
  bool *in = arena_alloc(s->csp->arena, t->count);
  CspTerm **kids = arena_alloc(s->csp->arena, t->count * sizeof *kids);
  for (uint32_t i = 0; i < t->count; i++) {
    in[i] = takes_part(t, i, event);
    if (in[i] && !can(t->kids[i], event)) return;
  }
  joint(s, event, in, 0, kids, event);
}

/* A step of kid i on its own or, seen from the first kid that takes part, of several. */
static void parallel_step(Steps *s, uint32_t i, const CspStep *step) {
  CspTerm *t = s->term;
  if (step->event == EVENT_TAU) {
    add(s, EVENT_TAU, with_kid(s, i, step->to));
  } else if (step->event == EVENT_TICK) {
    add(s, EVENT_TAU, with_kid(s, i, csp_term_omega(s->csp)));
  } else if (!takes_part(t, i, step->event)) {
    if (t->op != TERM_ALPHA) add(s, step->event, with_kid(s, i, step->to));
  } else {
    for (uint32_t k = 0; k < i; k++)
      if (takes_part(t, k, step->event)) return;
    joint_event(s, step->event);
  }
}

static void parallel_steps(Steps *s) {
  CspTerm *t = s->term;
  bool ended = true;
  for (uint32_t i = 0; i < t->count; i++) {
    kid_steps(s, i);
    ended &= t->kids[i]->op == TERM_OMEGA;
  }
  if (ended) {
    add(s, EVENT_TICK, csp_term_omega(s->csp));
    return;
  }
  for (uint32_t i = 0; i < t->count; i++)
    for (uint32_t k = 0; k < t->kids[i]->step_count; k++)
      parallel_step(s, i, &t->kids[i]->steps[k]);
}

/* [+A+]: events of A by all together, others resolve the choice. */
static void syncext_steps(Steps *s) {
  CspTerm *t = s->term;
  for (uint32_t i = 0; i < t->count; i++) kid_steps(s, i);
  for (uint32_t i = 0; i < t->count; i++)
    for (uint32_t k = 0; k < t->kids[i]->step_count; k++) {
      CspStep *step = &t->kids[i]->steps[k];
      if (step->event == EVENT_TAU)
        add(s, EVENT_TAU, with_kid(s, i, step->to));
      else if (!csp_events_has(t->sets[0], step->event))
        add(s, step->event, step->to);
      else if (i == 0)
        joint_event(s, step->event);
    }
}

static void syncint_steps(Steps *s) {
  CspTerm *t = s->term, *p = kid_steps(s, 0), *q = kid_steps(s, 1);
  for (uint32_t k = 0; k < p->step_count; k++) {
    CspStep *step = &p->steps[k];
    if (step->event == EVENT_TICK)
      add(s, EVENT_TICK, step->to);
    else if (csp_events_has(t->sets[0], step->event))
      joint_event(s, step->event);
    else
      add(s, step->event, with_kid(s, 0, step->to));
  }
  for (uint32_t k = 0; k < q->step_count; k++) {
    CspStep *step = &q->steps[k];
    if (step->event == EVENT_TAU)
      add(s, EVENT_TAU, with_kid(s, 1, step->to));
    else if (!csp_events_has(t->sets[0], step->event))
      add(s, step->event, step->to);
  }
}

/* ---- linked parallel --------------------------------------------------------------- */

static bool linked_left(const CspRelation *r, uint32_t event) {
  uint32_t first;
  return csp_relation_find(r, event, &first) > 0;
}

static bool linked_right(const CspRelation *r, uint32_t event) {
  for (uint32_t i = 0; i < r->count; i++)
    if (r->pairs[i][1] == event) return true;
  return false;
}

static void link_steps(Steps *s) {
  CspTerm *t = s->term, *p = kid_steps(s, 0), *q = kid_steps(s, 1);
  CspRelation *r = t->relation;
  if (p->op == TERM_OMEGA && q->op == TERM_OMEGA) {
    add(s, EVENT_TICK, p);
    return;
  }
  for (uint32_t i = 0; i < 2; i++)
    for (uint32_t k = 0; k < t->kids[i]->step_count; k++) {
      CspStep *step = &t->kids[i]->steps[k];
      if (step->event == EVENT_TICK)
        add(s, EVENT_TAU, with_kid(s, i, step->to));
      else if (step->event == EVENT_TAU ||
               !(i ? linked_right(r, step->event) : linked_left(r, step->event)))
        add(s, step->event, with_kid(s, i, step->to));
    }
  for (uint32_t k = 0; k < p->step_count; k++) {
    uint32_t first, n = csp_relation_find(r, p->steps[k].event, &first);
    for (uint32_t m = first; m < first + n; m++)
      for (uint32_t j = 0; j < q->step_count; j++)
        if (q->steps[j].event == r->pairs[m][1]) {
          CspTerm *kids[] = {p->steps[k].to, q->steps[j].to};
          add(s, EVENT_TAU, with_kids(s, kids));
        }
  }
}

/* ---- hiding, renaming, priority ---------------------------------------------------- */

static CspTerm *around(Steps *s, const CspStep *step) {
  return step->event == EVENT_TICK ? step->to : with_kid(s, 0, step->to);
}

static void hide_steps(Steps *s) {
  CspTerm *p = kid_steps(s, 0);
  for (uint32_t k = 0; k < p->step_count; k++) {
    bool hidden = csp_events_has(s->term->sets[0], p->steps[k].event);
    add(s, hidden ? EVENT_TAU : p->steps[k].event, around(s, &p->steps[k]));
  }
}

static void rename_steps(Steps *s) {
  CspTerm *p = kid_steps(s, 0);
  for (uint32_t k = 0; k < p->step_count; k++) {
    uint32_t first, n = csp_relation_find(s->term->relation, p->steps[k].event, &first);
    if (!n) add(s, p->steps[k].event, around(s, &p->steps[k]));
    for (uint32_t m = first; m < first + n; m++)
      add(s, s->term->relation->pairs[m][1], around(s, &p->steps[k]));
  }
}

uint32_t csp_priority_of(const CspTerm *t, uint32_t event) {
  if (event == EVENT_TAU || event == EVENT_TICK) return 0;
  for (uint32_t i = 0; i < t->set_count; i++)
    if (csp_events_has(t->sets[i], event)) return i;
  return UINT32_MAX;
}

static void prioritise_steps(Steps *s) {
  CspTerm *p = kid_steps(s, 0);
  uint32_t best = UINT32_MAX;
  for (uint32_t k = 0; k < p->step_count; k++) {
    uint32_t rank = csp_priority_of(s->term, p->steps[k].event);
    if (rank < best) best = rank;
  }
  for (uint32_t k = 0; k < p->step_count; k++) {
    uint32_t rank = csp_priority_of(s->term, p->steps[k].event);
    if (rank == UINT32_MAX || rank <= best)
      add(s, p->steps[k].event, around(s, &p->steps[k]));
  }
}

static void compress_steps(Steps *s) {
  CspTerm *p = kid_steps(s, 0);
  for (uint32_t k = 0; k < p->step_count; k++)
    add(s, p->steps[k].event, around(s, &p->steps[k]));
}

/* ---- all operators ----------------------------------------------------------------- */

static void simple_steps(Steps *s) {
  CspTerm *t = s->term;
  switch (t->op) {
  case TERM_SKIP: add(s, EVENT_TICK, csp_term_omega(s->csp)); break;
  case TERM_DIV: add(s, EVENT_TAU, t); break;
  case TERM_CHAOS: /* may do anything of the set, and may stop at any time */
    for (uint32_t i = 0; i < t->sets[0]->count; i++) add(s, t->sets[0]->ids[i], t);
    add(s, EVENT_TAU, csp_term_stop(s->csp));
    break;
  case TERM_RUN:
    for (uint32_t i = 0; i < t->sets[0]->count; i++) add(s, t->sets[0]->ids[i], t);
    break;
  case TERM_DELAY:
    add(s, t->sets[0]->ids[0],
        csp_term_delay(s->csp, t->sets[0], t->number - 1, t->kids[0], t->place));
    break;
  case TERM_INTCHOICE:
    for (uint32_t i = 0; i < t->count; i++) add(s, EVENT_TAU, t->kids[i]);
    break;
  default: break;
  }
}

static void compute(Steps *s) {
  switch (s->term->op) {
  case TERM_PREFIX: prefix_steps(s); break;
  case TERM_EXTCHOICE: extchoice_steps(s); break;
  case TERM_INTERLEAVE:
  case TERM_SHARE:
  case TERM_ALPHA: parallel_steps(s); break;
  case TERM_LINK: link_steps(s); break;
  case TERM_SEQ: seq_steps(s); break;
  case TERM_INTERRUPT: interrupt_steps(s); break;
  case TERM_SLIDING: sliding_steps(s); break;
  case TERM_EXCEPTION: exception_steps(s); break;
  case TERM_SYNCEXT: syncext_steps(s); break;
  case TERM_SYNCINT: syncint_steps(s); break;
  case TERM_HIDE: hide_steps(s); break;
  case TERM_RENAME: rename_steps(s); break;
  case TERM_PRIORITISE: prioritise_steps(s); break;
  case TERM_COMPRESS: compress_steps(s); break;
  default: simple_steps(s); break;
  }
}

static int compare_steps(const void *x, const void *y) {
  const CspStep *a = x, *b = y;
  if (a->event != b->event) return a->event < b->event ? -1 : 1;
  uint32_t i = csp_term_id(a->to), k = csp_term_id(b->to);
  return i < k ? -1 : i > k;
}

static void drop_repeated(Steps *s) {
  uint32_t kept = 0;
  if (s->len <= FEW_STEPS) return;
  qsort(s->steps, s->len, sizeof *s->steps, compare_steps);
  for (uint32_t i = 0; i < s->len; i++)
    if (kept == 0 || compare_steps(&s->steps[kept - 1], &s->steps[i]) != 0)
      s->steps[kept++] = s->steps[i];
  s->len = kept;
}

void csp_term_steps(Csp *csp, CspTerm *term) {
  if (term->has_steps) return;
  csp_check_stack(csp, term->place, "this process");
  if (term->unfolding == csp->task)
    csp_fail(csp, term->place, "put an event before the recursive call",
             "this process needs its own first step to find it (unguarded recursion)");
  term->unfolding = csp->task;
  if (term->op == TERM_CALL) {
    CspTerm *body = csp_term_unfold(csp, term);
    csp_term_steps(csp, body);
    term->steps = body->steps;
    term->step_count = body->step_count;
  } else {
    Steps s = {.csp = csp, .term = term};
    csp_eval_refill(csp);
    compute(&s);
    drop_repeated(&s);
    term->steps = s.steps;
    term->step_count = s.len;
  }
  term->unfolding = 0;
  term->has_steps = true;
}
