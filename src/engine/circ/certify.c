/* See certify.h. The checker reads what stands here, and believes nothing of it. */
#include "engine/circ/certify.h"

#include "base/mem.h"

#include <inttypes.h>

typedef CircWriter Writer;

static void put_header(const Program *p, Str *out) {
  uint64_t hash = map_hash(p->edges.data, p->edges.len * sizeof *p->edges.data);
  str_addf(out, "heddle context certificate 1\nprogram %" PRIu64 "\n", hash);
}

void circ_write_question(const Writer *w) {
  const Obligation *o = w->proof->obligation;
  const Program *p = w->proof->program;
  put_header(p, w->out);
  if (o->kind == OBLIGATION_ASSERTION)
    str_addf(w->out, "about assertion %u\n", o->edge);
  else
    str_addf(w->out, "about race %u %" PRIu64 " %" PRIu64 "\n", o->object, o->from,
             o->to);
  str_add(w->out, "asked");
  for (EdgeId e = 1; e < p->edges.len; e++)
    if (w->proof->asked[e]) str_addf(w->out, " %u", e);
  str_add(w->out, "\nrelies");
  for (ObjectId i = 1; i < p->objects.len; i++)
    if (w->proof->relied[i]) str_addf(w->out, " %u", i);
  str_add(w->out, "\n");
  for (uint32_t i = 0; i < w->model->kinds.len; i++) {
    const CircKind *k = &w->model->kinds.data[i];
    FuncId entry = w->model->automata->kinds.data[k->automaton].entry;
    str_addf(w->out, "kind %u %u %s\n", k->site, entry, w->once[i] ? "once" : "many");
  }
}

/* ---- variables ---- */

static bool is_new(Writer *w, Term now) {
  uint64_t *slot = map_at(&w->variables, now);
  if (*slot) return false;
  *slot = w->variables.len;
  return true;
}

void circ_write_shared(Writer *w, const CircShared *s) {
  if (!is_new(w, s->now)) return;
  uint32_t bits = term_bits(w->model->terms, s->now);
  const char *word = s->which == GHOST_OWNER     ? "held"
                     : s->which == GHOST_READERS ? "readers"
                     : s->which == GHOST_VALUE   ? "value"
                                                 : "done";
  if (s->ghost && s->which == CIRC_ELEMENT)
    str_addf(w->out, "element %u %u\n", w->model->element_begin,
             w->model->element_stride);
  else if (!s->ghost && s->stride)
    str_addf(w->out, "cell %u %u %u %u\n", s->object, s->offset, s->stride, bits);
  else if (!s->ghost)
    str_addf(w->out, "memory %u %u %u\n", s->object, s->offset, bits);
  else if (s->which == CIRC_MADE)
    str_addf(w->out, "made %u\n", s->object);
  else if (s->which == GHOST_ENDED)
    str_addf(w->out, "ended %u\n", s->offset);
  else if (s->which == GHOST_KNOWN)
    str_addf(w->out, "id %u\n", s->offset);
  else
    str_addf(w->out, "ghost %s %u %u\n", word, s->object, s->offset);
}

static void put_share(Writer *w, uint32_t kind, const CircLocal *l) {
  const CircView *view = &w->model->counters.data[l->counter].view;
  str_addf(w->out, "counts %u %u %u %u", kind, l->object, l->offset,
           l->start == term_const(w->model->terms, 2, 1));
  switch (view->kind) {
  case VIEW_ALL: str_add(w->out, " all\n"); break;
  case VIEW_LEFT: str_addf(w->out, " left %" PRIu64 "\n", view->start); break;
  case VIEW_POSITIVE: str_add(w->out, " positive\n"); break;
  case VIEW_BITS: str_addf(w->out, " bits %u %u\n", view->low, view->count); break;
  }
}

void circ_write_local(Writer *w, uint32_t kind, const CircLocal *l) {
  if (!is_new(w, l->now)) return;
  const char *word = l->which == GHOST_OWNER   ? "has"
                     : l->which == GHOST_COUNT ? "times"
                                               : "reads";
  if (l->variable)
    str_addf(w->out, "local %u %u\n", kind, l->variable);
  else if (l->which == GHOST_ALL)
    str_addf(w->out, "half %u\n", kind);
  else if (l->which == CIRC_COUNTS)
    put_share(w, kind, l);
  else
    str_addf(w->out, "own %u %s %u %u\n", kind, word, l->object, l->offset);
}

/* Locals that are always one number: a predicate for each of these numbers. */
static uint32_t constant_predicate(Writer *w, const CircConstant *c) {
  uint64_t *slot =
      map_at(&w->constants, (uint64_t)c->local.now << 32 | c->value); /* terms */
  if (!*slot) *slot = w->constants.len;
  return w->ps->list.len + (uint32_t)*slot - 1;
}

