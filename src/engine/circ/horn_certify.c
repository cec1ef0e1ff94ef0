/* The certificate of a modular proof: what it needs of the invariant, as text for proof/modular.h. */
#include "engine/circ/horn_certify.h"

#include "base/mem.h"

/* ---- what it relies on ---- */

typedef struct {
  Map shared; /* variable → index + 1 */
  const CircModel *model;
  uint8_t *objects;
} Relied;

static void rely(void *user, Term variable) {
  Relied *r = user;
  uint64_t found = map_find(&r->shared, variable, 0);
  if (!found) return;
  const CircShared *s = &r->model->shared.data[found - 1];
  if (!s->ghost) r->objects[s->object] = 1;
}

static void rely_on(Relied *r, Term t) {
  Map seen = {0};
  term_variables(r->model->terms, t, &seen, rely, r);
  map_free(&seen);
}

void horn_find_relied(const Horn *h, uint8_t *ret_objects) {
  const CircModel *m = h->model;
  Relied r = {.model = m, .objects = ret_objects};
  for (uint32_t i = 0; i < m->shared.len; i++)
    map_put(&r.shared, m->shared.data[i].now, i + 1);
  for (uint32_t i = 0; i < h->predicates.len; i++)
    for (uint32_t k = 0; k < h->predicates.data[i].candidates.len; k++) {
      const HornCandidate *c = &h->predicates.data[i].candidates.data[k];
      if (c->needed) rely_on(&r, c->term);
    }
  for (uint32_t n = 0; n < m->kinds.len; n++) {
    const CircKind *kind = &m->kinds.data[n];
    for (uint32_t i = 0; i < kind->all.len; i++) {
      const CircBlock *b = &kind->all.data[i];
      if (b->visit_count < 2) continue; /* nobody comes in between */
      rely_on(&r, b->guard);
      for (uint32_t j = 0; j < b->set_count; j++)
        rely_on(&r, kind->sets.data[b->first_set + j].value);
    }
  }
  map_free(&r.shared);
}

/* ---- the text ---- */

typedef struct {
  CircWriter w;
  const Horn *h;
} Writer;

/* The parameters of a predicate get the number of the variable that they stand for. */
static void put_parameter(Writer *w, const HornPredicate *p, uint32_t number) {
  const CircModel *m = w->h->model;
  HornParameter x = p->parameters.data[number];
  Term parameter =
      w->h->chc.arguments
          .data[w->h->chc.predicates.data[p - w->h->predicates.data].first + number];
  if (x.slot == HORN_SHARED) {
    circ_write_shared(&w->w, &m->shared.data[x.variable]);
    return;
  }
  uint32_t kind = p->tuple.at[x.slot].kind;
  const CircLocal *l = &m->kinds.data[kind].locals.data[x.variable];
  circ_write_local(&w->w, kind, l);
  map_put(&w->w.origins, parameter, l->now);
  map_put(&w->w.slots, parameter, x.slot + 1);
}

typedef struct {
  Writer *w;
  const HornPredicate *p;
} Putting;

static void put_variable(void *user, Term variable) {
  Putting *x = user;
  const Horn *h = x->w->h;
  const ChcAtom *atom = &h->chc.predicates.data[x->p - h->predicates.data];
  for (uint32_t i = 0; i < atom->count; i++)
    if (h->chc.arguments.data[atom->first + i] == variable) {
      put_parameter(x->w, x->p, i);
      return;
    }
}

/* Memory that the proof relies on or that is one thread's own, and all that the invariant is about. */
static void put_variables(Writer *w) {
  const CircModel *m = w->h->model;
  const Sharing *sharing = m->question.flow->sharing;
  if (m->element) circ_write_shared(&w->w, &m->shared.data[m->element - 1]);
  for (uint32_t i = 0; i < m->shared.len; i++) {
    const CircShared *s = &m->shared.data[i];
    if (!s->ghost &&
        (w->w.proof->relied[s->object] || sharing_is_private(sharing, s->object)))
      circ_write_shared(&w->w, s);
  }
  for (uint32_t n = 0; n < m->kinds.len; n++)
    for (uint32_t i = 0; i < m->kinds.data[n].constants.len; i++) {
      const CircConstant *c = &m->kinds.data[n].constants.data[i];
      const CircLocal *both[] = {&c->local, &c->beside};
      for (int b = 0; b < 2 && both[b]->now; b++) {
        circ_write_local(&w->w, n, both[b]);
        map_put(&w->w.slots, both[b]->now, 1);
      }
    }
  for (uint32_t i = 0; i < w->h->predicates.len; i++) {
    const HornPredicate *p = &w->h->predicates.data[i];
    for (uint32_t k = 0; k < p->candidates.len; k++) {
      Map seen = {0};
      Putting x = {w, p};
      if (p->candidates.data[k].needed)
        term_variables(m->terms, p->candidates.data[k].term, &seen, put_variable, &x);
      map_free(&seen);
    }
  }
}

/* Locals that are always one number there. */
static void put_constants(Writer *w, HornAt at) {
  const CircKind *k = &w->h->model->kinds.data[at.kind];
  for (uint32_t i = 0; i < k->constants.len; i++) {
    const CircConstant *c = &k->constants.data[i];
    if (c->location != at.location) continue;
    w->w.tokens = 0;
    str_add(w->w.out, "holds eq");
    circ_write_term(&w->w, c->local.now, 0);
    circ_write_term(&w->w, c->value, 0);
    str_add(w->w.out, "\n");
  }
}

/* Something is said about them. */
static bool is_listed(const HornPredicate *p) {
  bool listed = p->needed_nowhere;
  for (uint32_t k = 0; k < p->candidates.len; k++)
    listed = listed || p->candidates.data[k].needed;
  return listed;
}

static void put_tuples(Writer *w) {
  Str *out = w->w.out;
  str_addf(out, "evidence\nmodular %u\n", w->h->level);
  for (uint32_t i = 0; i < w->h->predicates.len && w->w.fits; i++) {
    const HornPredicate *p = &w->h->predicates.data[i];
    if (p->tuple.count == 1 ? !p->reached : !is_listed(p)) continue;
    str_add(out, "tuple");
    for (uint32_t s = 0; s < p->tuple.count; s++)
      str_addf(out, " %u %u", p->tuple.at[s].kind, p->tuple.at[s].location);
    str_add(out, "\n");
    if (p->needed_nowhere) str_add(out, "holds c1:0\n");
    if (p->tuple.count == 1) put_constants(w, p->tuple.at[0]);
    for (uint32_t k = 0; k < p->candidates.len; k++) {
      if (!p->candidates.data[k].needed) continue;
      w->w.tokens = 0;
      str_add(out, "holds");
      circ_write_term(&w->w, p->candidates.data[k].term, 0);
      str_add(out, "\n");
    }
  }
}

bool horn_certify(const Horn *h, const CircProof *proof, Str *out) {
  Str text = {0};
  Writer w = {.h = h,
              .w = {.proof = proof,
                    .model = h->model,
                    .out = &text,
                    .once = mem_alloc_zero(h->model->kinds.len + 1),
                    .fits = true}};
  for (uint32_t i = 0; i < h->model->kinds.len; i++) w.w.once[i] = horn_is_once(h, i);
  circ_write_question(&w.w);
  put_variables(&w);
  put_tuples(&w);
  if (w.w.fits) str_add_bytes(out, str_text(&text), text.len);
  bool fits = w.w.fits;
  str_free(&text);
  map_free(&w.w.variables);
  map_free(&w.w.slots);
  map_free(&w.w.origins);
  mem_free(w.w.once);
  return fits;
}
