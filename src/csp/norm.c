/* Lazy normalisation: the subset construction with acceptances.
 *
 * In: the machine of a specification. Out: nodes on demand. Each state of the machine is
 * expanded once. A state that can terminate may also refuse everything else, because
 * nobody can keep it from ending: it adds the acceptance {tick}. */
#include "csp/norm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static uint32_t make_node(CspNorm *norm, const uint32_t *seeds, uint32_t count);

void csp_norm_init(CspNorm *norm, Csp *csp, CspMachine *machine) {
  *norm = (CspNorm){.csp = csp, .machine = machine};
  csp_store_init(&norm->states, machine->words * (uint32_t)sizeof(uint64_t), NULL);
  csp_moves_init(&norm->moves, machine);
  uint64_t *start = mem_alloc(machine->words * sizeof *start);
  bool fresh;
  csp_machine_start(machine, start);
  uint32_t first = csp_store_add(&norm->states, start, &fresh);
  mem_free(start);
  make_node(norm, &first, 1);
}

void csp_norm_free(CspNorm *norm) {
  if (!norm->machine) return;
  for (uint32_t i = 0; i < norm->nodes.len; i++) {
    CspNormNode *n = &norm->nodes.data[i];
    mem_free(n->states);
    mem_free(n->after);
    for (uint32_t k = 0; k < n->acceptance_count; k++) mem_free(n->acceptances[k]);
    mem_free(n->acceptances);
  }
  vec_free(&norm->nodes);
  vec_free(&norm->edges);
  vec_free(&norm->edges_of);
  strmap_free(&norm->interned);
  csp_store_free(&norm->states);
  csp_moves_free(&norm->moves);
  mem_free(norm->mark);
  *norm = (CspNorm){0};
}

uint64_t csp_norm_memory(const CspNorm *norm) {
  return csp_store_memory(&norm->states) + norm->edges.cap * sizeof(CspEdge) +
         norm->edges_of.cap * sizeof(uint64_t) + norm->nodes.cap * sizeof(CspNormNode) +
         norm->node_bytes;
}

/* ---- states ------------------------------------------------------------------------ */

static void expand(CspNorm *norm, uint32_t state) {
  while (norm->edges_of.len < norm->states.count) vec_push(&norm->edges_of, 0);
  if (norm->edges_of.data[state]) return;
  uint32_t words = norm->machine->words;
  uint64_t buffer[64], *packed = words <= 64 ? buffer : mem_alloc(words * sizeof *packed);
  memcpy(packed, csp_store_at(&norm->states, state), words * sizeof *packed);
  csp_machine_moves(norm->machine, packed, &norm->moves);
  if (packed != buffer) mem_free(packed);
  uint32_t first = norm->edges.len;
  for (uint32_t i = 0; i < norm->moves.count; i++) {
    bool fresh;
    uint32_t to =
        csp_store_add(&norm->states, norm->moves.states + (size_t)i * words, &fresh);
    vec_push(&norm->edges, (CspEdge){norm->moves.events[i], to});
  }
  while (norm->edges_of.len < norm->states.count) vec_push(&norm->edges_of, 0);
  norm->edges_of.data[state] = (uint64_t)(norm->edges.len - first) << 32 | (first + 1);
}

static CspEdge *edges(const CspNorm *norm, uint32_t state, uint32_t *ret_count) {
  uint64_t word = norm->edges_of.data[state];
  *ret_count = (uint32_t)(word >> 32);
  return *ret_count ? norm->edges.data + ((uint32_t)word - 1) : NULL;
}

static void need_marks(CspNorm *norm) {
  if (norm->mark_cap >= norm->states.count) return;
  uint32_t cap = (uint32_t)norm->states.count * 2 + 64;
  norm->mark = mem_realloc(norm->mark, cap * sizeof *norm->mark);
  memset(norm->mark + norm->mark_cap, 0, (cap - norm->mark_cap) * sizeof *norm->mark);
  norm->mark_cap = cap;
}

