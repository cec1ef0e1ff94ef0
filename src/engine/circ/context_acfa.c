/* Automata of contexts: owning, the one that does nothing, quotient, simulation.
 *
 * The quotient is by weak bisimulation: what is seen of a location is its label, whether it is
 * atomic, and whether errors name it; of an edge, what it havocs and which threads it starts. An
 * edge that does neither is silent. It only makes contexts small: any quotient would be sound, for
 * simulation decides.
 *
 * Simulation: g is below a if what there can be at g there can be at a, if a is atomic only when g
 * is, if a can be in the same errors, and if for each edge of g the thread either stays at a,
 * where the edge is silent, or takes an edge of a that havocs at least as much, starts the same
 * threads, and leads above. The printed definition lacks the second and the staying. */
#include "engine/circ/context_internal.h"

#include <assert.h>
#include <stdlib.h>

void acfa_free(Acfa *acfa) {
  for (uint32_t i = 0; i < acfa->locations.len; i++)
    mem_free(acfa->locations.data[i].label);
  vec_free(&acfa->locations);
  vec_free(&acfa->edges);
  vec_free(&acfa->first_edge);
  vec_free(&acfa->locals);
  vec_free(&acfa->starts);
  vec_free(&acfa->spawns.items);
  vec_free(&acfa->spawns.ends);
}

static int compare_words(uint32_t a, uint32_t b) {
  return a < b ? -1 : a > b;
}

/* Of edges that differ only in what they havoc, those that havoc more come first. */
static int compare_edges(const void *a, const void *b) {
  const AcfaEdge *x = a, *y = b;
  int order = compare_words(x->from, y->from);
  if (!order) order = compare_words(x->to, y->to);
  if (!order) order = compare_words(x->spawns, y->spawns);
  if (!order) order = __builtin_popcount(y->havoc) - __builtin_popcount(x->havoc);
  return order ? order : compare_words(x->havoc, y->havoc);
}

/* Does another one that is kept havoc at least as much? They lie side by side. */
static bool is_superfluous(const Acfa *acfa, AcfaEdge edge) {
  if (edge.from == edge.to && !edge.havoc && !edge.spawns) return true;
  for (uint32_t i = acfa->edges.len; i > 0; i--) {
    AcfaEdge e = acfa->edges.data[i - 1];
    if (e.from != edge.from || e.to != edge.to || e.spawns != edge.spawns) break;
    if (!(edge.havoc & ~e.havoc)) return true;
  }
  return false;
}

void acfa_tidy(Acfa *acfa) {
  uint32_t len = acfa->edges.len, next = 0;
  if (len) qsort(acfa->edges.data, len, sizeof *acfa->edges.data, compare_edges);
  acfa->edges.len = 0;
  for (uint32_t i = 0; i < len; i++) {
    AcfaEdge edge = acfa->edges.data[i];
    if (!is_superfluous(acfa, edge)) acfa->edges.data[acfa->edges.len++] = edge;
  }
  vec_clear(&acfa->first_edge);
  for (uint32_t i = 0; i <= acfa->locations.len; i++) {
    while (next < acfa->edges.len && acfa->edges.data[next].from < i) next++;
    vec_push(&acfa->first_edge, next);
  }
}

static void add_idle(const Problem *p, Acfa *acfa, uint32_t local) {
  AcfaLocation location = {.label = set_new(&p->space),
                           .kind = p->tts->locals.data[local].kind,
                           .mark = p->marked[local] ? local : TTS_NONE,
                           .first_local = acfa->locals.len,
                           .local_count = 1};
  for (uint32_t s = 0; s < p->space.count; s++) set_add(location.label, s);
  vec_push(&acfa->locals, local);
  acfa->starts.data[local] = acfa->locations.len;
  vec_push(&acfa->locations, location);
}

void acfa_complete(const Problem *p, Acfa *acfa) {
  for (uint32_t i = 0; i < p->tts->locals.len; i++)
    if (p->begins[i] && acfa->starts.data[i] == TTS_NONE) add_idle(p, acfa, i);
  acfa_tidy(acfa);
}

void acfa_idle(const Problem *p, Acfa *ret) {
  *ret = (Acfa){0};
  for (uint32_t i = 0; i < p->tts->locals.len; i++) vec_push(&ret->starts, TTS_NONE);
  acfa_complete(p, ret);
}

/* ---- the quotient -------------------------------------------------------------------- */

typedef struct {
  const Problem *p;
  const Acfa *graph;
  uint32_t *class, classes;
  NumberRows quiet; /* per location: where silent edges lead, itself included */
} Quotient;

