/* The interleave engine from the inside: happens-before as carried knowledge, and the
 * canonical form of states. The states are made by hand over a tiny program of two
 * globals; verdicts on whole programs are the corpus's business. */
#include "engine/interleave/machine.h"
#include "engine/interleave/stuck.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef struct {
  Program program;
  Facts facts;
  uint8_t watched[8];
  uint32_t static_instance[8];
  ObjectId static_object[8];
  Machine m;
} World;

/* Two globals of 8 bytes, instances 0 and 1, and `threads` live threads without frames. */
static void make_world(World *w, uint32_t threads) {
  memset(w, 0, sizeof *w);
  vec_push(&w->program.text, '\0');
  for (int i = 0; i < 4; i++) {
    Object o = {.kind = i ? OBJECT_GLOBAL : OBJECT_NONE, .size = 8};
    if (i == 3) {
      o.kind = OBJECT_HEAP;
      o.flags = OBJECT_DYNAMIC;
    }
    vec_push(&w->program.objects, o);
  }
  memset(w->watched, 1, sizeof w->watched);
  for (uint32_t i = 0; i < 2; i++) {
    w->static_instance[i + 1] = i + 1;
    w->static_object[i] = i + 1;
  }
  w->facts = (Facts){.program = &w->program,
                     .watched = w->watched,
                     .static_instance = w->static_instance,
                     .static_object = w->static_object,
                     .static_count = 2};
  w->m.facts = &w->facts;
  w->m.p = &w->program;
  state_start(&w->m.s, &w->facts);
  w->m.s.thread_count = threads;
  for (uint32_t i = 0; i < threads; i++) {
    w->m.s.threads[i].status = THREAD_LIVE;
    w->m.s.threads[i].result = abs_top();
  }
}

static void free_world(World *w) {
  state_free(&w->m.s);
  vec_free(&w->m.places);
  vec_free(&w->program.text);
  vec_free(&w->program.objects);
}

static Outcome access_as(World *w, uint32_t thread, uint32_t from, uint32_t to,
                         uint32_t kind) {
  w->m.t = thread;
  return il_happens_access(&w->m, 0, from, to, kind);
}

static uint32_t sync_of(World *w) {
  return (uint32_t)il_sync_at(&w->m, 1, 0, SYNC_LOCK);
}

/* ---- happens-before ---- */

static void unordered_accesses_race(void **state) {
  (void)state;
  World w;
  make_world(&w, 2);
  assert_int_equal(access_as(&w, 0, 0, 4, ACCESS_WRITE), OUTCOME_NEXT);
  assert_int_equal(access_as(&w, 1, 4, 8, ACCESS_WRITE), OUTCOME_NEXT);
  assert_int_equal(access_as(&w, 1, 3, 5, ACCESS_READ), OUTCOME_RACE);
  free_world(&w);
}

static void reads_and_atomics_do_not_race(void **state) {
  (void)state;
  World w;
  make_world(&w, 2);
  assert_int_equal(access_as(&w, 0, 0, 4, ACCESS_READ), OUTCOME_NEXT);
  assert_int_equal(access_as(&w, 1, 0, 4, ACCESS_READ), OUTCOME_NEXT);
  assert_int_equal(access_as(&w, 0, 4, 8, ACCESS_WRITE | ACCESS_ATOMIC), OUTCOME_NEXT);
  assert_int_equal(access_as(&w, 1, 4, 8, ACCESS_WRITE | ACCESS_ATOMIC), OUTCOME_NEXT);
  assert_int_equal(access_as(&w, 1, 4, 8, ACCESS_READ), OUTCOME_RACE);
  free_world(&w);
}

