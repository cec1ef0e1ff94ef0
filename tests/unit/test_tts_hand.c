/* Thread transition systems made by hand: the example of the paper, what sections and shakes mean,
 * false runs, and what is no system. */
#include "engine/circ/tts_net.h"
#include "tts_figure.h"
#include "tts_naive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- systems by hand ---- */

static void expect(Tts *tts, NetVerdict expected) {
  TtsAnswer answer;
  assert_true(tts_is_valid(tts, NULL));
  tts_solve(tts, &(NetLimits){0}, &answer);
  assert_int_equal(answer.verdict, expected);
  assert_int_equal(naive_backward(tts, 3000), expected);
  if (expected == NET_UNSAFE) assert_true(tts_run_check(tts, &answer.run, NULL));
  tts_answer_free(&answer);
  tts_free(tts);
}

static void by_hand(void **state) {
  (void)state;
  Tts tts;
  for (uint32_t i = FIGURE_SAFE; i <= FIGURE_WITHOUT_CHECK; i++) {
    figure_1(&tts, (Figure)i);
    expect(&tts, i == FIGURE_SAFE ? NET_SAFE : NET_UNSAFE);
  }
  for (uint32_t racy = 0; racy < 2; racy++) {
    three_values(&tts, racy);
    expect(&tts, racy ? NET_UNSAFE : NET_SAFE);
    for (uint32_t whole = 0; whole < 2; whole++) {
      stages(&tts, 2, 6, racy, whole);
      expect(&tts, racy ? NET_UNSAFE : NET_SAFE);
    }
  }
}

/* A section that sets a group and sets it back. Another thread would see that (it waits for the value,
 * or there is an error with that value), or changes it itself in the meantime. */
static void seen_in_section(Tts *tts, uint32_t how, bool atomic) {
  *tts = (Tts){0};
  add_group(tts, 2, 0);
  uint32_t a = add_local(tts, 0, false), s1 = add_local(tts, 0, atomic);
  uint32_t bad = add_local(tts, 0, false), c = add_local(tts, 0, false);
  uint32_t x = add_local(tts, 1, false), y = add_local(tts, 1, false);
  add_threads(tts, 1, a);
  add_threads(tts, 1, x);
  add_touching(tts, a, s1, 0, 0, 1);
  add_touching(tts, s1, c, 0, 1, 0);
  add_touching(tts, s1, bad, 0, 0, 0);
  add_touching(tts, x, y, 0, 1, how == 0 ? 1 : 0);
  add_error(tts, how == 0 ? y : how == 1 ? x : bad, TTS_NONE);
  if (how != 1) return;
  vec_push(&tts->touches, (TtsTouch){0, 1, 0});
  tts->errors.data[0].touch_count = 1;
}

static void sections_by_hand(void **state) {
  (void)state;
  Tts tts;
  for (uint32_t how = 0; how < 3; how++) {
    seen_in_section(&tts, how, true);
    expect(&tts, NET_SAFE);
    seen_in_section(&tts, how, false);
    expect(&tts, NET_UNSAFE);
  }
}

/* A section starts a thread in p and shakes those in p. The new thread can go to q by itself, but not
 * before the section ends: then it is in r. With `behind` the section shakes those in q instead. */
static void shaken_in_section(Tts *tts, bool behind) {
  *tts = (Tts){0};
  uint32_t a = add_local(tts, 0, false), s1 = add_local(tts, 0, true);
  uint32_t s2 = add_local(tts, 0, true), e = add_local(tts, 0, false);
  uint32_t p = add_local(tts, 1, false), q = add_local(tts, 1, false);
  uint32_t r = add_local(tts, 1, false);
  add_threads(tts, 1, a);
  add_step(tts, a, s1);
  begin_step(tts, s1, s2);
  vec_push(&tts->spawns, p);
  end_step(tts);
  begin_step(tts, s2, e);
  vec_push(&tts->shakes, (TtsShake){behind ? q : p, r});
  end_step(tts);
  add_step(tts, p, q);
  add_error(tts, behind ? r : q, TTS_NONE);
}