static void find_quiet(Quotient *q) {
  const Acfa *graph = q->graph;
  uint32_t n = graph->locations.len;
  bool *seen = mem_alloc(n + 1);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t first = q->quiet.items.len;
    memset(seen, 0, n);
    seen[i] = true;
    vec_push(&q->quiet.items, i);
    for (uint32_t k = first; k < q->quiet.items.len; k++) {
      uint32_t here = q->quiet.items.data[k];
      for (uint32_t m = graph->first_edge.data[here];
           m < graph->first_edge.data[here + 1]; m++) {
        const AcfaEdge *e = &graph->edges.data[m];
        if (e->havoc || e->spawns || e->to == TTS_NONE || seen[e->to]) continue;
        seen[e->to] = true;
        vec_push(&q->quiet.items, e->to);
      }
    }
    vec_push(&q->quiet.ends, q->quiet.items.len);
  }
  mem_free(seen);
}

/* Numbers classes by what is told apart; true if there are more than before. */
static bool classify(Quotient *q, StrMap *seen, const Str *keys) {
  uint32_t before = q->classes;
  for (uint32_t i = 0; i < q->graph->locations.len; i++) {
    uint64_t *slot = strmap_at(seen, str_text(&keys[i]), keys[i].len);
    if (!*slot) *slot = seen->len;
    q->class[i] = (uint32_t)*slot - 1;
  }
  q->classes = seen->len;
  assert(q->classes >= before); /* keys hold the classes of the round before */
  return q->classes > before;
}

static void first_key(const Quotient *q, uint32_t i, Str *key) {
  const AcfaLocation *l = &q->graph->locations.data[i];
  str_add_bytes(key, &l->kind, sizeof l->kind);
  str_add_bytes(key, &l->mark, sizeof l->mark);
  str_add_char(key, l->atomic);
  str_add_bytes(key, l->label, q->p->space.words * sizeof *l->label);
}

typedef struct {
  uint32_t havoc, spawns, class;
} WeakStep;

static int compare_steps(const void *a, const void *b) {
  return memcmp(a, b, sizeof(WeakStep));
}

/* Where it gets by silent edges, one edge, and silent edges. */
static void next_key(const Quotient *q, uint32_t location, Str *key) {
  VEC(WeakStep) steps = {0};
  const Acfa *graph = q->graph;
  const uint32_t *before, *behind;
  uint32_t before_len, behind_len;
  before = numbers_row(&q->quiet, location, &before_len);
  for (uint32_t i = 0; i < before_len; i++) {
    vec_push(&steps, (WeakStep){0, 0, q->class[before[i]]});
    for (uint32_t k = graph->first_edge.data[before[i]];
         k < graph->first_edge.data[before[i] + 1]; k++) {
      const AcfaEdge *e = &graph->edges.data[k];
      if (e->to == TTS_NONE) {
        vec_push(&steps, (WeakStep){e->havoc, e->spawns, TTS_NONE});
        continue;
      }
      behind = numbers_row(&q->quiet, e->to, &behind_len);
      for (uint32_t m = 0; m < behind_len; m++)
        vec_push(&steps, (WeakStep){e->havoc, e->spawns, q->class[behind[m]]});
    }
  }
  qsort(steps.data, steps.len, sizeof *steps.data, compare_steps);
  str_add_bytes(key, &q->class[location], sizeof q->class[location]);
  for (uint32_t i = 0; i < steps.len; i++)
    if (i == 0 || compare_steps(&steps.data[i - 1], &steps.data[i]))
      str_add_bytes(key, &steps.data[i], sizeof steps.data[i]);
  vec_free(&steps);
}

static void refine(Quotient *q) {
  uint32_t n = q->graph->locations.len;
  Str *keys = mem_alloc_zero((n + 1) * sizeof *keys);
  for (uint32_t round = 0;; round++) {
    StrMap seen = {0};
    for (uint32_t i = 0; i < n; i++) {
      str_clear(&keys[i]);
      if (round == 0)
        first_key(q, i, &keys[i]);
      else
        next_key(q, i, &keys[i]);
    }
    bool more = classify(q, &seen, keys);
    strmap_free(&seen);
    if (!more || net_time_is_up(&q->p->options->limits)) break;
  }
  for (uint32_t i = 0; i < n; i++) str_free(&keys[i]);
  mem_free(keys);
}

static void add_local(Acfa *acfa, AcfaLocation *l, uint32_t local) {
  for (uint32_t i = 0; i < l->local_count; i++)
    if (acfa->locals.data[l->first_local + i] == local) return;
  vec_push(&acfa->locals, local);
  l->local_count++;
}

