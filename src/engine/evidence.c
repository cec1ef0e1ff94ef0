/* What accepts proofs, by their kind (verdict/claim.h).
 *
 * Lock sets: the facts are written down as a certificate, and proof/proof.h is asked whether they
 * hold and whether they keep every pair of accesses apart, but for the locations about which
 * nothing is claimed; and, if orders of locks are claimed, whether waits can form a circle. Nets:
 * net/check.h has accepted the proof before the engine could claim anything. Schedules: the program is unwound
 * once more and the other solver asked (engine/kiss/judge.c). Contexts: proof/context.h reads the certificate
 * that came with the claim; what it accepts is checked, what it has no time for is unchecked, what it rejects is
 * not claimed. All others have no checker yet; what they claim is reported as unchecked. */
#include "engine/ladder.h"

#include "base/clock.h"
#include "engine/kiss/certificate.h"
#include "engine/lockset/certify.h"
#include "proof/context.h"
#include "proof/proof.h"

#include <assert.h>
#include <stdlib.h>

/* What lock sets do not claim. */
typedef struct {
  uint8_t *whole; /* by object of the program; 0: memory without a name */
  VEC(ProofRange) ranges;
} Unclaimed;

static int by_object(const void *x, const void *y) {
  const ProofRange *a = x, *b = y;
  return a->object < b->object ? -1 : a->object > b->object;
}

/* If memory without a name is open, so is all that is known outside. */
static Unclaimed find_unclaimed(const Ladder *l) {
  const Obligations *all = l->obligations;
  const PointsTo *pointsto = l->analyses->pointsto;
  uint8_t *claimed = mem_alloc_zero(all->list.len + 1);
  Unclaimed open = {.whole = mem_alloc_zero(l->program->objects.len + 1)};
  for (uint32_t i = 0; i < l->pending.len; i++)
    if (l->pending.data[i].claim.proof == PROOF_LOCKSETS &&
        l->pending.data[i].claim.reason != REASON_ACCEPTED)
      claimed[l->pending.data[i].claim.obligation] = 1;
  bool elsewhere = false;
  for (uint32_t i = 0; i < all->list.len; i++)
    if (all->list.data[i].kind == OBLIGATION_ELSEWHERE) elsewhere = !claimed[i];
  open.whole[0] = elsewhere;
  for (uint32_t i = 0; i < all->list.len; i++) {
    const Obligation *o = &all->list.data[i];
    if (o->kind != OBLIGATION_LOCATION) continue;
    if (elsewhere && pointsto_escapes(pointsto, o->object))
      open.whole[pointsto_object(pointsto, o->object)] = 1;
    else if (!claimed[i])
      vec_push(&open.ranges, ((ProofRange){o->object, o->from, o->to}));
  }
  if (open.ranges.len)
    qsort(open.ranges.data, open.ranges.len, sizeof *open.ranges.data, by_object);
  mem_free(claimed);
  return open;
}

static uint32_t line_of(const Ladder *l, EdgeId edge) {
  return l->program->locs.data[edge ? program_edge(l->program, edge)->loc : 0].line;
}

static void log_proof(const Ladder *l, const ProofResult *proof, double seconds) {
  const char *said = proof->accepted  ? "accepted"
                     : proof->stopped ? "not finished"
                                      : "rejected";
  log_put(l->log, LOG_INFO, "certificate %s: %u steps, %u accesses, %u pairs, %.3f s",
          said, proof->steps, proof->accesses, proof->pairs, seconds);
  for (uint32_t i = 0; i < proof->rejections.len; i++) {
    const Rejection *x = &proof->rejections.data[i];
    log_put(l->log, i ? LOG_INFO : LOG_ERROR,
            "the certificate is not accepted: line %u: %s", line_of(l, x->edge), x->what);
  }
  if (proof->against_orders.what)
    log_put(l->log, LOG_INFO, "the order of locks stays unchecked: line %u: %s",
            line_of(l, proof->against_orders.edge), proof->against_orders.what);
}

/* A rejection is a defect of heddle, and is told in any case. The objects that it concerns are open from
 * then on; what does not concern them is accepted. Orders of locks that the checker does not see are no defect:
 * it takes fewer reasons than the finder has. */
