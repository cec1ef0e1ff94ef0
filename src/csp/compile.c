/* From a process term to a machine.
 *
 * In: a term. Out: components and rules. Parallel operators, and whatever operator has
 * one below it before the next prefix, become rules over the machines of their operands;
 * the rest becomes a component, explored by the operational semantics. A process that
 * needs its own machine to make its machine (recursion through an operator) is a
 * component.
 *
 * Every operand yields a list of rules and, if it can terminate, the parts that hold once
 * it has. Operators map these lists:
 *   hiding, renaming      change the event of a rule;
 *   parallel              joins the rules of operands on shared events; the tick of an
 *                         operand becomes internal, and the whole ends when all have;
 *   sequence, choices, …  add a part of their own control component to every rule, which
 *                         says in which phase it is possible and what phase follows. */
#include "csp/machine.h"

#include <stdlib.h>
#include <string.h>

enum { TRIAL_STATES = 20000, MAX_RULES = 4000000, MAX_DEPTH = 100000 };

typedef struct {
  CspRule *data;
  uint32_t len, cap;
} Rules;

typedef struct {
  Rules rules;
  bool ends;     /* it can terminate */
  CspPart *done; /* parts that hold after that */
  uint32_t done_count;
} Sub;

typedef struct {
  Csp *csp;
  CspMachine *machine;
  CspTerm
      *recursive; /* the term whose machine was needed inside itself, while unwinding */
  CspList open;   /* terms whose machines are being made */
} Build;

static bool build(Build *b, CspTerm *term, Sub *out);

/* ---- rules ------------------------------------------------------------------------- */

static CspRule *add_rule(Build *b, Rules *rules, uint32_t event, uint32_t origin,
                         const CspPart *parts, uint32_t count) {
  if (rules->len == rules->cap) {
    rules->cap = rules->cap ? rules->cap * 2 : 16;
    CspRule *grown = arena_alloc(b->csp->arena, rules->cap * sizeof *grown);
    if (rules->len) memcpy(grown, rules->data, rules->len * sizeof *grown);
    rules->data = grown;
    if (rules->cap > MAX_RULES)
      csp_limit(b->csp, (CspPlace){0}, "synchronise on fewer events",
                "the parallel operators have too many combinations of events");
  }
  CspRule *rule = &rules->data[rules->len++];
  *rule = (CspRule){
      event, origin, count,
      arena_dup(b->csp->arena, count ? (const void *)parts : "", count * sizeof *parts),
      false};
  return rule;
}

/* A copy of the rule with another event and one more part. */
static void add_extended(Build *b, Rules *out, const CspRule *rule, uint32_t event,
                         CspPart extra) {
  CspPart *parts = arena_alloc(b->csp->arena, (rule->count + 1) * sizeof *parts);
  memcpy(parts, rule->parts, rule->count * sizeof *parts);
  parts[rule->count] = extra;
  CspRule *made = add_rule(b, out, event, rule->origin, NULL, 0);
  made->parts = parts;
  made->count = rule->count + 1;
  made->chased = rule->chased;
}

static void add_joined(Build *b, Rules *out, const CspRule *x, const CspRule *y,
                       uint32_t event) {
  CspPart *parts = arena_alloc(b->csp->arena, (x->count + y->count) * sizeof *parts);
  memcpy(parts, x->parts, x->count * sizeof *parts);
  memcpy(parts + x->count, y->parts, y->count * sizeof *parts);
  CspRule *made = add_rule(b, out, event, x->origin, NULL, 0);
  made->parts = parts;
  made->count = x->count + y->count;
}

static void keep(Build *b, Rules *out, const CspRule *rule, uint32_t event) {
  CspRule *made = add_rule(b, out, event, rule->origin, NULL, 0);
  made->parts = rule->parts;
  made->count = rule->count;
  made->chased = rule->chased;
}

/* ---- control components ------------------------------------------------------------ */

/* A control: a handful of phases and labels between them. */
typedef struct {
  Build *b;
  uint32_t component;
  uint32_t phases;
  CspIds arcs; /* from, label, to, … */
} Control;