static int compare_ids(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

typedef VEC(uint32_t) Ids;

/* Everything that internal steps reach, sorted. Marks are 0 again afterwards. */
static void close_under_tau(CspNorm *norm, Ids *set) {
  for (uint32_t i = 0; i < set->len; i++) {
    need_marks(norm);
    norm->mark[set->data[i]] = 1;
  }
  for (uint32_t i = 0; i < set->len; i++) {
    expand(norm, set->data[i]);
    need_marks(norm);
    uint32_t n;
    CspEdge *e = edges(norm, set->data[i], &n);
    for (uint32_t k = 0; k < n; k++)
      if (e[k].label == EVENT_TAU && !norm->mark[e[k].target]) {
        norm->mark[e[k].target] = 1;
        vec_push(set, e[k].target);
      }
  }
  for (uint32_t i = 0; i < set->len; i++) norm->mark[set->data[i]] = 0;
  qsort(set->data, set->len, sizeof *set->data, compare_ids);
}

/* A circle of internal steps inside the set: depth-first search with colours in `mark`.
 * */
static bool has_tau_circle(CspNorm *norm, const Ids *set) {
  VEC(uint64_t) stack = {0}; /* state, next edge */
  bool found = false;
  for (uint32_t i = 0; i < set->len && !found; i++) {
    if (norm->mark[set->data[i]]) continue;
    norm->mark[set->data[i]] = 1;
    vec_push(&stack, (uint64_t)set->data[i] << 32);
    while (stack.len && !found) {
      uint64_t *top = vec_last(&stack);
      uint32_t state = (uint32_t)(*top >> 32), k = (uint32_t)*top, n;
      CspEdge *e = edges(norm, state, &n);
      while (k < n && e[k].label != EVENT_TAU) k++;
      if (k == n) {
        norm->mark[state] = 2;
        vec_pop(&stack);
        continue;
      }
      *top = (uint64_t)state << 32 | (k + 1);
      uint32_t to = e[k].target;
      if (norm->mark[to] == 1)
        found = true;
      else if (!norm->mark[to]) {
        norm->mark[to] = 1;
        vec_push(&stack, (uint64_t)to << 32);
      }
    }
  }
  for (uint32_t i = 0; i < set->len; i++) norm->mark[set->data[i]] = 0;
  vec_free(&stack);
  return found;
}

/* ---- acceptances ------------------------------------------------------------------- */

static bool subset(const uint32_t *a, const uint32_t *b) {
  for (; *a != UINT32_MAX; a++) {
    while (*b < *a) b++;
    if (*b != *a) return false;
  }
  return true;
}

/* Keeps only minimal sets; takes over `set`. */
static void add_acceptance(CspNormNode *node, uint32_t *set) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < node->acceptance_count; i++)
    if (subset(node->acceptances[i], set)) {
      mem_free(set);
      return;
    }
  for (uint32_t i = 0; i < node->acceptance_count; i++)
    if (subset(set, node->acceptances[i]))
      mem_free(node->acceptances[i]);
    else
      node->acceptances[n++] = node->acceptances[i];
  node->acceptances = mem_realloc(node->acceptances, (n + 1) * sizeof *node->acceptances);
  node->acceptances[n] = set;
  node->acceptance_count = n + 1;
}

static void state_acceptance(CspNorm *norm, CspNormNode *node, uint32_t state) {
  uint32_t n, count = 0;
  CspEdge *e = edges(norm, state, &n);
  bool stable = true, tick = false;
  uint32_t *set = mem_alloc((n + 2) * sizeof *set);
  for (uint32_t k = 0; k < n; k++) {
    stable &= e[k].label != EVENT_TAU;
    tick |= e[k].label == EVENT_TICK;
    set[count++] = e[k].label;
  }
  if (tick) {
    set[0] = EVENT_TICK;
    count = 1;
  } else if (!stable) {
    mem_free(set);
    return;
  }
  qsort(set, count, sizeof *set, compare_ids);
  uint32_t kept = 0;
  for (uint32_t k = 0; k < count; k++)
    if (kept == 0 || set[kept - 1] != set[k]) set[kept++] = set[k];
  set[kept] = UINT32_MAX;
  add_acceptance(node, set);
}

bool csp_norm_accepts(const CspNorm *norm, uint32_t node, const uint32_t *offered,
                      uint32_t count) {
  assert(count < 2 || offered[0] <= offered[count - 1]);
  const CspNormNode *n = &norm->nodes.data[node];
  for (uint32_t i = 0; i < n->acceptance_count; i++) {
    const uint32_t *a = n->acceptances[i];
    uint32_t k = 0;
    for (; *a != UINT32_MAX; a++) {
      while (k < count && offered[k] < *a) k++;
      if (k == count || offered[k] != *a) break;
    }
    if (*a == UINT32_MAX) return true;
  }
  return false;
}

/* ---- nodes ------------------------------------------------------------------------- */

static void fill_node(CspNorm *norm, CspNormNode *node, const Ids *set) {
  VEC(uint32_t) events = {0};
  for (uint32_t i = 0; i < set->len; i++) {
    uint32_t n;
    CspEdge *e = edges(norm, set->data[i], &n);
    for (uint32_t k = 0; k < n; k++)
      if (e[k].label != EVENT_TAU) vec_push(&events, e[k].label);
    state_acceptance(norm, node, set->data[i]);
  }
  if (events.len) qsort(events.data, events.len, sizeof *events.data, compare_ids);
  node->after = mem_alloc((events.len + 1) * sizeof *node->after);
  for (uint32_t i = 0; i < events.len; i++)
    if (i == 0 || events.data[i] != events.data[i - 1])
      node->after[node->after_count++] = (CspAfter){events.data[i], 0};
  vec_free(&events);
  node->diverges = has_tau_circle(norm, set);
}

static uint32_t make_node(CspNorm *norm, const uint32_t *seeds, uint32_t count) {
  Ids set = {0};
  for (uint32_t i = 0; i < count; i++)
    if (i == 0 || seeds[i] != seeds[i - 1]) vec_push(&set, seeds[i]);
  close_under_tau(norm, &set);
  assert(set.len);
  uint64_t *slot =
      strmap_at(&norm->interned, (const char *)set.data, set.len * sizeof *set.data);
  if (*slot) {
    vec_free(&set);
    return (uint32_t)*slot - 1;
  }
  *slot = norm->nodes.len + 1;
  CspNormNode node = {.states = set.data, .state_count = set.len};
  fill_node(norm, &node, &set);
  /* The states are there twice: as the key of the interned node, too. */
  norm->node_bytes += 2 * (uint64_t)node.state_count * sizeof *node.states +
                      node.after_count * sizeof *node.after;
  vec_push(&norm->nodes, node);
  return norm->nodes.len - 1;
}