static bool judge_locksets(Ladder *l, Unclaimed *open, uint8_t *rejected, bool *orders) {
  Certificate certificate;
  progress_phase(l->progress, "certificate", 0);
  lockset_certify(l->analyses->flow, &certificate);
  ProofQuestion question = {.program = l->program,
                            .pointsto = l->analyses->pointsto,
                            .certificate = &certificate,
                            .accepted_edges = l->accepted,
                            .open = open->whole,
                            .open_ranges = open->ranges.data,
                            .open_range_count = open->ranges.len,
                            .orders = *orders,
                            .stop = l->stop};
  ProofResult proof;
  double start = clock_now();
  proof_check(&question, l->arena, &proof);
  log_proof(l, &proof, clock_now() - start);
  assert(!proof.accepted || !proof.stopped);
  for (ObjectId o = 1; o < l->program->objects.len; o++) {
    if (proof.refused && proof.refused[o]) open->whole[o] = rejected[o] = 1;
    if (proof.doubted && proof.doubted[o]) open->whole[o] = 1;
  }
  bool wrong = !proof.accepted && !proof.stopped;
  l->certificate = wrong            ? CERTIFICATE_REJECTED
                   : proof.accepted ? CERTIFICATE_CHECKED
                                    : CERTIFICATE_NONE;
  const char *why =
      wrong ? "the certificate of the proof was not accepted: please report this"
      : proof.stopped
          ? "the time was over before the certificate of the proof was checked"
          : NULL;
  if (why) vec_push(&l->limits, ((Limit){l->engines[0], PROPERTY_RACE, why}));
  bool accepted = proof.accepted || proof.refused;
  *orders = proof.orders_accepted;
  proof_result_free(&proof);
  certificate_free(&certificate);
  return accepted;
}

static bool was_rejected(const Ladder *l, const Claim *claim, const uint8_t *rejected) {
  const Obligation *o = vec_at(&l->obligations->list, claim->obligation);
  return o->kind == OBLIGATION_LOCATION &&
         rejected[pointsto_object(l->analyses->pointsto, o->object)];
}

/* A location was looked at if its object is not open, and it could be told from what is open there. What the
 * user accepts is open. */
static bool was_looked_at(const Ladder *l, const Claim *claim, const Unclaimed *open) {
  const Obligation *o = vec_at(&l->obligations->list, claim->obligation);
  return claim->reason != REASON_ACCEPTED &&
         (o->kind != OBLIGATION_LOCATION ||
          !open->whole[pointsto_object(l->analyses->pointsto, o->object)]);
}

static bool has_unjudged(const Ladder *l, ProofKind proof) {
  for (uint32_t i = 0; i < l->pending.len; i++)
    if (!l->pending.data[i].judged && l->pending.data[i].claim.proof == proof)
      return true;
  return false;
}

/* Orders of locks rest on the same facts. */
static void judge_all_locksets(Ladder *l) {
  bool orders = has_unjudged(l, PROOF_ORDERS);
  if (!orders && !has_unjudged(l, PROOF_LOCKSETS)) return;
  Unclaimed open = find_unclaimed(l);
  uint8_t *rejected = mem_alloc_zero(l->program->objects.len + 1);
  bool accepted = judge_locksets(l, &open, rejected, &orders);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < l->pending.len; i++) {
    Pending *p = &l->pending.data[i];
    if (p->claim.proof == PROOF_LOCKSETS || p->claim.proof == PROOF_ORDERS) {
      if (!accepted || was_rejected(l, &p->claim, rejected))
        continue; /* nobody sees a `safe` that was not accepted */
      p->checked =
          p->claim.proof == PROOF_ORDERS ? orders : was_looked_at(l, &p->claim, &open);
      p->judged = true;
    }
    l->pending.data[kept++] = *p;
  }
  l->pending.len = kept;
  mem_free(rejected);
  mem_free(open.whole);
  vec_free(&open.ranges);
}

/* ---- schedules ---- */