static void control_open(Build *b, Control *c, uint32_t phases) {
  *c = (Control){.b = b, .phases = phases};
  c->component = csp_machine_component(b->machine, NULL, NULL);
}

static CspPart control_arc(Control *c, uint32_t label, uint32_t from, uint32_t to) {
  csp_ids_push(c->b->csp, &c->arcs, from);
  csp_ids_push(c->b->csp, &c->arcs, label);
  csp_ids_push(c->b->csp, &c->arcs, to);
  return (CspPart){c->component, label};
}

static void control_close(Control *c) {
  CspLtsBuilder builder = {.csp = c->b->csp};
  for (uint32_t p = 0; p < c->phases; p++) {
    csp_lts_begin_state(&builder);
    for (const uint32_t *arc = c->arcs.data; arc < c->arcs.data + c->arcs.len; arc += 3)
      if (arc[0] == p) csp_lts_edge(&builder, arc[1], arc[2]);
  }
  c->b->machine->components.data[c->component].lts = csp_lts_finish(&builder);
}

static void set_done(Build *b, Sub *out, CspPart part) {
  out->ends = true;
  out->done = arena_dup(b->csp->arena, &part, sizeof part);
  out->done_count = 1;
}

/* ---- components -------------------------------------------------------------------- */

static const char *name_of(Build *b, CspTerm *term) {
  Str text = {0};
  csp_term_print(b->csp, term, &text);
  char *copy = arena_strdup(b->csp->arena, str_text(&text));
  str_free(&text);
  return copy;
}

static void component_rules(Build *b, uint32_t component, const CspLts *lts, Sub *out) {
  Map labels = {0};
  for (uint32_t i = 0; i < lts->first[lts->states]; i++)
    map_put(&labels, lts->edges[i].label, 1);
  /* Nothing below fails. */
  for (uint32_t i = 0; i < labels.len; i++) {
    uint32_t label = (uint32_t)labels.entries[i].key;
    CspPart part = {component, label};
    if (label == LABEL_DONE)
      set_done(b, out, part);
    else
      add_rule(b, &out->rules, label, label, &part, 1);
  }
  map_free(&labels);
}

static void use_lts(Build *b, CspTerm *term, const CspLts *lts, Sub *out) {
  component_rules(b, csp_machine_component(b->machine, name_of(b, term), lts), lts, out);
}

/* As a component with at most `limit` states; false when it has more. */
static bool leaf(Build *b, CspTerm *term, uint64_t limit, Sub *out, bool *ret_parallel) {
  Csp *csp = b->csp;
  uint64_t known = map_find(&csp->terms->components, term->id, 0);
  CspLts *lts = (CspLts *)(uintptr_t)known;
  if (!lts) {
    lts = csp_lts_of_term(csp, term, limit, ret_parallel);
    if (!lts) return false;
    if (lts->states > 1) lts = csp_lts_sbisim(csp, lts);
    map_put(&csp->terms->components, term->id, map_key(lts));
  }
  use_lts(b, term, lts, out);
  return true;
}

static void whole_leaf(Build *b, CspTerm *term, Sub *out) {
  Csp *csp = b->csp;
  if (!leaf(b, term, csp->limits.component, out, NULL)) {
    const char *name = name_of(b, term);
    csp_limit(csp, term->place, "bound its parameters, or raise --component",
              "the component %s has more than %llu states", name,
              (unsigned long long)csp->limits.component);
  }
}

/* The operand as one explicit system, for compressions and priorities. */
static void explicit_leaf(Build *b, CspTerm *name, CspTerm *term, Sub *out) {
  Csp *csp = b->csp;
  uint64_t known = map_find(&csp->terms->components, term->id, 0);
  CspLts *lts = (CspLts *)(uintptr_t)known;
  if (!lts) {
    CspMachine *inner = csp_compile(csp, term->kids[0]);
    lts = csp_machine_explicate(inner, csp->limits.component, term->place);
    lts = term->op == TERM_PRIORITISE
              ? csp_lts_prioritise(csp, lts, term)
              : csp_lts_compress(csp, lts, (CspCompression)term->number);
    map_put(&csp->terms->components, term->id, map_key(lts));
  }
  use_lts(b, name, lts, out);
}