/* A thread that begins in x or in y is shaken from x to z. */
static void shaken_from_the_beginning(Tts *tts) {
  *tts = (Tts){0};
  uint32_t a = add_local(tts, 0, false), b = add_local(tts, 0, false);
  uint32_t x = add_local(tts, 1, false), y = add_local(tts, 1, false);
  uint32_t z = add_local(tts, 1, false);
  add_threads(tts, 1, a);
  add_threads(tts, 1, x);
  tts->threads.data[1].initial_count = 2;
  vec_push(&tts->initials, y);
  begin_step(tts, a, b);
  vec_push(&tts->shakes, (TtsShake){x, z});
  end_step(tts);
  add_error(tts, b, x);
}

static void shakes_by_hand(void **state) {
  (void)state;
  Tts tts;
  for (uint32_t behind = 0; behind < 2; behind++) {
    shaken_in_section(&tts, behind);
    expect(&tts, NET_SAFE);
    shaken_in_section(&tts, behind);
    tts.errors.data[0].locals[0] = behind ? 5 : 6; /* q; r */
    expect(&tts, NET_UNSAFE);
    shaken_in_section(&tts, behind);
    tts.locals.data[1].atomic = tts.locals.data[2].atomic = false;
    expect(&tts, NET_UNSAFE);
  }
  shaken_from_the_beginning(&tts);
  expect(&tts, NET_SAFE);
  shaken_from_the_beginning(&tts);
  tts.errors.data[0].locals[1] = 3; /* y */
  expect(&tts, NET_UNSAFE);
}

/* A thread moves on as long as it can: one switch. */
static void few_switches(void **state) {
  (void)state;
  Tts tts;
  TtsAnswer answer;
  figure_1(&tts, FIGURE_WITHOUT_CHECK);
  tts_solve(&tts, &(NetLimits){0}, &answer);
  assert_int_equal(answer.run.starts.len, 2);
  uint32_t switches = 0;
  for (uint32_t i = 1; i < answer.run.moves.len; i++)
    switches += answer.run.moves.data[i].thread != answer.run.moves.data[i - 1].thread;
  assert_int_equal(switches, 1);
  tts_answer_free(&answer);
  tts_free(&tts);
}

/* In the net a step that touches nothing may come while another thread is in its section; in the run
 * it comes behind. */
static void steps_beside_sections(void **state) {
  (void)state;
  Tts tts = {0};
  uint32_t a = add_local(&tts, 0, false), inside = add_local(&tts, 0, true);
  uint32_t c = add_local(&tts, 0, false), d = add_local(&tts, 0, false);
  add_threads(&tts, NET_OMEGA, a);
  add_step(&tts, a, inside);
  add_step(&tts, inside, c);
  add_step(&tts, a, d);
  add_error(&tts, c, d);
  NetEvidence evidence = {.unsafe = true};
  TtsLayout layout;
  TtsRun run;
  tts_layout_new(&tts, &layout);
  vec_push(&evidence.start, (Tokens){layout.first_local + a, 2});
  vec_push(&evidence.firings, 0);
  vec_push(&evidence.firings, 2);
  vec_push(&evidence.firings, 1);
  tts_follow(&tts, &layout, &evidence, &run);
  assert_int_equal(run.moves.data[1].step, 1);
  assert_int_equal(run.moves.data[2].step, 2);
  assert_true(tts_run_check(&tts, &run, NULL));
  tts_run_free(&run);
  evidence_free(&evidence);
  tts_layout_free(&layout);
  tts_free(&tts);
}

/* ---- the checker of runs ---- */

static bool holds(const Tts *tts, const TtsRun *run) {
  Str why = {0};
  bool ok = tts_run_check(tts, run, &why);
  assert_true(ok == (why.len == 0));
  str_free(&why);
  return ok;
}

