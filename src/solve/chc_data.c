/* See chc.h: what belongs to no oracle. */
#include "solve/chc.h"

void chc_free(Chc *chc) {
  vec_free(&chc->predicates);
  vec_free(&chc->atoms);
  vec_free(&chc->clauses);
  vec_free(&chc->arguments);
}