/* ---- parallel operators ------------------------------------------------------------ */

/* Chains the rules of an operand by event (`heads`: event → rule + 1), to join operands
 * without comparing all rules with all. */
static uint32_t *chain_by_event(Build *b, const Rules *rules, Map *heads) {
  uint32_t *next = arena_alloc(b->csp->arena, (rules->len + 1) * sizeof *next);
  for (uint32_t i = rules->len; i-- > 0;) {
    uint64_t *head = map_at(heads, rules->data[i].event);
    next[i] = (uint32_t)*head;
    *head = i + 1;
  }
  return next;
}

/* Joins `left` (rules of one event so far) with the rules of that event in `right`. */
static void join_event(Build *b, const Rules *left, const Rules *right, uint32_t head,
                       const uint32_t *next, uint32_t event, Rules *out) {
  for (uint32_t i = 0; i < left->len; i++)
    for (uint32_t k = head; k; k = next[k - 1])
      add_joined(b, out, &left->data[i], &right->data[k - 1], event);
}

static bool takes_part(const CspTerm *t, uint32_t i, uint32_t event) {
  if (t->op == TERM_ALPHA) return csp_events_has(t->sets[i], event);
  return t->op == TERM_SHARE && csp_events_has(t->sets[0], event);
}

/* The operands of a parallel operator with their chains. */
typedef struct {
  Sub *subs;
  Map *heads;
  uint32_t **next;
} Operands;

/* The event done by every operand that takes part in it. */
static void joint_rules(Build *b, CspTerm *t, const Operands *o, uint32_t event,
                        Rules *out) {
  Rules so_far = {0};
  bool begun = false;
  for (uint32_t i = 0; i < t->count; i++) {
    if (!takes_part(t, i, event)) continue;
    uint32_t head = (uint32_t)map_find(&o->heads[i], event, 0);
    Rules more = {0};
    if (!head) return;
    if (!begun)
      for (uint32_t k = head; k; k = o->next[i][k - 1])
        keep(b, &more, &o->subs[i].rules.data[k - 1], event);
    else
      join_event(b, &so_far, &o->subs[i].rules, head, o->next[i], event, &more);
    so_far = more;
    begun = true;
  }
  for (uint32_t k = 0; k < so_far.len; k++) keep(b, out, &so_far.data[k], event);
}

/* The whole ends when every operand has: one more rule with a control of two phases. */
static void parallel_end(Build *b, const Sub *subs, uint32_t count, Sub *out) {
  uint32_t parts = 1;
  for (uint32_t i = 0; i < count; i++) {
    if (!subs[i].ends) return;
    parts += subs[i].done_count;
  }
  Control c;
  CspPart *all = arena_alloc(b->csp->arena, parts * sizeof *all);
  control_open(b, &c, 2);
  all[0] = control_arc(&c, 0, 0, 1);
  for (uint32_t i = 0, n = 1; i < count; n += subs[i++].done_count)
    memcpy(all + n, subs[i].done, subs[i].done_count * sizeof *all);
  add_rule(b, &out->rules, EVENT_TICK, EVENT_TICK, all, parts);
  set_done(b, out, control_arc(&c, 1, 1, 1));
  control_close(&c);
}

