/* Explicit systems from terms.
 *
 * In: a term. Out: its reachable terms as numbered states, breadth first. Numbers are
 * kept in the terms themselves under a stamp, so that no table is needed. */
#include "csp/lts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void csp_lts_begin_state(CspLtsBuilder *b) {
  vec_push(&b->first, b->edges.len);
}

void csp_lts_edge(CspLtsBuilder *b, uint32_t label, uint32_t target) {
  vec_push(&b->edges, (CspEdge){label, target});
}

static int compare_edges(const void *x, const void *y) {
  const CspEdge *a = x, *b = y;
  if (a->label != b->label) return a->label < b->label ? -1 : 1;
  return a->target < b->target ? -1 : a->target > b->target;
}

/* Mostly few, and nearly in order. */
static void sort_edges(CspEdge *edges, uint32_t count) {
  if (count > 64) {
    qsort(edges, count, sizeof *edges, compare_edges);
    return;
  }
  for (uint32_t i = 1; i < count; i++) {
    CspEdge edge = edges[i];
    uint32_t k = i;
    for (; k && compare_edges(&edges[k - 1], &edge) > 0; k--) edges[k] = edges[k - 1];
    edges[k] = edge;
  }
}

void csp_lts_drop(CspLtsBuilder *b) {
  vec_free(&b->first);
  vec_free(&b->edges);
}

CspLts *csp_lts_finish(CspLtsBuilder *b) {
  CspLts *lts = arena_alloc(b->csp->arena, sizeof *lts);
  uint32_t n = 0;
  lts->states = b->first.len;
  lts->first = arena_alloc(b->csp->arena, (b->first.len + 1) * sizeof *lts->first);
  for (uint32_t s = 0; s < b->first.len; s++) {
    uint32_t from = b->first.data[s],
             to = s + 1 < b->first.len ? b->first.data[s + 1] : b->edges.len;
    sort_edges(b->edges.data + from, to - from);
    lts->first[s] = n;
    for (uint32_t k = from; k < to; k++) {
      assert(b->edges.data[k].target < lts->states);
      if (n == lts->first[s] ||
          compare_edges(&b->edges.data[n - 1], &b->edges.data[k]) != 0)
        b->edges.data[n++] = b->edges.data[k];
    }
  }
  lts->first[lts->states] = n;
  lts->edges = arena_dup(b->csp->arena, n ? (void *)b->edges.data : (void *)"",
                         n * sizeof(CspEdge));
  csp_lts_drop(b);
  return lts;
}

/* ---- parallel inside? -------------------------------------------------------------- */

enum { PARALLEL_UNKNOWN, PARALLEL_ASKED, PARALLEL_NO, PARALLEL_YES };

bool csp_term_is_parallel(Csp *csp, CspTerm *term) {
  if (term->parallel && (term->parallel != PARALLEL_ASKED || term->asked == csp->task))
    return term->parallel == PARALLEL_YES;
  csp_check_stack(csp, term->place, "this process");
  term->parallel = PARALLEL_ASKED;
  term->asked = csp->task;
  bool yes = false;
  switch (term->op) {
  case TERM_CALL: yes = csp_term_is_parallel(csp, csp_term_unfold(csp, term)); break;
  case TERM_INTERLEAVE:
  case TERM_SHARE:
  case TERM_ALPHA:
  case TERM_LINK: yes = true; break;
  case TERM_MENU:
  case TERM_DELAY: break;
  default:
    for (uint32_t i = 0; i < term->count && !yes; i++)
      yes = csp_term_is_parallel(csp, term->kids[i]);
  }
  term->parallel = yes ? PARALLEL_YES : PARALLEL_NO;
  return yes;
}

/* ---- exploration ------------------------------------------------------------------- */

enum { NESTED_SHARE = 10 }; /* the part of the limit for states with states inside */

typedef struct {
  Csp *csp;
  CspLtsBuilder builder;
  VEC(CspTerm *) queue;
  uint32_t stamp;
  bool failed;
  CspTerm *nested; /* a state with another one inside, or NULL */
} Explore;

static uint32_t number(Explore *x, CspTerm *term) {
  term = csp_term_unfold(x->csp, term);
  if (term->stamp != x->stamp) {
    term->stamp = x->stamp;
    term->state = x->queue.len;
    vec_push(&x->queue, term);
  }
  return term->state;
}

/* Whether the state has another one inside that goes on under its operator, as in
 * P = a -> (P ||| P). Its operands were unfolded for its steps. */
static bool has_state_inside(const Explore *x, CspTerm *term) {
  if (term->op < TERM_INTERLEAVE) return false;
  for (uint32_t i = 0; i < term->count; i++)
    if (csp_term_unfold(x->csp, term->kids[i])->stamp == x->stamp) return true;
  return false;
}

/* Such a process mostly grows without an end, and its states become larger and larger:
 * that is said soon. */
static bool is_too_large(Explore *x, uint64_t limit) {
  const CspLimits *limits = &x->csp->limits;
  if (x->nested && x->queue.len > limits->component / NESTED_SHARE &&
      limit >= limits->component)
    csp_limit(x->csp, x->nested->place,
              "call it only as the last thing that is done, or raise --component",
              "the process calls itself under another operator and has more than %llu "
              "states",
              (unsigned long long)(limits->component / NESTED_SHARE));
  return x->queue.len > limit;
}

static void explore(Explore *x, uint64_t limit) {
  for (uint32_t at = 0; at < x->queue.len; at++) {
    CspTerm *term = x->queue.data[at];
    csp_lts_begin_state(&x->builder);
    csp_term_steps(x->csp, term);
    for (uint32_t i = 0; i < term->step_count; i++)
      csp_lts_edge(&x->builder, term->steps[i].event, number(x, term->steps[i].to));
    if (term->op == TERM_OMEGA) csp_lts_edge(&x->builder, LABEL_DONE, at);
    if (!x->nested && has_state_inside(x, term)) x->nested = term;
    csp_check_limits(x->csp, term->place);
    if (is_too_large(x, limit)) {
      x->failed = true;
      return;
    }
    if (x->csp->progress && (at & 0xfff) == 0xfff)
      progress_step(x->csp->progress, 0x1000, NULL);
  }
}

CspLts *csp_lts_of_term(Csp *csp, CspTerm *term, uint64_t limit, bool *ret_parallel) {
  Explore *x = arena_alloc_zero(csp->arena, sizeof *x);
  jmp_buf *out = csp->out, here;
  volatile bool thrown = true;
  x->csp = x->builder.csp = csp;
  x->stamp = ++csp->terms->stamp;
  csp->out = &here;
  if (setjmp(here) == 0) {
    number(x, term);
    explore(x, limit);
    thrown = false;
  }
  csp->out = out;
  if (!thrown && x->failed && ret_parallel) {
    *ret_parallel = false;
    for (uint32_t i = 0; i < x->queue.len && !*ret_parallel; i++)
      *ret_parallel =
          x->queue.data[i]->parallel == PARALLEL_YES ||
          (x->queue.data[i]->op >= TERM_INTERLEAVE && x->queue.data[i]->op <= TERM_LINK);
  }
  vec_free(&x->queue);
  if (thrown || x->failed) {
    csp_lts_drop(&x->builder);
    if (thrown) longjmp(*out, 1);
    return NULL;
  }
  return csp_lts_finish(&x->builder);
}
