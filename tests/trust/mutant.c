/* A heddle with one row of a table removed, for tests/trust/mutate: linked with the options
 * --wrap=caveat_note and --wrap=op_accesses, so that the tool itself has no such hook.
 *
 * HEDDLE_MUTANT=caveat:LOCK_RENEWED   that caveat is never there
 * HEDDLE_MUTANT=op:create             that operation touches no memory */
#include "model/op_access.h"
#include "verdict/caveat.h"

#include <stdlib.h>
#include <string.h>

void __real_caveat_note(Caveats *caveats, CaveatId id, bool present, EdgeId edge);
void __wrap_caveat_note(Caveats *caveats, CaveatId id, bool present, EdgeId edge);
uint32_t __real_op_accesses(const Program *p, const Edge *e, OpAccess ret[OP_ACCESS_MAX]);
uint32_t __wrap_op_accesses(const Program *p, const Edge *e, OpAccess ret[OP_ACCESS_MAX]);

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