static void parallel_rules(Build *b, CspTerm *t, Operands *o, Sub *out) {
  for (uint32_t i = 0; i < t->count; i++)
    o->next[i] = chain_by_event(b, &o->subs[i].rules, &o->heads[i]);
  for (uint32_t i = 0; i < t->count; i++) {
    const Rules *rules = &o->subs[i].rules;
    for (uint32_t k = 0; k < rules->len; k++) {
      const CspRule *rule = &rules->data[k];
      if (rule->event == EVENT_TAU || rule->event == EVENT_TICK)
        keep(b, &out->rules, rule, EVENT_TAU);
      else if (!takes_part(t, i, rule->event) && t->op != TERM_ALPHA)
        keep(b, &out->rules, rule, rule->event);
    }
    /* Shared events are joined once, at the first operand that takes part. */
    for (uint32_t k = 0; k < o->heads[i].len; k++) {
      uint32_t event = (uint32_t)o->heads[i].entries[k].key;
      bool first = event >= EVENT_FIRST && takes_part(t, i, event);
      for (uint32_t j = 0; j < i && first; j++) first = !takes_part(t, j, event);
      if (first) joint_rules(b, t, o, event, &out->rules);
    }
  }
  parallel_end(b, o->subs, t->count, out);
}

static bool build_kids(Build *b, CspTerm *t, Sub *subs) {
  for (uint32_t i = 0; i < t->count; i++)
    if (!build(b, t->kids[i], &subs[i])) return false;
  return true;
}

/* The maps of the operands are on the heap: an error on the way must release them. */
static bool build_parallel(Build *b, CspTerm *t, Sub *out) {
  Csp *csp = b->csp;
  Operands *o = arena_alloc_zero(csp->arena, sizeof *o);
  jmp_buf *outer = csp->out, here;
  volatile bool thrown = true;
  o->subs = arena_alloc_zero(csp->arena, t->count * sizeof *o->subs);
  o->heads = arena_alloc_zero(csp->arena, t->count * sizeof *o->heads);
  o->next = arena_alloc_zero(csp->arena, t->count * sizeof *o->next);
  if (!build_kids(b, t, o->subs)) return false;
  csp->out = &here;
  if (setjmp(here) == 0) {
    parallel_rules(b, t, o, out);
    thrown = false;
  }
  csp->out = outer;
  for (uint32_t i = 0; i < t->count; i++) map_free(&o->heads[i]);
  if (thrown) longjmp(*outer, 1);
  return true;
}

static bool in_links(const CspRelation *r, uint32_t event, int side) {
  for (uint32_t i = 0; i < r->count; i++)
    if (r->pairs[i][side] == event) return true;
  return false;
}

static bool build_link(Build *b, CspTerm *t, Sub *out) {
  Sub subs[2] = {0};
  CspRelation *r = t->relation;
  if (!build_kids(b, t, subs)) return false;
  for (int side = 0; side < 2; side++)
    for (uint32_t k = 0; k < subs[side].rules.len; k++) {
      const CspRule *rule = &subs[side].rules.data[k];
      if (rule->event == EVENT_TICK)
        keep(b, &out->rules, rule, EVENT_TAU);
      else if (rule->event == EVENT_TAU || !in_links(r, rule->event, side))
        keep(b, &out->rules, rule, rule->event);
    }
  for (uint32_t k = 0; k < subs[0].rules.len; k++) {
    uint32_t first, n = csp_relation_find(r, subs[0].rules.data[k].event, &first);
    for (uint32_t m = first; m < first + n; m++)
      for (uint32_t j = 0; j < subs[1].rules.len; j++)
        if (subs[1].rules.data[j].event == r->pairs[m][1])
          add_joined(b, &out->rules, &subs[0].rules.data[k], &subs[1].rules.data[j],
                     EVENT_TAU);
  }
  parallel_end(b, subs, 2, out);
  return true;
}

/* ---- hiding and renaming ----------------------------------------------------------- */

static bool build_hide(Build *b, CspTerm *t, Sub *out) {
  Sub sub = {0};
  if (!build(b, t->kids[0], &sub)) return false;
  for (uint32_t k = 0; k < sub.rules.len; k++) {
    CspRule *rule = &sub.rules.data[k];
    keep(b, &out->rules, rule,
         csp_events_has(t->sets[0], rule->event) ? EVENT_TAU : rule->event);
  }
  out->ends = sub.ends;
  out->done = sub.done;
  out->done_count = sub.done_count;
  return true;
}