static void release_and_acquire_hand_over(void **state) {
  (void)state;
  World w;
  make_world(&w, 3);
  access_as(&w, 0, 0, 4, ACCESS_WRITE);
  uint32_t lock = sync_of(&w);
  il_happens_release(&w.m.s, 0, lock, true);
  access_as(&w, 0, 4, 8, ACCESS_WRITE); /* after the release: not handed over */
  il_happens_acquire(&w.m.s, 1, lock);
  assert_int_equal(access_as(&w, 1, 0, 4, ACCESS_READ), OUTCOME_NEXT);
  assert_int_equal(access_as(&w, 1, 4, 8, ACCESS_READ), OUTCOME_RACE);
  assert_int_equal(access_as(&w, 2, 0, 4, ACCESS_READ), OUTCOME_RACE);
  free_world(&w);
}

static void a_store_replaces_what_is_carried(void **state) {
  (void)state;
  World w;
  make_world(&w, 3);
  access_as(&w, 0, 0, 4, ACCESS_WRITE);
  uint32_t place = sync_of(&w);
  il_happens_release(&w.m.s, 0, place, false);
  il_happens_release(&w.m.s, 1, place, false); /* by one who does not know it */
  il_happens_acquire(&w.m.s, 2, place);
  assert_int_equal(access_as(&w, 2, 0, 4, ACCESS_READ), OUTCOME_RACE);
  il_happens_release(&w.m.s, 0, place, true);
  il_happens_release(&w.m.s, 1, place, true); /* adds only */
  il_happens_acquire(&w.m.s, 2, place);
  assert_int_equal(access_as(&w, 2, 0, 4, ACCESS_READ), OUTCOME_NEXT);
  free_world(&w);
}

/* A write takes the place of what its thread knows, and of nothing else. */
static void a_write_stands_for_what_it_follows(void **state) {
  (void)state;
  World w;
  make_world(&w, 3);
  access_as(&w, 0, 0, 4, ACCESS_READ);
  access_as(&w, 1, 0, 4, ACCESS_READ);
  assert_int_equal(w.m.s.entries.len, 2);
  il_happens_tell(&w.m.s, 1, 0);
  assert_int_equal(access_as(&w, 0, 0, 8, ACCESS_WRITE), OUTCOME_NEXT);
  assert_int_equal(w.m.s.entries.len, 1);
  assert_int_equal(access_as(&w, 2, 0, 1, ACCESS_READ), OUTCOME_RACE);
  assert_int_equal(access_as(&w, 1, 0, 1, ACCESS_READ), OUTCOME_RACE);
  free_world(&w);
}

static void atomic_writes_do_not_hide_plain_reads(void **state) {
  (void)state;
  World w;
  make_world(&w, 2);
  access_as(&w, 0, 0, 4, ACCESS_READ);
  access_as(&w, 0, 0, 4, ACCESS_WRITE | ACCESS_ATOMIC);
  assert_int_equal(w.m.s.entries.len, 2);
  assert_int_equal(access_as(&w, 1, 0, 4, ACCESS_WRITE | ACCESS_ATOMIC), OUTCOME_RACE);
  free_world(&w);
}

/* ---- the canonical form ---- */

static Packed pack(World *w, Packer **ret_packer) {
  *ret_packer = packer_new(false);
  return state_pack(*ret_packer, &w->facts, &w->m.s);
}

static bool same_form(World *a, World *b) {
  Packer *ka, *kb;
  Packed pa = pack(a, &ka), pb = pack(b, &kb);
  bool same = pa.canonical == pb.canonical && !memcmp(pa.data, pb.data, pa.canonical);
  packer_free(ka);
  packer_free(kb);
  return same;
}

static void put_cell(World *w, uint32_t instance, uint32_t offset, uint32_t size,
                     AbsValue v) {
  vec_clear(&w->m.places);
  vec_push(&w->m.places, (MemPlace){instance, offset, false});
  il_memory_write(&w->m, size, v);
}

static uint32_t new_heap(World *w) {
  return il_instance_new(&w->m, 3, 16, DEFAULT_TOP);
}