/* Memory that the proof relies on or that is one thread's own, and whatever predicates are about. */
static void put_variables(Writer *w) {
  const Sharing *sharing = w->model->question.flow->sharing;
  if (w->model->element)
    circ_write_shared(w, &w->model->shared.data[w->model->element - 1]);
  for (uint32_t i = 0; i < w->model->shared.len; i++) {
    const CircShared *s = &w->model->shared.data[i];
    if (!s->ghost &&
        (w->proof->relied[s->object] || sharing_is_private(sharing, s->object)))
      circ_write_shared(w, s);
  }
  for (uint32_t i = 0; i < w->ps->owners.len; i++) {
    const CircOwner *o = &w->ps->owners.data[i];
    if (o->kind == CIRC_NOBODY)
      circ_write_shared(w, &w->model->shared.data[o->variable]);
    else
      circ_write_local(
          w, o->kind,
          &w->model->kinds.data[o->kind].locals.data[o->variable & ~CIRC_LOCAL]);
  }
  for (uint32_t k = 0; k < w->model->kinds.len; k++)
    for (uint32_t i = 0; i < w->model->kinds.data[k].constants.len; i++) {
      const CircConstant *c = &w->model->kinds.data[k].constants.data[i];
      circ_write_local(w, k, &c->local);
      if (c->beside.now) circ_write_local(w, k, &c->beside);
      constant_predicate(w, c);
    }
}

/* ---- predicates ---- */

static void put_constants(Writer *w) {
  for (uint32_t i = 0; i < w->constants.len; i++) {
    uint64_t key = w->constants.entries[i].key;
    str_add(w->out, "predicate eq");
    circ_write_term(w, (Term)(key >> 32), 0);
    circ_write_term(w, (Term)key, 0);
    str_add(w->out, "\n");
  }
}

static void put_predicates(Writer *w) {
  for (uint32_t i = 0; i < w->ps->list.len && w->fits; i++) {
    w->tokens = 0;
    str_add(w->out, "predicate");
    circ_write_term(w, w->ps->list.data[i].term, 0);
    str_add(w->out, "\n");
  }
}

/* ---- the system ---- */

static void put_numbers(Writer *w, const char *word, uint32_t first, uint32_t count) {
  str_add(w->out, word);
  for (uint32_t i = 0; i < count; i++)
    str_addf(w->out, " %u", w->abstraction->tts.initials.data[first + i]);
  str_add(w->out, "\n");
}

static void put_groups(Writer *w) {
  const Tts *tts = &w->abstraction->tts;
  uint32_t next = 0;
  for (uint32_t g = 0; g < tts->groups.len; g++) {
    uint32_t size = 0;
    str_add(w->out, "group");
    for (uint32_t i = 0; i < w->ps->list.len; i++) {
      const CircPredicate *p = &w->ps->list.data[i];
      if (p->kind != CIRC_NOBODY || p->group != g) continue;
      str_addf(w->out, " %u", i);
      size++;
    }
    str_add(w->out, "\n");
    for (uint32_t v = 0; v < tts->groups.data[g].size; v++) {
      uint64_t bits = w->abstraction->group_values.data[next++];
      str_add(w->out, "value ");
      for (uint32_t i = 0; i < size; i++) str_add_char(w->out, bits >> i & 1 ? '1' : '0');
      str_add(w->out, "\n");
    }
    put_numbers(w, "begins", tts->groups.data[g].first_initial,
                tts->groups.data[g].initial_count);
  }
}

/* It stands for those to which there are silent steps. */
static void put_either(Writer *w, uint32_t state) {
  const Tts *tts = &w->abstraction->tts;
  str_add(w->out, "either");
  for (uint32_t i = 0; i < tts->steps.len; i++) {
    const TtsStep *s = &tts->steps.data[i];
    if (s->from != state) continue;
    str_addf(w->out, " %u", s->to);
    if (s->to >= state) w->fits = false; /* lists name only what was listed before */
  }
  str_add(w->out, "\n");
}

static void put_states(Writer *w) {
  const Tts *tts = &w->abstraction->tts;
  for (uint32_t s = 0; s < tts->locals.len; s++) {
    const TtsLocal *l = &tts->locals.data[s];
    if (l->location == TTS_NONE) {
      put_either(w, s);
      continue;
    }
    str_addf(w->out, "state %u %u", l->kind, l->location);
    for (uint32_t i = 0; i < w->ps->list.len; i++)
      if (circ_is_tracked(w->ps, &w->ps->list.data[i], l->kind, l->location))
        str_addf(w->out, " %u%c", i,
                 w->abstraction->valuations.data[s] >> w->bits[i] & 1 ? '+' : '-');
    const CircKind *k = &w->model->kinds.data[l->kind];
    for (uint32_t i = 0; i < k->constants.len; i++)
      if (k->constants.data[i].location == l->location)
        str_addf(w->out, " %u+", constant_predicate(w, &k->constants.data[i]));
    str_add(w->out, "\n");
  }
  put_numbers(w, "main", tts->threads.data[0].first_initial,
              tts->threads.data[0].initial_count);
}