static bool build_rename(Build *b, CspTerm *t, Sub *out) {
  Sub sub = {0};
  if (!build(b, t->kids[0], &sub)) return false;
  for (uint32_t k = 0; k < sub.rules.len; k++) {
    CspRule *rule = &sub.rules.data[k];
    uint32_t first, n = csp_relation_find(t->relation, rule->event, &first);
    if (!n) keep(b, &out->rules, rule, rule->event);
    for (uint32_t m = first; m < first + n; m++)
      keep(b, &out->rules, rule, t->relation->pairs[m][1]);
  }
  out->ends = sub.ends;
  out->done = sub.done;
  out->done_count = sub.done_count;
  return true;
}

/* The internal rules of a chased operand are taken as soon as they are possible. */
static bool build_chase(Build *b, CspTerm *t, Sub *out) {
  if (!build(b, t->kids[0], out)) return false;
  for (uint32_t k = 0; k < out->rules.len; k++)
    out->rules.data[k].chased |= out->rules.data[k].event == EVENT_TAU;
  return true;
}

/* ---- operators with phases --------------------------------------------------------- */

/* Adds the rules of an operand: its internal, visible and final ones each with their
 * part. */
static void add_phased(Build *b, Rules *out, const Rules *rules, CspPart tau,
                       CspPart visible, CspPart tick, uint32_t tick_event) {
  for (uint32_t k = 0; k < rules->len; k++) {
    const CspRule *rule = &rules->data[k];
    if (rule->event == EVENT_TAU)
      add_extended(b, out, rule, EVENT_TAU, tau);
    else if (rule->event == EVENT_TICK)
      add_extended(b, out, rule, tick_event, tick);
    else
      add_extended(b, out, rule, rule->event, visible);
  }
}

static bool build_seq(Build *b, CspTerm *t, Sub *out) {
  Sub subs[2] = {0};
  Control c;
  if (!build_kids(b, t, subs)) return false;
  control_open(b, &c, 2);
  CspPart first = control_arc(&c, 0, 0, 0), change = control_arc(&c, 1, 0, 1),
          second = control_arc(&c, 2, 1, 1);
  add_phased(b, &out->rules, &subs[0].rules, first, first, change, EVENT_TAU);
  add_phased(b, &out->rules, &subs[1].rules, second, second, second, EVENT_TICK);
  control_close(&c);
  out->ends = subs[1].ends;
  out->done = subs[1].done;
  out->done_count = subs[1].done_count;
  return true;
}

/* [] and its kin: phase 0 is open, i + 1 is for operand i, the last is the end. Labels of
 * operand i: 3i internal, 3i + 1 visible, 3i + 2 the tick. */
static bool build_choice(Build *b, CspTerm *t, Sub *out) {
  Sub *subs = arena_alloc_zero(b->csp->arena, t->count * sizeof *subs);
  Control c;
  if (!build_kids(b, t, subs)) return false;
  uint32_t end = t->count + 1;
  bool internal = t->op == TERM_INTCHOICE;
  control_open(b, &c, t->count + 2);
  for (uint32_t i = 0; i < t->count; i++) {
    CspPart tau = control_arc(&c, 3 * i, i + 1, i + 1);
    CspPart visible = control_arc(&c, 3 * i + 1, i + 1, i + 1);
    CspPart tick = control_arc(&c, 3 * i + 2, i + 1, end);
    if (!internal) {
      control_arc(&c, 3 * i, 0, 0);
      control_arc(&c, 3 * i + 1, 0, i + 1);
      control_arc(&c, 3 * i + 2, 0, end);
    }
    add_phased(b, &out->rules, &subs[i].rules, tau, visible, tick, EVENT_TICK);
    out->ends |= subs[i].ends;
    if (internal) {
      CspPart choose = control_arc(&c, 3 * t->count + i, 0, i + 1);
      add_rule(b, &out->rules, EVENT_TAU, EVENT_TAU, &choose, 1);
    }
  }
  if (out->ends) set_done(b, out, control_arc(&c, 4 * t->count, end, end));
  control_close(&c);
  return true;
}