/* Each part of the run in turn becomes something else. */
static void false_runs(void **state) {
  (void)state;
  Tts tts;
  TtsAnswer answer;
  figure_1(&tts, FIGURE_LATE_ACCESS);
  tts_solve(&tts, &(NetLimits){0}, &answer);
  TtsRun *run = &answer.run;
  assert_true(holds(&tts, run));
  for (uint32_t i = 0; i < run->moves.len; i++) {
    TtsMove kept = run->moves.data[i];
    run->moves.data[i].thread ^= 1;
    assert_false(holds(&tts, run));
    run->moves.data[i] = kept;
    run->moves.data[i].step = tts.steps.len;
    assert_false(holds(&tts, run));
    run->moves.data[i] = kept;
    for (uint32_t step = 0; step < tts.steps.len; step++) {
      run->moves.data[i].step = step;
      assert_true(step == kept.step || !holds(&tts, run));
    }
    run->moves.data[i] = kept;
  }
  uint32_t *parts[] = {&run->starts.data[0],  &run->starts.data[1], &run->parents.data[0],
                       &run->origins.data[0], &run->values.data[0], &run->error,
                       &run->racers[0],       &run->racers[1]};
  for (uint32_t i = 0; i < sizeof parts / sizeof *parts; i++)
    for (uint32_t change = 1; change < 3; change++) {
      *parts[i] += change;
      assert_false(holds(&tts, run));
      *parts[i] -= change;
    }
  run->racers[1] = run->racers[0];
  assert_false(holds(&tts, run));
  run->moves.len--;
  assert_false(holds(&tts, run));
  tts_answer_free(&answer);
  tts_free(&tts);
}

/* There are only so many threads of a kind, and while one is inside nobody else moves. */
static void limits_of_runs(void **state) {
  (void)state;
  Tts tts = {0};
  uint32_t a = add_local(&tts, 0, false), b = add_local(&tts, 0, true);
  uint32_t c = add_local(&tts, 0, false);
  add_group(&tts, 1, 0);
  add_threads(&tts, 2, a);
  add_step(&tts, a, b);
  add_step(&tts, b, c);
  add_error(&tts, c, c);
  TtsRun run = {.racers = {0, 1}};
  for (uint32_t i = 0; i < 2; i++) {
    vec_push(&run.starts, a);
    vec_push(&run.parents, TTS_NONE);
    vec_push(&run.origins, 0);
    vec_push(&run.moves, (TtsMove){0, i});
    vec_push(&run.moves, (TtsMove){1, i});
  }
  vec_push(&run.values, 0);
  assert_true(holds(&tts, &run));
  tts.threads.data[0].count = 1;
  assert_false(holds(&tts, &run));
  tts.threads.data[0].count = 2;
  TtsMove second = run.moves.data[1];
  run.moves.data[1] = run.moves.data[2];
  run.moves.data[2] = second;
  assert_false(holds(&tts, &run));
  tts.locals.data[b].atomic = false;
  assert_true(holds(&tts, &run));
  tts_run_free(&run);
  tts_free(&tts);
}

/* ---- what is no system ---- */

static void spoil(Tts *tts, uint32_t *part, uint32_t value) {
  Str why = {0};
  uint32_t kept = *part;
  assert_true(tts_is_valid(tts, NULL));
  *part = value;
  assert_false(tts_is_valid(tts, &why));
  assert_true(why.len > 0);
  *part = kept;
  str_free(&why);
}

static void invalid_systems(void **state) {
  (void)state;
  Tts tts;
  figure_1(&tts, FIGURE_SAFE);
  uint32_t locals = tts.locals.len;
  spoil(&tts, &tts.groups.data[0].size, 0);
  spoil(&tts, &tts.groups.data[0].initial_count, 0);
  spoil(&tts, &tts.threads.data[0].initial_count, 3);
  spoil(&tts, &tts.threads.data[0].count, NET_OMEGA - 1);
  spoil(&tts, &tts.initials.data[1], 1); /* atomic */
  spoil(&tts, &tts.steps.data[1].from, locals);
  spoil(&tts, &tts.steps.data[1].to, locals);
  spoil(&tts, &tts.steps.data[1].touch_count, 2); /* the group twice */
  spoil(&tts, &tts.steps.data[1].spawn_count, 1);
  spoil(&tts, &tts.steps.data[1].shake_count, 1);
  spoil(&tts, &tts.touches.data[0].group, 1);
  spoil(&tts, &tts.touches.data[0].after, 2);
  spoil(&tts, &tts.errors.data[0].locals[0], TTS_NONE);
  spoil(&tts, &tts.errors.data[0].locals[1], locals);
  tts_free(&tts);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(by_hand),
      cmocka_unit_test(sections_by_hand),
      cmocka_unit_test(shakes_by_hand),
      cmocka_unit_test(few_switches),
      cmocka_unit_test(steps_beside_sections),
      cmocka_unit_test(false_runs),
      cmocka_unit_test(limits_of_runs),
      cmocka_unit_test(invalid_systems),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