static void put_steps(Writer *w) {
  const Tts *tts = &w->abstraction->tts;
  for (uint32_t i = 0; i < tts->steps.len; i++) {
    const TtsStep *s = &tts->steps.data[i];
    str_addf(w->out, "step %u ", s->from);
    if (s->to == TTS_NONE)
      str_add(w->out, "-");
    else
      str_addf(w->out, "%u", s->to);
    for (uint32_t k = 0; k < s->touch_count; k++) {
      const TtsTouch *t = &tts->touches.data[s->first_touch + k];
      str_addf(w->out, " %u:%u>%u", t->group, t->before, t->after);
    }
    for (uint32_t k = 0; k < s->spawn_count; k++)
      str_addf(w->out, " +%u", tts->spawns.data[s->first_spawn + k]);
    for (uint32_t k = 0; k < s->shake_count; k++) {
      const TtsShake *shake = &tts->shakes.data[s->first_shake + k];
      if (shake->to == TTS_NONE)
        str_addf(w->out, " %u~-", shake->from);
      else
        str_addf(w->out, " %u~%u", shake->from, shake->to);
    }
    str_add(w->out, "\n");
  }
}

static uint32_t counter_variable(const Writer *w, uint32_t counter) {
  const CircCounter *c = &w->model->counters.data[counter];
  Term now = w->model->shared.data[c->shared].now;
  return (uint32_t)map_find(&w->variables, now, 0) - 1;
}

static void put_nexts(Writer *w) {
  const Tts *tts = &w->abstraction->tts;
  for (uint32_t i = 0; i < w->abstraction->ready.len; i++) {
    const CircReady *r = &w->abstraction->ready.data[i];
    if (tts->locals.data[r->local].location == TTS_NONE)
      break; /* who stands for others */
    const CircEvent *e = &w->model->kinds.data[r->label.kind].events.data[r->event];
    if (e->counter)
      str_addf(w->out, "breaks %u %u", r->local, counter_variable(w, e->counter - 1));
    else
      str_addf(w->out, "next %u %u %s", r->local, e->edge,
               e->inside ? "inside" : "outside");
    for (uint32_t k = 0; k < r->touch_count; k++) {
      const TtsTouch *t = &tts->touches.data[r->first_touch + k];
      str_addf(w->out, " %u:%u", t->group, t->before);
    }
    str_add(w->out, "\n");
  }
}

static void put_aparts(Writer *w) {
  for (uint32_t i = 0; i < w->abstraction->apart.len; i++)
    str_addf(w->out, "apart %u %u\n", w->abstraction->apart.data[i].one,
             w->abstraction->apart.data[i].two);
}

/* The places alone: the checker makes the rest of the net by itself. */
static void put_evidence(Writer *w) {
  const TtsAnswer *answer = &w->proof->answer->answer;
  Net *places = net_new(NULL);
  for (uint32_t p = 0; p < answer->net->place_names.len; p++)
    net_add_place(places, answer->net->place_names.data[p], answer->net->initial.data[p]);
  str_add(w->out, "evidence\n");
  evidence_print(places, &answer->evidence, w->out);
  net_free(places);
}

/* ---- all of it ---- */

static void number_bits(Writer *w) {
  uint32_t *next = mem_alloc_zero((w->model->kinds.len + 1) * sizeof *next);
  w->bits = mem_alloc_zero((w->ps->list.len + 1) * sizeof *w->bits);
  for (uint32_t i = 0; i < w->ps->list.len; i++)
    if (w->ps->list.data[i].kind != CIRC_NOBODY)
      w->bits[i] = next[w->ps->list.data[i].kind]++;
  mem_free(next);
}

bool circ_certify(const CircProof *proof, Str *out) {
  const CircAnswer *a = proof->answer;
  Str text = {0};
  Writer w = {.proof = proof,
              .ps = a->predicates,
              .model = a->predicates->model,
              .abstraction = &a->abstraction,
              .out = &text,
              .fits = a->verdict == CIRC_SAFE && a->answer.net};
  if (!w.fits) return false;
  number_bits(&w);
  w.once = mem_alloc_zero(w.model->kinds.len + 1);
  for (uint32_t i = 0; i < w.model->kinds.len; i++)
    w.once[i] = !w.model->kinds.data[i].many;
  circ_write_question(&w);
  put_variables(&w);
  put_predicates(&w);
  put_constants(&w);
  put_groups(&w);
  put_states(&w);
  put_steps(&w);
  put_nexts(&w);
  put_aparts(&w);
  put_evidence(&w);
  if (w.fits) str_add_bytes(out, str_text(&text), text.len);
  str_free(&text);
  map_free(&w.variables);
  map_free(&w.constants);
  mem_free(w.bits);
  mem_free(w.once);
  return w.fits;
}

void circ_certify_elsewhere(const Program *program, Str *out) {
  put_header(program, out);
  str_add(out, "about elsewhere\n");
}
