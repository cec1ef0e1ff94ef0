/* Thread-modular proofs as the ladder sees them. See horn.h, question.h.
 *
 * Only what a certificate can tell is asked about, and only what the checker accepts is claimed. */
#include "engine/circ/horn_certify.h"

#include "base/mem.h"
#include "base/proc.h"
#include "engine/circ/question.h"

enum { MOST_TOLD = 12 };

/* ---- in the child ---- */

typedef struct {
  uint32_t size; /* of the whole record */
  uint32_t obligation;
  bool proved;
  uint32_t told_count, told_bytes; /* then: texts, each with its NUL */
  uint32_t relied_count;           /* then: objects */
  uint32_t certificate;            /* then: so many bytes */
  char reason[120];
} Record;

static void tell_attempt(void *user, const char *text) {
  const CircAsking *q = user;
  log_put(q->context->log, LOG_INFO, "horn: %s", text);
}

static bool is_told(const char *told, uint32_t count, const char *text) {
  for (uint32_t i = 0; i < count; i++, told += strlen(told) + 1)
    if (str_eq(told, text)) return true;
  return false;
}

/* As one would write it: what is not equal differs, what is not less is at least as much. */
static void print_conjunct(const CircPredicates *names, Term t, Str *out) {
  const Terms *terms = names->model->terms;
  Term a = term_kind(terms, t) == TERM_NOT ? term_operand(terms, t, 0) : 0;
  TermKind kind = a ? term_kind(terms, a) : TERM_NONE;
  bool less = kind == TERM_ULT || kind == TERM_SLT;
  if (kind != TERM_EQ && !less) {
    circ_predicate_print(names, t, out);
    return;
  }
  circ_predicate_print(names, term_operand(terms, a, less ? 1 : 0), out);
  str_add(out, less ? " <= " : " != ");
  circ_predicate_print(names, term_operand(terms, a, less ? 0 : 1), out);
}

/* The invariant in words: conjuncts that are needed somewhere, each once. */
static void add_told(const Horn *h, Record *r, Str *out) {
  CircPredicates names = {.model = h->model};
  size_t before = out->len;
  for (uint32_t i = 0; i < h->predicates.len; i++)
    for (uint32_t k = 0; k < h->predicates.data[i].candidates.len; k++) {
      const HornCandidate *c = &h->predicates.data[i].candidates.data[k];
      Str text = {0};
      if (c->needed && r->told_count < MOST_TOLD) {
        print_conjunct(&names, c->term, &text);
        if (!is_told(str_text(out) + before, r->told_count, str_text(&text))) {
          str_add_bytes(out, str_text(&text), text.len + 1);
          r->told_count++;
        }
      }
      str_free(&text);
    }
  r->told_bytes = (uint32_t)(out->len - before);
}

static void send(const CircAsking *q, const Horn *h, const char *reason) {
  const Program *p = q->context->program;
  Record r = {.obligation = q->number};
  Str rest = {0}, certificate = {0};
  uint8_t *relied = mem_alloc_zero(p->objects.len + 1);
  if (h) {
    horn_find_relied(h, relied);
    CircProof proof = {p, q->obligation, q->asked, relied, NULL};
    r.proved = horn_certify(h, &proof, &certificate);
    if (!r.proved) reason = "the invariant is too large to be written down";
  }
  if (r.proved) add_told(h, &r, &rest);
  for (uint32_t o = 1; o < p->objects.len && r.proved; o++)
    if (relied[o]) {
      str_add_bytes(&rest, &o, sizeof o);
      r.relied_count++;
    }
  r.certificate = (uint32_t)certificate.len;
  str_add_bytes(&rest, str_text(&certificate), certificate.len);
  if (reason) strncpy(r.reason, reason, sizeof r.reason - 1);
  r.size = (uint32_t)(sizeof r + rest.len);
  proc_write_all(q->fd, &r, sizeof r);
  proc_write_all(q->fd, str_text(&rest), rest.len);
  str_free(&rest);
  str_free(&certificate);
  mem_free(relied);
}

static void answer(const CircAsking *q, CircModel *model, const char *why) {
  EngineContext *c = q->context;
  Horn *proof = NULL;
  CircAsking asking = *q;
  CircTold told = circ_told(c->program, q->flow, c->obligations, q->obligation);
  asking.strict = told == CIRC_TOLD_STRICTLY;
  if (model && told == CIRC_NOT_TOLD)
    why = "what keeps the accesses apart is nothing that a certificate tells";
  else if (model) {
    HornQuestion question = {.model = model,
                             .conflict = circ_edges_conflict,
                             .user = &asking,
                             .limit = {.deadline = q->deadline, .stop = c->stop}};
    proof = horn_prove(&question, tell_attempt, &why);
  }
  send(q, proof, proof ? NULL : why);
  horn_free(proof);
}

/* ---- in the parent ---- */

static void take(EngineContext *c, const Record *r, const char *rest) {
  Property property = obligation_property(vec_at(&c->obligations->list, r->obligation));
  if (!r->proved) {
    if (r->reason[0]) engine_tell_limit(c, property, arena_strdup(c->arena, r->reason));
    return;
  }
  const char **told = arena_alloc(c->arena, (r->told_count + 1) * sizeof *told);
  uint32_t *relied = arena_alloc(c->arena, (r->relied_count + 1) * sizeof *relied);
  const char *text = rest;
  for (uint32_t i = 0; i < r->told_count; i++, text += strlen(text) + 1)
    told[i] = arena_strdup(c->arena, text);
  rest += r->told_bytes;
  memcpy(relied, rest, r->relied_count * sizeof *relied);
  rest += r->relied_count * sizeof *relied;
  circ_claim(c,
             (Claim){.obligation = r->obligation,
                     .verdict = VERDICT_SAFE,
                     .proof = PROOF_MODULAR,
                     .certificate = arena_strndup(c->arena, rest, r->certificate),
                     .reason = REASON_PROVED,
                     .guards = told,
                     .guard_count = r->told_count},
             relied, r->relied_count);
}

static void take_all(EngineContext *c, const uint8_t *data, size_t size) {
  Record r;
  for (size_t at = 0; size - at >= sizeof r; at += r.size) {
    memcpy(&r, data + at, sizeof r);
    if (r.size < sizeof r || r.size > size - at) return;
    take(c, &r, (const char *)data + at + sizeof r);
  }
}

static EngineEnd run(EngineContext *c) {
  if (!analyses_flow(c->analyses)) return ENGINE_ENDED;
  circ_claim_elsewhere(c);
  return circ_ask_all(c, "invariants", answer, take_all);
}

const Engine engine_horn = {
    .name = "horn",
    .summary = "invariants about few threads at a time, for any number of them",
    .tier = TIER_EXPLORE,
    .share = 0.35,
    .rests = ON_FLOW | ON_CONTEXTS,
    .unbounded = true,
    .objection = circ_objection,
    .run = run,
};