static void numbers_of_instances_do_not_count(void **state) {
  (void)state;
  World a, b;
  make_world(&a, 1);
  make_world(&b, 1);
  uint32_t a1 = new_heap(&a), a2 = new_heap(&a);
  uint32_t b2 = new_heap(&b), b1 = new_heap(&b);
  put_cell(&a, 0, 0, 8, abs_make(ABS_INSTANCE, a1, 0));
  put_cell(&a, 1, 0, 8, abs_make(ABS_INSTANCE, a2, 4));
  put_cell(&a, a1, 0, 4, abs_number(7));
  put_cell(&b, 0, 0, 8, abs_make(ABS_INSTANCE, b1, 0));
  put_cell(&b, 1, 0, 8, abs_make(ABS_INSTANCE, b2, 4));
  put_cell(&b, b1, 0, 4, abs_number(7));
  assert_true(same_form(&a, &b));
  put_cell(&b, b1, 0, 4, abs_number(8));
  assert_false(same_form(&a, &b));
  free_world(&a);
  free_world(&b);
}

static void unreachable_memory_is_left_out(void **state) {
  (void)state;
  World a, b;
  make_world(&a, 1);
  make_world(&b, 1);
  uint32_t heap = new_heap(&a);
  put_cell(&a, heap, 0, 4, abs_number(1));
  assert_true(same_form(&a, &b));
  a.m.s.lost = b.m.s.lost = true; /* an address may be hidden somewhere */
  assert_false(same_form(&a, &b));
  free_world(&a);
  free_world(&b);
}

static void initial_values_are_no_cells(void **state) {
  (void)state;
  World a, b;
  make_world(&a, 1);
  make_world(&b, 1);
  put_cell(&a, 0, 0, 4, abs_number(5));
  assert_false(same_form(&a, &b));
  put_cell(&a, 0, 0, 4, abs_number(0));
  assert_true(same_form(&a, &b));
  free_world(&a);
  free_world(&b);
}

static void known_entries_are_dropped(void **state) {
  (void)state;
  World a, b;
  make_world(&a, 2);
  make_world(&b, 2);
  access_as(&a, 0, 0, 4, ACCESS_WRITE);
  assert_false(same_form(&a, &b));
  il_happens_tell(&a.m.s, 0, 1);
  assert_true(same_form(&a, &b));
  free_world(&a);
  free_world(&b);
}

static void unpacking_gives_the_state_back(void **state) {
  (void)state;
  World w;
  make_world(&w, 2);
  uint32_t heap = new_heap(&w);
  put_cell(&w, 0, 0, 8, abs_make(ABS_INSTANCE, heap, 8));
  put_cell(&w, heap, 4, 2, abs_number(0x1234));
  access_as(&w, 1, 0, 4, ACCESS_WRITE);
  uint32_t lock = sync_of(&w);
  w.m.s.syncs.data[lock].owner = 2;
  il_happens_release(&w.m.s, 1, lock, true);
  Packer *packer;
  Packed packed = pack(&w, &packer);
  uint8_t *kept = mem_dup(packed.data, packed.len);
  uint32_t len = packed.len;
  State back = {0};
  state_unpack(&back, kept);
  Packed again = state_pack(packer, &w.facts, &back);
  assert_int_equal(again.len, len);
  assert_memory_equal(again.data, kept, len);
  assert_int_equal(back.entries.data[0].threads, 2);
  assert_int_equal(back.syncs.data[0].owner, 2);
  mem_free(kept);
  state_free(&back);
  packer_free(packer);
  free_world(&w);
}

static void parts_of_cells_stay(void **state) {
  (void)state;
  World w;
  make_world(&w, 1);
  put_cell(&w, 0, 0, 8, abs_number(UINT64_C(0x8877665544332211)));
  put_cell(&w, 0, 2, 2, abs_number(0xaabb));
  assert_int_equal(il_memory_peek(&w.m, 0, 0, 4).num, 0xaabb2211);
  assert_int_equal(il_memory_peek(&w.m, 0, 4, 4).num, 0x88776655);
  put_cell(&w, 0, 0, 8, abs_make(ABS_INSTANCE, 1, 0));
  assert_false(w.m.s.lost);
  put_cell(&w, 0, 6, 1, abs_number(1));
  assert_true(w.m.s.lost); /* an address in pieces */
  assert_true(abs_is_top(il_memory_peek(&w.m, 0, 0, 8)));
  free_world(&w);
}