static bool build_sliding(Build *b, CspTerm *t, Sub *out) {
  Sub subs[2] = {0};
  Control c;
  if (!build_kids(b, t, subs)) return false;
  control_open(b, &c, 4);
  CspPart tau = control_arc(&c, 0, 0, 0), visible = control_arc(&c, 1, 0, 1);
  CspPart tick = control_arc(&c, 2, 0, 3), slide = control_arc(&c, 3, 0, 2);
  CspPart second = control_arc(&c, 4, 2, 2), second_tick = control_arc(&c, 5, 2, 3);
  control_arc(&c, 0, 1, 1);
  control_arc(&c, 1, 1, 1);
  control_arc(&c, 2, 1, 3);
  add_phased(b, &out->rules, &subs[0].rules, tau, visible, tick, EVENT_TICK);
  add_rule(b, &out->rules, EVENT_TAU, EVENT_TAU, &slide, 1);
  add_phased(b, &out->rules, &subs[1].rules, second, second, second_tick, EVENT_TICK);
  if (subs[0].ends || subs[1].ends) set_done(b, out, control_arc(&c, 6, 3, 3));
  control_close(&c);
  return true;
}

/* /\ and [|A|>: phase 0 the first operand runs, 1 the second does, 2 the end. */
static bool build_interrupt(Build *b, CspTerm *t, Sub *out) {
  Sub subs[2] = {0};
  Control c;
  bool exception = t->op == TERM_EXCEPTION;
  if (!build_kids(b, t, subs)) return false;
  control_open(b, &c, 3);
  CspPart stay = control_arc(&c, 0, 0, 0), leave = control_arc(&c, 1, 0, 1),
          tick = control_arc(&c, 2, 0, 2);
  CspPart tau2 = control_arc(&c, 3, 1, 1), visible2 = control_arc(&c, 4, 1, 1),
          tick2 = control_arc(&c, 5, 1, 2);
  if (!exception) {
    control_arc(&c, 3, 0, 0);
    control_arc(&c, 4, 0, 1);
    control_arc(&c, 5, 0, 2);
  }
  for (uint32_t k = 0; k < subs[0].rules.len; k++) {
    CspRule *rule = &subs[0].rules.data[k];
    CspPart part = rule->event == EVENT_TICK                              ? tick
                   : exception && csp_events_has(t->sets[0], rule->event) ? leave
                                                                          : stay;
    add_extended(b, &out->rules, rule, rule->event, part);
  }
  add_phased(b, &out->rules, &subs[1].rules, tau2, visible2, tick2, EVENT_TICK);
  if (subs[0].ends || subs[1].ends) set_done(b, out, control_arc(&c, 6, 2, 2));
  control_close(&c);
  return true;
}

/* [+A+] and /+A+\: like their plain forms, but events of A are done by all together as
 * long as nothing is decided. */
static void sync_joint(Build *b, CspTerm *t, const Sub *subs, CspPart together,
                       Rules *out) {
  for (uint32_t e = 0; e < t->sets[0]->count; e++) {
    Rules so_far = {0};
    uint32_t event = t->sets[0]->ids[e];
    for (uint32_t i = 0; i < t->count; i++) {
      Rules more = {0};
      for (uint32_t k = 0; k < subs[i].rules.len; k++) {
        if (subs[i].rules.data[k].event != event) continue;
        if (i == 0) keep(b, &more, &subs[i].rules.data[k], event);
        for (uint32_t j = 0; i > 0 && j < so_far.len; j++)
          add_joined(b, &more, &so_far.data[j], &subs[i].rules.data[k], event);
      }
      so_far = more;
    }
    for (uint32_t k = 0; k < so_far.len; k++)
      add_extended(b, out, &so_far.data[k], event, together);
  }
}

