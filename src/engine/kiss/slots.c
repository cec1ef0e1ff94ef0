/* Variables of the formula. See rounds_internal.h.
 *
 * With rounds a slot has one present value, which goes through all contexts in their order. For all
 * schedules each unit of each thread finds some value, a variable of its own, and leaves another;
 * which unit finds what another has left is for unitorder.c. */
#include "engine/kiss/rounds_internal.h"

#include <assert.h>

uint32_t slot_new(Rounds *r, Term start) {
  vec_push(&r->slots, (Slot){.start = start, .now = start});
  return r->slots.len - 1;
}

static Slot *open_slot(Rounds *r, uint32_t index) {
  assert(index < r->slots.len);
  Slot *s = &r->slots.data[index];
  if (!r->family.all || s->in) return s;
  s->in = s->now = term_var(r->t, term_bits(r->t, s->start), "found");
  s->used = s->written = term_bool(r->t, false);
  vec_push(&r->open, index);
  return s;
}

Term slot_read(Rounds *r, uint32_t index, Term condition) {
  Slot *s = open_slot(r, index);
  if (r->family.all) s->used = term_or(r->t, s->used, condition);
  return s->now;
}

void slot_write(Rounds *r, uint32_t index, Term condition, Term value) {
  if (term_is_false(r->t, condition)) return;
  Slot *s = open_slot(r, index);
  assert(term_bits(r->t, value) == term_bits(r->t, s->start));
  s->now = term_ite(r->t, condition, value, s->now);
  if (r->family.all) s->written = term_or(r->t, s->written, condition);
}

void slots_close(Rounds *r, uint32_t thread, uint32_t unit) {
  for (uint32_t i = 0; i < r->open.len; i++) {
    Slot *s = &r->slots.data[r->open.data[i]];
    assert(s->in);
    vec_push(&r->touches, (Touch){.slot = r->open.data[i],
                                  .thread = thread,
                                  .unit = unit,
                                  .in = s->in,
                                  .out = s->now,
                                  .used = s->used,
                                  .written = s->written});
    s->in = 0;
  }
  vec_clear(&r->open);
}
