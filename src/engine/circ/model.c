/* The model: kinds of threads, one after the other. See model.h. */
#include "engine/circ/model_internal.h"

#include "analysis/single.h"
#include "engine/atomics.h"

/* Ids of threads in examples look like nothing else. */
#define ID_BASE (UINT64_C(0x7eed) << 48)

/* ---- kinds ---- */

/* There may be more than one at a time, as far as flow can tell. */
static bool is_many(const Flow *flow, EdgeId site, FuncId entry) {
  bool found = false, many = false;
  if (!site) return false;
  for (uint32_t i = 0; i < flow->threads.len; i++) {
    const FlowThread *t = &flow->threads.data[i];
    if (t->site != site || (t->entry && t->entry != entry)) continue;
    found = true;
    many = many || t->many || !t->entry;
  }
  return many || !found || !flow->complete;
}

static bool is_started_once(const Program *p, EdgeId site) {
  bool found = !site;
  for (uint32_t i = 1; i < p->templates.len; i++) {
    if (p->templates.data[i].site != site) continue;
    if (p->templates.data[i].multiplicity != MULTIPLICITY_ONE) return false;
    found = true;
  }
  return found;
}

static bool has_step(const CircMaker *x, const Automaton *a, OpKind op) {
  for (uint32_t i = 1; i < a->steps.len; i++)
    if (program_edge(x->p, a->steps.data[i].edge)->op == op) return true;
  return false;
}

static void add_kind(CircMaker *x, uint32_t automaton, EdgeId site) {
  const Automaton *a = vec_at(&x->m->automata->kinds, automaton);
  CircKind k = {.automaton = automaton, .site = site};
  const char *name = sym_text(x->p, vec_at(&x->p->functions, a->entry)->name);
  uint32_t same = 0;
  for (uint32_t i = 0; i < x->m->kinds.len; i++)
    same += x->m->kinds.data[i].automaton == automaton;
  k.name = same ? arena_printf(x->arena, "%s (%u)", name, same + 1) : name;
  bool once = is_started_once(x->p, site);
  k.many = is_many(x->m->question.flow, site, a->entry);
  /* the main thread's id is known to nobody else before it asks for it */
  if (once && !k.many && (site || has_step(x, a, OP_SELF)))
    k.id = ID_BASE + x->m->kinds.len + 1;
  vec_push(&x->m->kinds, k);
}

static void add_kinds(CircMaker *x) {
  const Automata *all = x->m->automata;
  for (uint32_t i = 0; i < all->kinds.len; i++)
    if (!all->kinds.data[i].site) add_kind(x, i, 0);
  for (EdgeId e = 1; e < x->p->edges.len; e++) {
    const FuncId *entries;
    if (program_edge(x->p, e)->op != OP_CREATE ||
        !pointsto_is_reachable(x->pt,
                               x->p->nodes.data[program_edge(x->p, e)->from].function))
      continue;
    uint32_t n = pointsto_callees(x->pt, e, &entries);
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t k = 0; k < all->kinds.len; k++)
        if (all->kinds.data[k].entry == entries[i] && all->kinds.data[k].site)
          add_kind(x, k, e);
  }
}

static void turn_to(CircMaker *x, uint32_t number) {
  x->number = number;
  x->kind = vec_at(&x->m->kinds, number);
  x->a = vec_at(&x->m->automata->kinds, x->kind->automaton);
}

static void make_kind(CircMaker *x, uint32_t number) {
  turn_to(x, number);
  x->half = 0;
  map_clear(&x->local_of);
  map_clear(&x->ghost_of);
  x->kind->blocks = x->m->question.fine ? blocks_of_steps(x->m->automata, x->a)
                                        : blocks_new(x->m->automata, x->a);
  circ_blocks_make(x);
}

/* Parameters of new threads are numbered as locals now, those that nobody reads left out. */
static void name_parameters(CircModel *m, CircKind *k) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < k->starts.len; i++) {
    CircStart *s = &k->starts.data[i];
    const CircKind *child = vec_at(&m->kinds, s->kind);
    uint32_t first = kept;
    for (uint32_t n = 0; n < s->set_count; n++) {
      CircSet set = k->start_sets.data[s->first_set + n];
      for (uint32_t v = 0; v < child->locals.len; v++) {
        if (child->locals.data[v].variable != set.variable) continue;
        k->start_sets.data[kept++] = (CircSet){CIRC_LOCAL | v, set.value};
        break;
      }
    }
    s->first_set = first;
    s->set_count = kept - first;
  }
  k->start_sets.len = kept;
}