/* Claims that rest on the proof are checked together; those that are not accepted are seen by nobody. */
static void judge_schedules(Ladder *l, const struct KissProof *proof) {
  KissSubject subject = {l->program, l->analyses->flow, l->obligations, l->arena};
  VEC(KissQuestion) questions = {0};
  const Engine *engine = NULL;
  bool known = true, asked[PROPERTY_COUNT] = {0};
  for (uint32_t i = 0; i < l->pending.len; i++) {
    const Pending *p = &l->pending.data[i];
    KissQuestion q;
    if (p->claim.schedules != proof || p->judged) continue;
    known = kiss_question_of(&subject, p->claim.obligation, &q) && known;
    vec_push(&questions, q);
    asked[obligation_property(vec_at(&l->obligations->list, p->claim.obligation))] = true;
    engine = p->engine;
  }
  uint8_t *shared = seq_shared_whole(l->program, l->analyses->flow);
  KissProofRequest request = {.program = l->program,
                              .flow = l->analyses->flow,
                              .shared = shared,
                              .questions = questions.data,
                              .question_count = questions.len,
                              .deadline = l->deadline,
                              .stop = l->stop,
                              .log = l->log};
  const char *why = "an obligation is none that schedules could violate";
  progress_phase(l->progress, "proof", 0);
  Judgement judgement =
      known ? kiss_judge_apart(&request, proof, l->arena, &why) : JUDGE_REJECTED;
  if (judgement == JUDGE_REJECTED) {
    log_put(l->log, LOG_ERROR, "the proof about all schedules is not accepted: %s", why);
    why = "the proof about all schedules was not accepted: please report this";
  }
  for (int p = 0; p < PROPERTY_COUNT && judgement != JUDGE_ACCEPTED; p++)
    if (asked[p]) vec_push(&l->limits, ((Limit){engine, (Property)p, why}));
  if (judgement == JUDGE_ACCEPTED && l->options->evidence) {
    Str text = {0};
    kiss_certificate_write(l->program, l->obligations, proof, questions.data,
                           questions.len, &text);
    str_addf(l->options->evidence, "certificate %zu\n%s", (size_t)text.len,
             str_text(&text));
    str_free(&text);
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < l->pending.len; i++) {
    Pending *p = &l->pending.data[i];
    bool mine = p->claim.schedules == proof && !p->judged;
    if (mine && judgement != JUDGE_ACCEPTED) continue;
    if (mine) p->checked = p->judged = true;
    l->pending.data[kept++] = *p;
  }
  l->pending.len = kept;
  vec_free(&questions);
  mem_free(shared);
}

static const struct KissProof *unjudged_schedules(const Ladder *l) {
  for (uint32_t i = 0; i < l->pending.len; i++)
    if (!l->pending.data[i].judged && l->pending.data[i].claim.proof == PROOF_SCHEDULES)
      return l->pending.data[i].claim.schedules;
  return NULL;
}

/* ---- contexts ---- */

static bool has_condition(const Claim *claim, uint32_t obligation) {
  for (uint32_t i = 0; i < claim->condition_count; i++)
    if (claim->conditions[i] == obligation) return true;
  return claim->obligation == obligation;
}

/* Is it the claim that was proved, with all its conditions? */
static bool says_no_more(const Ladder *l, const Claim *claim, const ContextResult *r) {
  const Obligation *o = vec_at(&l->obligations->list, claim->obligation);
  bool same = false;
  switch (r->about) {
  case ABOUT_NOTHING: break;
  case ABOUT_ELSEWHERE: same = o->kind == OBLIGATION_ELSEWHERE; break;
  case ABOUT_ASSERTION:
    same = o->kind == OBLIGATION_ASSERTION && o->edge == r->edge;
    break;
  case ABOUT_RACE:
    same = o->kind == OBLIGATION_LOCATION && o->object == r->object &&
           o->from >= r->from && o->to <= r->to;
    break;
  }
  for (uint32_t i = 0; i < l->obligations->list.len && same; i++) {
    const Obligation *other = &l->obligations->list.data[i];
    bool needed = other->kind == OBLIGATION_ELSEWHERE && r->about != ABOUT_ELSEWHERE;
    for (uint32_t k = 0; other->kind == OBLIGATION_LOCATION && k < r->conditions.len; k++)
      needed = needed || pointsto_object(l->analyses->pointsto, other->object) ==
                             r->conditions.data[k];
    same = !needed || has_condition(claim, i);
  }
  return same;
}

