/* Stands in for lp.c and support.c (and simplex.c behind them) in the tool, and goes on
 * there once they are loaded. Their library and what that one is linked with take longer
 * to load than all else that the tool needs to start, and only coverability of nets uses
 * them. */
#include "base/part.h"
#include "net/lp.h"
#include "net/support.h"

#define PART "libheddle-lp.so"

#define FUNCTIONS(X)                                                                     \
  X(lp_new)                                                                              \
  X(lp_free)                                                                             \
  X(lp_restrict)                                                                         \
  X(lp_solve)                                                                            \
  X(lp_weights)                                                                          \
  X(lp_trap_weights)                                                                     \
  X(lp_firings)                                                                          \
  X(lp_add_trap)                                                                         \
  X(support_new)                                                                         \
  X(support_free)                                                                        \
  X(support_solve)                                                                       \
  X(support_weights)

static struct {
#define X(name) typeof(name) *name;
  FUNCTIONS(X)
#undef X
} real;

bool lp_prepare(Err *err) {
#define X(name)                                                                          \
  if (!real.name && !(real.name = (typeof(real.name))part_function(PART, #name, err)))   \
    return false;
  FUNCTIONS(X)
#undef X
  return true;
}

Lp *lp_new(const Net *net) {
  return real.lp_new(net);
}

void lp_free(Lp *lp) {
  if (lp) real.lp_free(lp);
}

void lp_restrict(Lp *lp, const uint8_t *alive) {
  real.lp_restrict(lp, alive);
}

LpAnswer lp_solve(Lp *lp, MarkingView marking, uint64_t budget, uint32_t milliseconds,
                  uint64_t *cost) {
  return real.lp_solve(lp, marking, budget, milliseconds, cost);
}

const double *lp_weights(Lp *lp) {
  return real.lp_weights(lp);
}

const double *lp_trap_weights(Lp *lp) {
  return real.lp_trap_weights(lp);
}

const double *lp_firings(Lp *lp) {
  return real.lp_firings(lp);
}

void lp_add_trap(Lp *lp, const uint32_t *places, uint32_t len) {
  real.lp_add_trap(lp, places, len);
}

Support *support_new(const Net *net) {
  return real.support_new(net);
}

void support_free(Support *support) {
  if (support) real.support_free(support);
}

bool support_solve(Support *support, MarkingView marking, const uint8_t *alive,
                   uint64_t budget, uint32_t milliseconds, uint64_t *cost) {
  return real.support_solve(support, marking, alive, budget, milliseconds, cost);
}

const double *support_weights(const Support *support) {
  return real.support_weights(support);
}