/* The rules of an operand, those on events of the set with a part of their own. */
static void add_split(Build *b, CspTerm *t, Rules *out, const Rules *rules, CspPart tau,
                      CspPart other, const CspPart *alone, CspPart tick) {
  for (uint32_t k = 0; k < rules->len; k++) {
    const CspRule *rule = &rules->data[k];
    if (rule->event == EVENT_TAU)
      add_extended(b, out, rule, EVENT_TAU, tau);
    else if (rule->event == EVENT_TICK)
      add_extended(b, out, rule, EVENT_TICK, tick);
    else if (!csp_events_has(t->sets[0], rule->event))
      add_extended(b, out, rule, rule->event, other);
    else if (alone)
      add_extended(b, out, rule, rule->event, *alone);
  }
}

static bool build_syncext(Build *b, CspTerm *t, Sub *out) {
  Sub *subs = arena_alloc_zero(b->csp->arena, t->count * sizeof *subs);
  Control c;
  if (!build_kids(b, t, subs)) return false;
  uint32_t end = t->count + 1;
  control_open(b, &c, t->count + 2);
  sync_joint(b, t, subs, control_arc(&c, 4 * t->count, 0, 0), &out->rules);
  for (uint32_t i = 0; i < t->count; i++) {
    CspPart tau = control_arc(&c, 4 * i, 0, 0),
            other = control_arc(&c, 4 * i + 1, 0, i + 1);
    CspPart alone = control_arc(&c, 4 * i + 2, i + 1, i + 1),
            tick = control_arc(&c, 4 * i + 3, 0, end);
    control_arc(&c, 4 * i, i + 1, i + 1);
    control_arc(&c, 4 * i + 1, i + 1, i + 1);
    control_arc(&c, 4 * i + 3, i + 1, end);
    add_split(b, t, &out->rules, &subs[i].rules, tau, other, &alone, tick);
    out->ends |= subs[i].ends;
  }
  if (out->ends) set_done(b, out, control_arc(&c, 4 * t->count + 1, end, end));
  control_close(&c);
  return true;
}

static bool build_syncint(Build *b, CspTerm *t, Sub *out) {
  Sub subs[2] = {0};
  Control c;
  if (!build_kids(b, t, subs)) return false;
  control_open(b, &c, 3);
  sync_joint(b, t, subs, control_arc(&c, 0, 0, 0), &out->rules);
  CspPart stay = control_arc(&c, 1, 0, 0), tick = control_arc(&c, 2, 0, 2);
  add_split(b, t, &out->rules, &subs[0].rules, stay, stay, NULL, tick);
  CspPart tau = control_arc(&c, 3, 0, 0), other = control_arc(&c, 4, 0, 1);
  CspPart alone = control_arc(&c, 5, 1, 1), tick2 = control_arc(&c, 6, 0, 2);
  control_arc(&c, 3, 1, 1);
  control_arc(&c, 4, 1, 1);
  control_arc(&c, 6, 1, 2);
  add_split(b, t, &out->rules, &subs[1].rules, tau, other, &alone, tick2);
  if (subs[0].ends || subs[1].ends) set_done(b, out, control_arc(&c, 7, 2, 2));
  control_close(&c);
  return true;
}

/* A prefix before something large: a control chooses the branch, then that one runs. */
static bool build_prefix(Build *b, CspTerm *t, Sub *out) {
  Control c;
  csp_term_steps(b->csp, t);
  Sub *subs = arena_alloc_zero(b->csp->arena, (t->step_count + 1) * sizeof *subs);
  for (uint32_t i = 0; i < t->step_count; i++)
    if (t->steps[i].to != t && !build(b, t->steps[i].to, &subs[i])) return false;
  uint32_t n = t->step_count, end = n + 1;
  control_open(b, &c, n + 2);
  for (uint32_t i = 0; i < n; i++) {
    /* While it waits, a timed prefix stays as it is. */
    CspPart begin = control_arc(&c, 3 * i, 0, t->steps[i].to == t ? 0 : i + 1),
            run = control_arc(&c, 3 * i + 1, i + 1, i + 1);
    CspPart tick = control_arc(&c, 3 * i + 2, i + 1, end);
    add_rule(b, &out->rules, t->steps[i].event, t->steps[i].event, &begin, 1);
    add_phased(b, &out->rules, &subs[i].rules, run, run, tick, EVENT_TICK);
    out->ends |= subs[i].ends;
  }
  if (out->ends) set_done(b, out, control_arc(&c, 3 * n, end, end));
  control_close(&c);
  return true;
}