/* False: it must not be claimed. */
static bool judge_context(Ladder *l, Pending *p) {
  if (!p->claim.certificate) return p->claim.proof != PROOF_MODULAR;
  double now = clock_now();
  ContextQuestion question = {.program = l->program,
                              .pointsto = l->analyses->pointsto,
                              .text = p->claim.certificate,
                              .length = strlen(p->claim.certificate),
                              .deadline = now + (l->deadline - now) / 2,
                              .stop = l->stop};
  ContextResult result;
  progress_phase(l->progress, "certificate", 0);
  context_check(&question, &result);
  bool accepted = result.verdict == CONTEXT_ACCEPTED;
  bool rejected = result.verdict == CONTEXT_REJECTED ||
                  (accepted && !says_no_more(l, &p->claim, &result));
  log_put(l->log, LOG_INFO,
          "certificate %s: %u local states, %u steps, %u ways, %u questions, %.3f s%s%s",
          rejected   ? "rejected"
          : accepted ? "accepted"
                     : "not finished",
          result.states, result.steps, result.paths, result.questions, clock_now() - now,
          result.why ? ": " : "", result.why ? result.why : "");
  bool needed = p->claim.proof == PROOF_MODULAR; /* unchecked it is worth nothing */
  if (rejected)
    log_put(l->log, LOG_ERROR, "the certificate is not accepted: %s",
            result.why ? result.why : "it is about something else");
  if (rejected || (needed && !accepted)) {
    const Obligation *o = vec_at(&l->obligations->list, p->claim.obligation);
    const char *why =
        rejected ? "the certificate of the proof was not accepted: please report this"
                 : "the certificate of a proof could not be checked";
    vec_push(&l->limits, ((Limit){p->engine, obligation_property(o), why}));
  }
  p->checked = accepted && !rejected;
  if (p->checked && l->options->evidence)
    str_addf(l->options->evidence, "certificate %zu\n%s", question.length, question.text);
  context_result_free(&result);
  return needed ? p->checked : !rejected;
}

static void judge_all_contexts(Ladder *l) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < l->pending.len; i++) {
    Pending p = l->pending.data[i];
    bool told = p.claim.proof == PROOF_CONTEXT || p.claim.proof == PROOF_MODULAR;
    if (!p.judged && told && !judge_context(l, &p)) continue;
    l->pending.data[kept++] = p;
  }
  l->pending.len = kept;
}

/* What only its finder knows stays open, as if it had not been claimed. */
static void drop_unchecked(Ladder *l) {
  static const char why[] =
      "it is proved, but nothing other than its finder has checked the proof";
  uint32_t kept = 0;
  for (uint32_t i = 0; i < l->pending.len; i++) {
    const Pending *p = &l->pending.data[i];
    Property property =
        obligation_property(vec_at(&l->obligations->list, p->claim.obligation));
    bool told = false;
    for (uint32_t k = 0; k < l->limits.len && !told; k++)
      told = l->limits.data[k].why == why && l->limits.data[k].engine == p->engine &&
             l->limits.data[k].property == property;
    if (p->checked)
      l->pending.data[kept++] = *p;
    else if (!told)
      vec_push(&l->limits, ((Limit){p->engine, property, why}));
  }
  l->pending.len = kept;
}

void evidence_judge(Ladder *l) {
  const struct KissProof *proof;
  judge_all_locksets(l);
  while ((proof = unjudged_schedules(l)) != NULL) judge_schedules(l, proof);
  judge_all_contexts(l);
  for (uint32_t i = 0; i < l->pending.len; i++) {
    Pending *p = &l->pending.data[i];
    if (p->claim.proof == PROOF_NET) p->checked = true;
    /* these are worth nothing by themselves, and those nobody has looked at */
    assert(p->checked ||
           (p->claim.proof != PROOF_SCHEDULES && p->claim.proof != PROOF_MODULAR));
    assert(!p->checked || p->claim.proof != PROOF_STATES);
    p->judged = true;
  }
  if (l->options->checked_only) drop_unchecked(l);
}