static void build_quotient(const Quotient *q, Acfa *ret) {
  const Acfa *graph = q->graph;
  for (uint32_t c = 0; c < q->classes; c++) {
    AcfaLocation location = {.label = set_new(&q->p->space),
                             .first_local = ret->locals.len};
    for (uint32_t i = 0; i < graph->locations.len; i++) {
      const AcfaLocation *l = &graph->locations.data[i];
      if (q->class[i] != c) continue;
      location.kind = l->kind, location.mark = l->mark, location.atomic = l->atomic;
      memcpy(location.label, l->label, q->p->space.words * sizeof *l->label);
      for (uint32_t k = 0; k < l->local_count; k++)
        add_local(ret, &location, graph->locals.data[l->first_local + k]);
    }
    vec_push(&ret->locations, location);
  }
  for (uint32_t i = 0; i < graph->edges.len; i++) {
    AcfaEdge e = graph->edges.data[i];
    e.from = q->class[e.from];
    if (e.to != TTS_NONE) e.to = q->class[e.to];
    vec_push(&ret->edges, e);
  }
  for (uint32_t i = 0; i < graph->starts.len; i++) {
    uint32_t start = graph->starts.data[i];
    vec_push(&ret->starts, start == TTS_NONE ? TTS_NONE : q->class[start]);
  }
}

void acfa_collapse(const Problem *p, const Acfa *graph, Acfa *ret, uint32_t **ret_map) {
  Quotient q = {.p = p, .graph = graph};
  q.class = mem_alloc_zero((graph->locations.len + 1) * sizeof *q.class);
  *ret = (Acfa){0};
  find_quiet(&q);
  refine(&q);
  build_quotient(&q, ret);
  acfa_complete(p, ret);
  vec_free(&q.quiet.items), vec_free(&q.quiet.ends);
  if (ret_map)
    *ret_map = q.class;
  else
    mem_free(q.class);
}

/* ---- simulation ---------------------------------------------------------------------- */

typedef struct {
  const Acfa *context, *graph;
  bool *below; /* [location of graph * locations of context + location of context] */
} Simulation;

static bool is_below(const Simulation *x, uint32_t g, uint32_t a) {
  return x->below[g * x->context->locations.len + a];
}

static bool can_be(const Problem *p, const AcfaLocation *g, const AcfaLocation *a) {
  return g->kind == a->kind && (!a->atomic || g->atomic) &&
         (g->mark == TTS_NONE || g->mark == a->mark) &&
         set_inside(&p->space, g->label, a->label);
}

static bool is_matched(const Simulation *x, const AcfaEdge *e, uint32_t a) {
  bool ends = e->to == TTS_NONE;
  if (!e->havoc && !e->spawns && !ends && is_below(x, e->to, a)) return true;
  const uint32_t *first = x->context->first_edge.data;
  for (uint32_t i = first[a]; i < first[a + 1]; i++) {
    const AcfaEdge *other = &x->context->edges.data[i];
    if (e->havoc & ~other->havoc || e->spawns != other->spawns) continue;
    if (ends ? other->to == TTS_NONE
             : other->to != TTS_NONE && is_below(x, e->to, other->to))
      return true;
  }
  return false;
}

bool acfa_simulates(const Problem *p, const Acfa *context, const Acfa *graph) {
  uint32_t width = context->locations.len;
  Simulation x = {context, graph, mem_alloc_zero(graph->locations.len * width + 1)};
  for (uint32_t g = 0; g < graph->locations.len; g++)
    for (uint32_t a = 0; a < width; a++)
      x.below[g * width + a] =
          can_be(p, &graph->locations.data[g], &context->locations.data[a]);
  bool holds = true;
  for (bool changed = true; changed && holds;) {
    changed = false;
    holds = !net_time_is_up(&p->options->limits);
    for (uint32_t i = 0; i < graph->edges.len; i++) {
      const AcfaEdge *e = &graph->edges.data[i];
      for (uint32_t a = 0; a < width; a++)
        if (is_below(&x, e->from, a) && !is_matched(&x, e, a)) {
          x.below[e->from * width + a] = false;
          changed = true;
        }
    }
  }
  for (uint32_t i = 0; i < graph->starts.len && holds; i++)
    if (graph->starts.data[i] != TTS_NONE)
      holds = is_below(&x, graph->starts.data[i], context->starts.data[i]);
  mem_free(x.below);
  return holds;
}
