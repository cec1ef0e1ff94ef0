/* See record.h. */
#include "engine/circ/record.h"

#include "base/mem.h"
#include "base/proc.h"

static void add_plan(const Plan *plan, CircRecord *r, Str *out) {
  r->plan = *plan;
  r->step_count = plan->step_count;
  r->value_count = plan->value_count;
  str_add_bytes(out, plan->steps, plan->step_count * sizeof *plan->steps);
  for (uint32_t i = 0; i < plan->value_count; i++) {
    uint32_t head[2] = {plan->values[i].thread, plan->values[i].count};
    str_add_bytes(out, head, sizeof head);
    str_add_bytes(out, plan->values[i].words,
                  plan->values[i].count * sizeof *plan->values[i].words);
  }
}

/* It is about the share of a thread. */
static bool is_share(const CircPredicates *ps, const CircPredicate *p) {
  for (uint32_t i = 0; i < p->owner_count; i++) {
    const CircOwner *o = &ps->owners.data[p->first_owner + i];
    if (o->kind != CIRC_NOBODY &&
        ps->model->kinds.data[o->kind].locals.data[o->variable & ~CIRC_LOCAL].which ==
            CIRC_COUNTS)
      return true;
  }
  return false;
}

static void add_told(Str *text, CircRecord *r, Str *out) {
  str_add_bytes(out, str_text(text), text->len + 1);
  str_clear(text);
  r->told_count++;
}

/* What threads of several kinds are told apart by is said once. */
static void add_predicates(const CircPredicates *ps, CircRecord *r, Str *out) {
  size_t before = out->len;
  StrMap seen = {0};
  Str text = {0};
  for (uint32_t i = 0; i < ps->list.len; i++) {
    if (is_share(ps, &ps->list.data[i])) continue;
    circ_predicate_print(ps, ps->list.data[i].term, &text);
    uint64_t *slot = strmap_at(&seen, str_text(&text), text.len);
    if (!(*slot)++)
      add_told(&text, r, out);
    else
      str_clear(&text);
  }
  for (uint32_t i = 0; i < ps->model->counters.len; i++) {
    const CircCounter *c = &ps->model->counters.data[i];
    if (!c->awake || c->broken) continue;
    str_addf(&text, "shares of %s", ps->model->shared.data[c->shared].name);
    add_told(&text, r, out);
  }
  strmap_free(&seen);
  str_free(&text);
  r->told_bytes = (uint32_t)(out->len - before);
}

void circ_record_send(int fd, uint32_t obligation, const CircAnswer *a,
                      const char *reason, const uint8_t *relied, uint32_t objects,
                      const CircTexts *texts) {
  CircRecord r = {.obligation = obligation};
  Str rest = {0};
  if (a) {
    r.verdict = a->verdict;
    r.rounds = a->rounds;
    r.predicates = a->predicates->list.len;
    r.places = a->abstraction.tts.locals.len;
    r.transitions = a->abstraction.tts.steps.len;
    if (!reason) reason = a->reason;
  }
  if (a && a->verdict == CIRC_SAFE) add_predicates(a->predicates, &r, &rest);
  for (uint32_t o = 1; relied && o < objects; o++)
    if (relied[o]) {
      str_add_bytes(&rest, &o, sizeof o);
      r.relied_count++;
    }
  if (a && a->verdict == CIRC_FEASIBLE) add_plan(&a->plan, &r, &rest);
  if (reason) strncpy(r.reason, reason, sizeof r.reason - 1);
  if (texts) {
    r.story = (uint32_t)texts->story.len;
    r.drawing = (uint32_t)texts->drawing.len;
    r.certificate = (uint32_t)texts->certificate.len;
    str_add_bytes(&rest, str_text(&texts->story), texts->story.len);
    str_add_bytes(&rest, str_text(&texts->drawing), texts->drawing.len);
    str_add_bytes(&rest, str_text(&texts->certificate), texts->certificate.len);
  }
  r.size = (uint32_t)(sizeof r + rest.len);
  proc_write_all(fd, &r, sizeof r);
  proc_write_all(fd, str_text(&rest), rest.len);
  str_free(&rest);
}

void circ_texts_free(CircTexts *texts) {
  str_free(&texts->certificate);
  str_free(&texts->story);
  str_free(&texts->drawing);
}
