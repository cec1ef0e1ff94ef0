/* A heddle with one defect, for tests/trust/mutate and tests/trust/engines: linked with the
 * options --wrap=caveat_note, --wrap=op_accesses and --wrap=ladder_ask, so that the tool itself
 * has no such hook.
 *
 * HEDDLE_MUTANT=caveat:LOCK_RENEWED   that caveat is never there
 * HEDDLE_MUTANT=op:create             that operation touches no memory
 * HEDDLE_MUTANT=liar:petri            that engine claims that everything is safe */
#include "engine/ladder.h"
#include "model/op_access.h"
#include "verdict/caveat.h"

#include <stdlib.h>
#include <string.h>

void __real_caveat_note(Caveats *caveats, CaveatId id, bool present, EdgeId edge);
void __wrap_caveat_note(Caveats *caveats, CaveatId id, bool present, EdgeId edge);
uint32_t __real_op_accesses(const Program *p, const Edge *e, OpAccess ret[OP_ACCESS_MAX]);
uint32_t __wrap_op_accesses(const Program *p, const Edge *e, OpAccess ret[OP_ACCESS_MAX]);
EngineEnd __real_ladder_ask(Ladder *l, const Engine *engine, uint32_t round);
EngineEnd __wrap_ladder_ask(Ladder *l, const Engine *engine, uint32_t round);

static bool is_removed(const char *table, const char *row) {
  const char *wanted = getenv("HEDDLE_MUTANT");
  size_t length = strlen(table);
  return wanted && !strncmp(wanted, table, length) && wanted[length] == ':' &&
         !strcmp(wanted + length + 1, row);
}

void __wrap_caveat_note(Caveats *caveats, CaveatId id, bool present, EdgeId edge) {
  if (is_removed("caveat", caveat_name(id))) present = false;
  __real_caveat_note(caveats, id, present, edge);
}

uint32_t __wrap_op_accesses(const Program *p, const Edge *e,
                            OpAccess ret[OP_ACCESS_MAX]) {
  if (is_removed("op", op_text((OpKind)e->op))) return 0;
  return __real_op_accesses(p, e, ret);
}

static const char *accept_all(const EngineContext *c, const Obligation *o) {
  (void)c, (void)o;
  return NULL;
}

static EngineEnd claim_all(EngineContext *c) {
  for (uint32_t i = 0; i < c->obligations->list.len; i++)
    engine_claim(
        c, &(Claim){.obligation = i, .verdict = VERDICT_SAFE, .proof = PROOF_STATES});
  return ENGINE_ENDED;
}

EngineEnd __wrap_ladder_ask(Ladder *l, const Engine *engine, uint32_t round) {
  if (!is_removed("liar", engine->name)) return __real_ladder_ask(l, engine, round);
  static Engine liar; /* claims refer to it as long as the ladder lives */
  liar = *engine;
  liar.rests = 0;
  liar.objection = accept_all;
  liar.run = claim_all;
  return __real_ladder_ask(l, &liar, round);
}
