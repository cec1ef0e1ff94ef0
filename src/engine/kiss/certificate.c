/* See certificate.h. */
#include "engine/kiss/certificate.h"

#include "base/map.h"
#include "base/mem.h"
#include "engine/collect.h"
#include "engine/names.h"

#include <inttypes.h>
#include <stdlib.h>

static const char FIRST_LINE[] = "heddle schedules certificate 1\n";

static uint64_t hash_of(const Program *p) {
  return map_hash(p->edges.data, p->edges.len * sizeof *p->edges.data);
}

/* ---- writing ---- */

static void write_subject(const Obligation *o, Str *out) {
  switch (o->kind) {
  case OBLIGATION_LOCATION:
    str_addf(out, "about race %u %" PRIu64 " %" PRIu64 "\n", o->object, o->from, o->to);
    break;
  case OBLIGATION_ELSEWHERE: str_add(out, "about elsewhere\n"); break;
  case OBLIGATION_WAIT: str_addf(out, "about wait %u\n", o->edge); break;
  case OBLIGATION_ASSERTION: str_addf(out, "about assertion %u\n", o->edge); break;
  case OBLIGATION_NONE:
  case OBLIGATION_KIND_COUNT: break;
  }
}

void kiss_certificate_write(const Program *p, const Obligations *obligations,
                            const KissProof *proof, const KissQuestion *questions,
                            uint32_t count, Str *out) {
  str_add(out, FIRST_LINE);
  str_addf(out, "program %" PRIu64 "\nbounds %u %u %u %u %u\n", hash_of(p), proof->turns,
           proof->sure_turns, proof->depth, proof->threads, proof->events);
  for (uint32_t i = 0; i < proof->loop_count; i++)
    str_addf(out, "loop %" PRIu64 " %" PRIu64 "\n", proof->loops[i].loop,
             proof->loops[i].times);
  for (uint32_t i = 0; i < count; i++)
    write_subject(vec_at(&obligations->list, questions[i].obligation), out);
}

/* ---- reading ---- */

typedef struct {
  const char *at; /* the text, ended by a zero */
  const Obligations *obligations;
  KissSubject subject;
  KissProof proof;
  VEC(KissQuestion) questions;
  Str about;
  bool waits; /* it is said there that nobody waits for ever */
} Reader;

/* The word, and the space behind it. */
static bool take_word(Reader *r, const char *word) {
  size_t n = strlen(word);
  if (strncmp(r->at, word, n) != 0) return false;
  r->at += n;
  return true;
}

/* A number, and the space or the end of the line behind it. */
static bool take_number(Reader *r, uint64_t most, uint64_t *ret) {
  char *end;
  if (*r->at < '0' || *r->at > '9') return false;
  *ret = strtoull(r->at, &end, 10);
  bool ended = *end == ' ' || *end == '\n';
  r->at = ended ? end + 1 : end;
  return ended && *ret <= most;
}

static bool take_small(Reader *r, uint32_t *ret) {
  uint64_t number;
  if (!take_number(r, UINT32_MAX, &number)) return false;
  *ret = (uint32_t)number;
  return true;
}

static bool is_meant(const Obligation *o, ObligationKind kind, uint64_t a, uint64_t from,
                     uint64_t to) {
  if (o->kind != kind) return false;
  if (kind == OBLIGATION_LOCATION)
    return o->object == a && o->from == from && o->to == to;
  return kind == OBLIGATION_ELSEWHERE || o->edge == a;
}

static void tell_subject(Reader *r, const Obligation *o) {
  const Program *p = r->subject.program;
  const Loc *loc = &p->locs.data[program_edge(p, o->edge)->loc];
  ObjectId object = o->kind == OBLIGATION_LOCATION
                        ? pointsto_object(r->subject.flow->pointsto, o->object)
                        : 0;
  if (o->kind == OBLIGATION_WAIT && r->waits) return; /* they are asked about together */
  r->waits = r->waits || o->kind == OBLIGATION_WAIT;
  if (r->about.len) str_add(&r->about, ", ");
  if (o->kind == OBLIGATION_WAIT)
    str_add(&r->about, "nobody waits for ever");
  else if (o->kind == OBLIGATION_ASSERTION)
    str_addf(&r->about, "the assertion of %s:%u holds", sym_text(p, loc->file),
             loc->line);
  else if (o->kind == OBLIGATION_ELSEWHERE)
    str_add(&r->about, "no race elsewhere");
  else
    str_addf(&r->about, "no race on %s",
             object ? name_of_place(p, object, (uint32_t)o->from, r->subject.arena)
                    : "an object without a name");
}