uint32_t csp_norm_after(CspNorm *norm, uint32_t node, uint32_t event) {
  assert(node < norm->nodes.len && event != EVENT_TAU);
  CspNormNode *n = &norm->nodes.data[node];
  uint32_t low = 0, high = n->after_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (n->after[middle].event < event)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == n->after_count || n->after[low].event != event) return UINT32_MAX;
  if (n->after[low].node) return n->after[low].node - 1;
  Ids seeds = {0};
  for (uint32_t i = 0; i < n->state_count; i++) {
    uint32_t count;
    CspEdge *e = edges(norm, n->states[i], &count);
    for (uint32_t k = 0; k < count; k++)
      if (e[k].label == event) vec_push(&seeds, e[k].target);
  }
  qsort(seeds.data, seeds.len, sizeof *seeds.data, compare_ids);
  uint32_t made = make_node(norm, seeds.data, seeds.len);
  vec_free(&seeds);
  norm->nodes.data[node].after[low].node = made + 1;
  return made;
}

/* ---- as a compression -------------------------------------------------------------- */

/* A node becomes one state if it has one acceptance that is all it can do; otherwise it
 * is an unstable state with an internal step to one state per acceptance. */
static bool is_stable(const CspNormNode *n) {
  if (n->diverges || n->acceptance_count != 1) return false;
  uint32_t count = 0;
  while (n->acceptances[0][count] != UINT32_MAX) count++;
  return count == n->after_count;
}

CspLts *csp_lts_normal(Csp *csp, const CspLts *lts) {
  CspMachine *m = csp_machine_new(csp);
  CspNorm norm;
  csp_list_push(csp, &csp->terms->machines, m);
  uint32_t c = csp_machine_component(m, NULL, lts);
  Map labels = {0};
  for (uint32_t i = 0; i < lts->first[lts->states]; i++)
    map_put(&labels, lts->edges[i].label, 1);
  for (uint32_t i = 0; i < labels.len; i++) {
    uint32_t label = (uint32_t)labels.entries[i].key;
    CspPart *part = arena_alloc(csp->arena, sizeof *part);
    *part = (CspPart){c, label};
    if (label != LABEL_DONE) vec_push(&m->rules, (CspRule){label, label, 1, part, false});
  }
  map_free(&labels);
  csp_machine_finish(m);
  csp_norm_init(&norm, csp, m);
  bool tick = false;
  for (uint32_t n = 0; n < norm.nodes.len && norm.nodes.len <= 4 * lts->states + 1000;
       n++)
    for (uint32_t k = 0; k < norm.nodes.data[n].after_count; k++) {
      tick |= norm.nodes.data[n].after[k].event == EVENT_TICK;
      csp_norm_after(&norm, n, norm.nodes.data[n].after[k].event);
    }
  if (norm.nodes.len >
      4 * lts->states + 1000) { /* larger than what it should make small */
    csp_norm_free(&norm);
    return csp_lts_sbisim(csp, lts);
  }
  CspLtsBuilder b = {.csp = csp};
  uint32_t next = norm.nodes.len, done = 0;
  for (uint32_t n = 0; n < norm.nodes.len; n++)
    if (!is_stable(&norm.nodes.data[n])) next += norm.nodes.data[n].acceptance_count;
  if (tick) done = next;
  next = norm.nodes.len;
  for (uint32_t n = 0; n < norm.nodes.len; n++) {
    CspNormNode *node = &norm.nodes.data[n];
    csp_lts_begin_state(&b);
    for (uint32_t k = 0; k < node->after_count; k++)
      csp_lts_edge(&b, node->after[k].event,
                   node->after[k].event == EVENT_TICK ? done : node->after[k].node - 1);
    if (node->diverges) csp_lts_edge(&b, EVENT_TAU, n);
    for (uint32_t k = 0; k < node->acceptance_count && !is_stable(node); k++)
      csp_lts_edge(&b, EVENT_TAU, next++);
  }
  for (uint32_t n = 0; n < norm.nodes.len; n++) {
    CspNormNode *node = &norm.nodes.data[n];
    for (uint32_t i = 0; i < node->acceptance_count && !is_stable(node); i++) {
      csp_lts_begin_state(&b);
      for (uint32_t *e = node->acceptances[i]; *e != UINT32_MAX; e++)
        csp_lts_edge(&b, *e, *e == EVENT_TICK ? done : csp_norm_after(&norm, n, *e));
    }
  }
  if (tick) {
    csp_lts_begin_state(&b);
    csp_lts_edge(&b, LABEL_DONE, done);
  }
  csp_norm_free(&norm);
  return csp_lts_sbisim(csp, csp_lts_finish(&b));
}
