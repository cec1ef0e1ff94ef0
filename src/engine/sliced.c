/* See sliced.h. */
#include "engine/sliced.h"

#include "analysis/slice.h"
#include "base/mem.h"

#include <assert.h>

/* The accesses of open locations, and the assertions. */
static void mark_visible(EngineContext *c, const OpenObjects *open, bool asserts,
                         uint8_t *visible) {
  const Flow *flow = analyses_flow(c->analyses);
  assert(flow && open->watched);
  for (uint32_t i = 0; i < c->obligations->list.len; i++) {
    const Obligation *o = &c->obligations->list.data[i];
    if (o->kind == OBLIGATION_ASSERTION && asserts && engine_wants(c, i))
      visible[o->edge] = 1;
    if (o->kind != OBLIGATION_LOCATION ||
        !open->watched[pointsto_object(flow->pointsto, o->object)])
      continue;
    for (uint32_t k = 0; k < o->member_count; k++) {
      uint32_t member = c->obligations->members.data[o->first_member + k];
      visible[flow->accesses.data[member].edge] = 1;
    }
  }
}

/* Control may go where no edge leads: to a clean-up handler. Or calls that touch nothing matter:
 * those that repair robust mutexes, or those that free what an address is compared with. */
static bool is_beyond_slices(const EngineContext *c) {
  const Caveats *caveats = &c->analyses->caveats;
  return caveats->state[CAVEAT_CANCELS] != CAVEAT_ABSENT ||
         caveats->state[CAVEAT_ROBUST_MUTEX] != CAVEAT_ABSENT ||
         caveats->state[CAVEAT_ADDRESSES_ALIKE] != CAVEAT_ABSENT ||
         caveats->state[CAVEAT_CLEANUP_HANDLER] != CAVEAT_ABSENT;
}

const Program *sliced_program(EngineContext *c, const OpenObjects *open, bool asserts,
                              Sliced *sliced) {
  const Flow *flow = analyses_flow(c->analyses);
  *sliced = (Sliced){0};
  if (!flow || !flow->complete || !open->watched || is_beyond_slices(c))
    return c->program;
  uint8_t *visible = mem_alloc_zero(c->program->edges.len + 1);
  mark_visible(c, open, asserts, visible);
  SliceQuestion question = {c->program, flow->pointsto, flow->sharing, visible, c->stop};
  Slice *slice = slice_new(&question);
  Str why = {0};
  if (slice && slice_check(&question, slice, &why)) {
    slice_view(c->program, slice, &sliced->view);
    sliced->used = true;
    log_put(c->log, LOG_INFO, "slice: %u of %u edges", slice->kept_count,
            slice->edge_count);
  } else if (slice) {
    log_put(c->log, LOG_ERROR, "a slice is not closed: %s: please report this",
            str_text(&why));
  }
  str_free(&why);
  slice_free(slice);
  mem_free(visible);
  return sliced->used ? &sliced->view : c->program;
}

void sliced_free(Sliced *sliced) {
  if (sliced->used) slice_view_free(&sliced->view);
}