/* ---- threads that wait for ever ---- */

static void circles_have_no_way_out(void **state) {
  (void)state;
  Wait waits[IL_MAX_THREADS] = {0};
  waits[0].holders = 1 << 1; /* main waits for 1, 1 for 2, 2 for 1 */
  waits[1].holders = 1 << 2;
  waits[2].holders = 1 << 1;
  assert_int_equal(stuck_circle(waits, 0), 7);
  waits[2] = (Wait){0}; /* 2 can move */
  assert_int_equal(stuck_circle(waits, 0), 0);
  waits[2].event = true; /* or waits for what others may do */
  assert_int_equal(stuck_circle(waits, 0), 0);
  assert_int_equal(stuck_circle(waits, 1 << 2), 3);    /* 2 has ended */
  waits[3] = (Wait){.event = true, .holders = 1 << 3}; /* a lock of its own */
  assert_int_equal(stuck_circle(waits, 0), 1 << 3);
  waits[3] = (Wait){.gone = true};
  assert_int_equal(stuck_circle(waits, 0), 1 << 3);
}

/* 0 → 1 → 2 → 1, where thread 1 waits; in 3 it has moved. */
static void make_waiting(StuckGraph *g) {
  *g = (StuckGraph){0};
  for (uint32_t i = 0; i < 4; i++) stuck_add_state(g);
  stuck_settle(g, 0, 0, 0);
  stuck_settle(g, 1, 2, 17);
  stuck_settle(g, 3, 0, 0);
  stuck_add_step(g, 0, 1, 3);
  stuck_add_step(g, 1, 2, 3); /* 2 is a state where only one thread was asked */
  stuck_add_step(g, 2, 1, 3);
}

static void hope_spreads_backwards(void **state) {
  (void)state;
  StuckGraph g;
  EdgeId edge = 0;
  uint32_t at = 0;
  make_waiting(&g);
  assert_false(stuck_has_hope(&g, &edge, &at));
  assert_int_equal(edge, 17);
  stuck_free(&g);
  make_waiting(&g);
  stuck_add_step(&g, 2, 3, 3);
  assert_true(stuck_has_hope(&g, &edge, &at));
  stuck_free(&g);
  make_waiting(&g);
  stuck_add_end(&g, 2);
  assert_true(stuck_has_hope(&g, &edge, &at));
  stuck_free(&g);
}

static void threads_keep_their_order(void **state) {
  (void)state;
  StuckGraph g = {0};
  EdgeId edge = 0;
  uint32_t at = 0;
  for (uint32_t i = 0; i < 2; i++) stuck_add_state(&g);
  stuck_settle(&g, 0, 4, 5); /* thread 2 waits */
  stuck_settle(&g, 1, 2, 6); /* … and is number 1 after thread 1 has gone */
  stuck_add_step(&g, 0, 1, 5);
  assert_false(stuck_has_hope(&g, &edge, &at));
  assert_int_equal(edge, 5);
  stuck_free(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unordered_accesses_race),
      cmocka_unit_test(reads_and_atomics_do_not_race),
      cmocka_unit_test(release_and_acquire_hand_over),
      cmocka_unit_test(a_store_replaces_what_is_carried),
      cmocka_unit_test(a_write_stands_for_what_it_follows),
      cmocka_unit_test(atomic_writes_do_not_hide_plain_reads),
      cmocka_unit_test(numbers_of_instances_do_not_count),
      cmocka_unit_test(unreachable_memory_is_left_out),
      cmocka_unit_test(initial_values_are_no_cells),
      cmocka_unit_test(known_entries_are_dropped),
      cmocka_unit_test(unpacking_gives_the_state_back),
      cmocka_unit_test(parts_of_cells_stay),
      cmocka_unit_test(circles_have_no_way_out),
      cmocka_unit_test(hope_spreads_backwards),
      cmocka_unit_test(threads_keep_their_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