/* ---- the program ---- */

static bool is_one_place(void *user, ObjectId object, uint32_t offset) {
  const CircMaker *x = user;
  return single_object(x->p, x->pt, object) && offset != OFFSET_ANY &&
         pointsto_place_step(x->pt, object, offset) == 0;
}

static const char *refusal_of(const Automata *all) {
  for (uint32_t i = 0; i < all->kinds.len; i++)
    if (all->kinds.data[i].refused) return all->kinds.data[i].refused;
  return all->kinds.len ? NULL : "the program has no main function";
}

static void make(CircMaker *x) {
  x->weak = arena_alloc_zero(x->arena, x->p->objects.len + 1);
  atomics_find_weak(x->m->question.flow->program, x->pt, is_one_place, x, x->weak);
  circ_ends_find(x);
  circ_element_find(x);
  circ_cells_find(x);
  circ_heap_find(x);
  circ_objects_find(x);
  add_kinds(x);
  for (uint32_t i = 0; i < x->m->automata->kinds.len; i++)
    x->joins = x->joins || has_step(x, &x->m->automata->kinds.data[i], OP_JOIN);
  x->ended = arena_alloc_zero(x->arena, (x->m->kinds.len + 1) * sizeof *x->ended);
  x->ids = arena_alloc_zero(x->arena, (x->m->kinds.len + 1) * sizeof *x->ids);
  for (uint32_t i = 0; i < x->m->kinds.len && !x->why; i++) make_kind(x, i);
  for (uint32_t i = 0; i < x->m->kinds.len && !x->why; i++) {
    turn_to(x, i);
    circ_constants_find(x);
  }
  if (!x->why) circ_counters_find(x);
  for (uint32_t i = 0; i < x->m->kinds.len && !x->why; i++) {
    turn_to(x, i);
    circ_live_find(x);
  }
  for (uint32_t i = 0; i < x->m->kinds.len && !x->why; i++)
    name_parameters(x->m, &x->m->kinds.data[i]);
}

CircModel *circ_model_new(const CircQuestion *question, Arena *arena,
                          const char **ret_why) {
  CircModel *m = mem_alloc_zero(sizeof *m);
  CircMaker x = {
      .m = m, .p = question->program, .pt = question->pointsto, .arena = arena};
  AutomatonQuestion about = {.program = question->program,
                             .pointsto = question->pointsto,
                             .sharing = question->flow->sharing,
                             .asked = question->asked,
                             .stop = question->stop};
  m->question = *question;
  m->terms = x.t = terms_new();
  m->automata = automata_new(&about);
  x.why = refusal_of(m->automata);
  if (!x.why) make(&x);
  vec_free(&x.cells);
  map_free(&x.cell_at);
  vec_free(&x.objects);
  map_free(&x.object_at);
  map_free(&x.local_of);
  map_free(&x.ghost_of);
  if (!x.why) return m;
  *ret_why = arena_strdup(arena, x.why);
  circ_model_free(m);
  return NULL;
}

static void free_kind(CircKind *k) {
  blocks_free(k->blocks);
  mem_free(k->live);
  vec_free(&k->locals);
  vec_free(&k->all);
  vec_free(&k->sets);
  vec_free(&k->inputs);
  vec_free(&k->visits);
  vec_free(&k->events);
  vec_free(&k->starts);
  vec_free(&k->start_sets);
  vec_free(&k->constants);
}

void circ_model_free(CircModel *m) {
  if (!m) return;
  for (uint32_t i = 0; i < m->kinds.len; i++) free_kind(&m->kinds.data[i]);
  vec_free(&m->kinds);
  vec_free(&m->shared);
  vec_free(&m->counters);
  automata_free(m->automata);
  terms_free(m->terms);
  mem_free(m);
}

bool circ_is_atomic(const CircModel *m, uint32_t kind, uint32_t location) {
  const Automaton *a = vec_at(&m->automata->kinds, vec_at(&m->kinds, kind)->automaton);
  const AutoLocation *at = vec_at(&a->locations, location);
  if (!location || !at->depth || location == a->start) return false;
  for (uint32_t i = 0; i < at->step_count; i++) {
    EdgeId edge = a->steps.data[at->first_step + i].edge;
    if (op_has(program_edge(m->question.program, edge)->op, OP_BLOCKS)) return false;
  }
  return true;
}
