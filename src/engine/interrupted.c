/* See interrupted.h. */
#include "engine/interrupted.h"

#include "base/str.h"
#include "engine/restarted.h"

static bool ends_waits(const Program *p, FuncId function) {
  static const char *const setters[] = {"sigaction", "sysv_signal", "__sysv_signal",
                                        "sigset"};
  const char *name = sym_text(p, p->functions.data[function].name);
  for (size_t i = 0; i < sizeof setters / sizeof *setters; i++)
    if (str_eq(name, setters[i])) return true;
  return false;
}

/* siginterrupt takes the promise of signal() back, for handlers that others have set. */
static bool program_has_one(const Analyses *a) {
  const Flow *flow = a->flow;
  const Program *p = a->program;
  bool handler = false, taken_back = false;
  for (uint32_t t = 0; t < flow->threads.len; t++) {
    if (!flow_stands_apart(flow, t)) continue;
    const FuncId *callees;
    EdgeId site = flow->threads.data[t].site;
    uint32_t n = pointsto_callees(a->pointsto, site, &callees);
    handler = true;
    if (restarts_waits(p, site)) continue;
    for (uint32_t i = 0; i < n; i++)
      if (ends_waits(p, callees[i])) return true;
  }
  for (FuncId f = 1; f < p->functions.len; f++)
    taken_back =
        taken_back || str_eq(sym_text(p, p->functions.data[f].name), "siginterrupt");
  return handler && taken_back;
}

EdgeId interrupted_wait(Analyses *a) {
  const Program *p = a->program;
  if (!program_has_one(a)) return 0;
  for (FuncId f = 1; f < p->functions.len; f++) {
    const Function *function = &p->functions.data[f];
    if (!(function->flags & FUNCTION_DEFINED) || !analyses_may_run(a, f)) continue;
    for (uint32_t i = 0; i < function->edge_count; i++) {
      const Edge *e = program_edge(p, function->first_edge + i);
      if (e->op == OP_SEM_WAIT && e->attempt != ATTEMPT_TRY)
        return function->first_edge + i;
    }
  }
  return 0;
}