/* ---- all terms --------------------------------------------------------------------- */

static bool build_operator(Build *b, CspTerm *t, Sub *out) {
  switch (t->op) {
  case TERM_INTERLEAVE:
  case TERM_SHARE:
  case TERM_ALPHA: return build_parallel(b, t, out);
  case TERM_LINK: return build_link(b, t, out);
  case TERM_HIDE: return build_hide(b, t, out);
  case TERM_RENAME: return build_rename(b, t, out);
  case TERM_COMPRESS: return build_chase(b, t, out);
  case TERM_SEQ: return build_seq(b, t, out);
  case TERM_EXTCHOICE:
  case TERM_INTCHOICE: return build_choice(b, t, out);
  case TERM_SLIDING: return build_sliding(b, t, out);
  case TERM_INTERRUPT:
  case TERM_EXCEPTION: return build_interrupt(b, t, out);
  case TERM_SYNCEXT: return build_syncext(b, t, out);
  case TERM_SYNCINT: return build_syncint(b, t, out);
  default: return build_prefix(b, t, out);
  }
}

static bool is_simple(const CspTerm *t) {
  return t->op <= TERM_RUN || t->op == TERM_MENU;
}

/* As an operator; when it needs itself, as a component after all. */
static bool as_operator(Build *b, CspTerm *name, CspTerm *t, Sub *out) {
  uint32_t components = b->machine->components.len;
  csp_list_push(b->csp, &b->open, t);
  bool ok = build_operator(b, t, out);
  b->open.len--;
  if (ok) return true;
  b->machine->components.len = components;
  *out = (Sub){0};
  if (b->recursive != t) return false;
  b->recursive = NULL;
  whole_leaf(b, name, out);
  return true;
}

static bool build(Build *b, CspTerm *term, Sub *out) {
  Csp *csp = b->csp;
  CspTerm *t = csp_term_unfold(csp, term);
  csp_check_stack(csp, t->place, "this process");
  for (uint32_t i = 0; i < b->open.len; i++)
    if (b->open.data[i] == t) {
      b->recursive = t;
      return false;
    }
  if (b->open.len > MAX_DEPTH)
    csp_limit(csp, t->place, "look for recursion through a parallel operator",
              "this process is nested too deeply");
  bool parallel = false;
  /* Hiding as a rule keeps the names of hidden events for counterexamples. */
  bool chase = t->op == TERM_COMPRESS && t->number == COMPRESS_CHASE;
  bool as_rules =
      chase || t->op == TERM_HIDE || t->op == TERM_RENAME || csp_term_is_parallel(csp, t);
  if (t->op == TERM_PRIORITISE || (t->op == TERM_COMPRESS && !chase)) {
    explicit_leaf(b, term, t, out);
  } else if (is_simple(t)) {
    whole_leaf(b, term, out);
  } else if (as_rules) {
    return as_operator(b, term, t, out);
  } else if (!leaf(b, term, TRIAL_STATES, out, &parallel)) {
    if (parallel) return as_operator(b, term, t, out);
    whole_leaf(b, term, out);
  }
  return true;
}

static int compare_parts(const void *x, const void *y) {
  const CspPart *a = x, *b = y;
  return a->component < b->component ? -1 : a->component > b->component;
}

CspMachine *csp_compile(Csp *csp, CspTerm *term) {
  Build b = {.csp = csp, .machine = csp_machine_new(csp)};
  Sub sub = {0};
  csp_list_push(csp, &csp->terms->machines, b.machine);
  if (!build(&b, term, &sub)) whole_leaf(&b, term, &sub);
  for (uint32_t i = 0; i < sub.rules.len; i++) {
    CspRule *rule = &sub.rules.data[i];
    qsort(rule->parts, rule->count, sizeof *rule->parts, compare_parts);
    vec_push(&b.machine->rules, *rule);
  }
  csp_machine_finish(b.machine);
  return b.machine;
}