/* False: the program has no such obligation, or schedules do not answer it. */
static bool take_subject(Reader *r) {
  uint64_t a = 0, from = 0, to = 0;
  ObligationKind kind = OBLIGATION_NONE;
  if (take_word(r, "elsewhere\n"))
    kind = OBLIGATION_ELSEWHERE;
  else if (take_word(r, "race ") && take_number(r, UINT32_MAX, &a) &&
           take_number(r, UINT64_MAX, &from) && take_number(r, UINT64_MAX, &to))
    kind = OBLIGATION_LOCATION;
  else if (take_word(r, "wait ") && take_number(r, UINT32_MAX, &a))
    kind = OBLIGATION_WAIT;
  else if (take_word(r, "assertion ") && take_number(r, UINT32_MAX, &a))
    kind = OBLIGATION_ASSERTION;
  for (uint32_t i = 0; kind && i < r->obligations->list.len; i++) {
    const Obligation *o = &r->obligations->list.data[i];
    KissQuestion q;
    if (!is_meant(o, kind, a, from, to)) continue;
    if (!kiss_question_of(&r->subject, i, &q)) return false;
    vec_push(&r->questions, q);
    tell_subject(r, o);
    return true;
  }
  return false;
}

static bool take_loop(Reader *r) {
  KissProof *p = &r->proof;
  uint32_t i = p->loop_count++;
  return i < KISS_MOST_LOOPS && take_number(r, UINT64_MAX, &p->loops[i].loop) &&
         take_number(r, UINT32_MAX, &p->loops[i].times);
}

/* NULL, or what is wrong. */
static const char *read_certificate(Reader *r) {
  uint64_t hash;
  KissProof *p = &r->proof;
  if (!take_word(r, FIRST_LINE) || !take_word(r, "program ") ||
      !take_number(r, UINT64_MAX, &hash))
    return "it is no certificate of schedules";
  if (hash != hash_of(r->subject.program)) return "it is about another program";
  if (!take_word(r, "bounds ") || !take_small(r, &p->turns) ||
      !take_small(r, &p->sure_turns) || !take_small(r, &p->depth) ||
      !take_small(r, &p->threads) || !take_small(r, &p->events))
    return "it has no bounds";
  while (take_word(r, "loop "))
    if (!take_loop(r)) return "the bound of a loop cannot be read";
  while (take_word(r, "about "))
    if (!take_subject(r)) return "the program has no such obligation";
  return *r->at              ? "there is a line that has no meaning"
         : !r->questions.len ? "it is about nothing"
                             : NULL;
}

bool kiss_certificate_is(const char *text, size_t length) {
  size_t n = sizeof FIRST_LINE - 1;
  return length >= n && !memcmp(text, FIRST_LINE, n);
}

/* ---- checking ---- */

/* What forbids that anything is concluded from schedules, or NULL. */
static const char *caveat_of(const Analyses *a, const Reader *r, Arena *arena) {
  for (uint32_t i = 0; i < r->questions.len; i++) {
    const Obligation *o = &r->obligations->list.data[r->questions.data[i].obligation];
    CaveatId id = caveat_against(&a->caveats, obligation_property(o),
                                 ON_FLOW | ON_SCHEDULES | ON_ALWAYS);
    if (id != CAVEAT_COUNT) return caveat_why(&a->caveats, id, a->program, arena);
  }
  return NULL;
}

static void check(Analyses *a, Reader *r, double deadline, KissCertified *ret) {
  KissProofRequest request = {.program = a->program,
                              .flow = a->flow,
                              .questions = r->questions.data,
                              .question_count = r->questions.len,
                              .deadline = deadline};
  ret->why = read_certificate(r);
  request.questions = r->questions.data;
  request.question_count = r->questions.len;
  if (ret->why) return;
  ret->why = caveat_of(a, r, a->arena);
  if (ret->why) return;
  uint8_t *shared = seq_shared_whole(a->program, a->flow);
  request.shared = shared;
  ret->judgement = kiss_judge_apart(&request, &r->proof, a->arena, &ret->why);
  mem_free(shared);
}

void kiss_certificate_check(const Program *program, const char *text, size_t length,
                            double deadline, Arena *arena, KissCertified *ret) {
  static const bool all[PROPERTY_COUNT] = {
      [PROPERTY_RACE] = true, [PROPERTY_DEADLOCK] = true, [PROPERTY_ASSERT] = true};
  *ret = (KissCertified){.judgement = JUDGE_REJECTED, .about = "a certificate"};
  Analyses analyses = {.program = program, .arena = arena};
  Obligations obligations;
  Map accepted = {0};
  collect_obligations(&analyses, all, &accepted, &obligations);
  Reader r = {.at = arena_strndup(arena, text, length),
              .obligations = &obligations,
              .subject = {program, analyses_flow(&analyses), &obligations, arena}};
  ret->why = "nothing is known about pointers";
  if (r.subject.flow) check(&analyses, &r, deadline, ret);
  if (r.about.len) ret->about = arena_strdup(arena, str_text(&r.about));
  str_free(&r.about);
  vec_free(&r.questions);
  obligations_free(&obligations);
  analyses_free(&analyses);
}
