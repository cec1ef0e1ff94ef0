/* Properties as the competition of verifiers writes them, one in a file:
 *
 *   CHECK( init(main()), LTL(G ! call(reach_error())) ) */
#ifndef HEDDLE_CLI_PRP_H
#define HEDDLE_CLI_PRP_H

#include "base/err.h"

#include <stdbool.h>

typedef struct {
  bool race;           /* LTL(G ! data-race) */
  char *function;      /* LTL(G ! call(FUNCTION())); else NULL */
  char *specification; /* what stands in LTL( ) */
} Prp;

/* A property of another kind leaves both unset. False after filling `err`: it is no property.
 * prp_free in either case. */
bool prp_read(const char *path, Prp *ret, Err *err);
void prp_free(Prp *prp);

#endif
