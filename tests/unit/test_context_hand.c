/* Contexts of systems made by hand: the example of the paper and how it is told, threads that steps
 * start, simulation condition by condition, and what is refused. */
#include "engine/circ/context_internal.h"
#include "tts_figure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the paper's example ---- */

static NetVerdict verdict_of(Tts *tts, bool exact_start, uint32_t *ret_k) {
  ContextAnswer answer;
  context_infer(tts, &(ContextOptions){.exact_start = exact_start}, &answer);
  NetVerdict verdict = answer.verdict;
  if (ret_k) *ret_k = answer.k;
  context_answer_free(&answer);
  tts_free(tts);
  return verdict;
}

static void figure(void **state) {
  (void)state;
  for (uint32_t exact = 0; exact < 2; exact++) {
    for (uint32_t i = FIGURE_SAFE; i <= FIGURE_WITHOUT_CHECK; i++) {
      Tts tts;
      uint32_t k;
      figure_1(&tts, (Figure)i);
      NetVerdict expected = i == FIGURE_SAFE ? NET_SAFE : NET_UNSAFE;
      assert_int_equal(verdict_of(&tts, exact, &k), expected);
      assert_int_equal(k, 1);
    }
    for (uint32_t racy = 0; racy < 2; racy++) {
      Tts tts;
      three_values(&tts, racy);
      assert_int_equal(verdict_of(&tts, exact, NULL), racy ? NET_UNSAFE : NET_SAFE);
      stages(&tts, 3, 5, racy, false);
      assert_int_equal(verdict_of(&tts, exact, NULL), racy ? NET_UNSAFE : NET_SAFE);
    }
  }
}

static void name_kind(void *data, uint32_t kind, Str *out) {
  str_addf(out, "%s %u", (const char *)data, kind);
}

static void name_group(void *data, uint32_t group, Str *out) {
  (void)data, (void)group;
  str_add(out, "state");
}

static void name_value(void *data, uint32_t group, uint32_t value, Str *out) {
  (void)data, (void)group;
  str_add(out, value ? "busy" : "\"free\"");
}

static void story(void **state) {
  (void)state;
  Tts tts;
  ContextAnswer answer;
  Str text = {0};
  char word[] = "worker";
  const ContextNames names = {
      .data = word, .kind = name_kind, .group = name_group, .value = name_value};
  figure_1(&tts, FIGURE_SAFE);
  context_infer(&tts, &(ContextOptions){.exact_start = true}, &answer);
  context_print(&answer, &names, &text);
  assert_string_equal(str_text(&text), "worker 0:\n"
                                       "  I (start): true [l0 l7]\n"
                                       "    -> II*\n"
                                       "    -> III*\n"
                                       "  II*: state = \"free\" [l1 l2 l3]\n"
                                       "    -> IV: changes state\n"
                                       "  III*: state = busy [l1 l5]\n"
                                       "    -> I\n"
                                       "  IV: state = busy [l4]\n"
                                       "    -> V\n"
                                       "  V: state = busy [l8]\n"
                                       "    -> VI\n"
                                       "  VI: state = busy [l9]\n"
                                       "    -> I: changes state\n");
  str_clear(&text);
  context_dot(&answer, &names, &text);
  assert_non_null(strstr(str_text(&text), "n1 [label=\"II*\\nstate = \\\"free\\\"\","));
  assert_non_null(strstr(str_text(&text), "n1 -> n3 [label=\"changes state\"]"));
  str_free(&text);
  context_answer_free(&answer);
  tts_free(&tts);
}

/* ---- threads that steps start ---- */

/* The only thread starts another one, which sets a flag that the first one sees. */
static void started_by_the_only_one(Tts *tts) {
  *tts = (Tts){0};
  add_group(tts, 2, 0);
  uint32_t a = add_local(tts, 0, false), b = add_local(tts, 0, false);
  uint32_t bad = add_local(tts, 0, false);
  uint32_t k0 = add_local(tts, 1, false), k1 = add_local(tts, 1, false);
  add_threads(tts, 1, a);
  begin_step(tts, a, b);
  vec_push(&tts->spawns, k0);
  end_step(tts);
  add_touching(tts, b, bad, 0, 1, 1);
  add_touching(tts, k0, k1, 0, 0, 1);
  add_error(tts, bad, TTS_NONE);
}

/* Two threads of many set g to 2, before a third kind is started, which is then in the wrong place. One of
 * them alone, beside the thread that is looked at, is too few to see it. */
static void started_late(Tts *tts) {
  *tts = (Tts){0};
  add_group(tts, 3, 0), add_group(tts, 2, 0);
  uint32_t i0 = add_local(tts, 0, false), i1 = add_local(tts, 0, false);
  uint32_t j0 = add_local(tts, 1, false), j1 = add_local(tts, 1, false);
  uint32_t k0 = add_local(tts, 2, false);
  add_threads(tts, NET_OMEGA, i0);
  add_threads(tts, 1, j0);
  for (uint32_t value = 0; value < 2; value++) {
    begin_step(tts, i0, i1);
    vec_push(&tts->touches, (TtsTouch){0, value, value + 1});
    vec_push(&tts->touches, (TtsTouch){1, 0, 0});
    end_step(tts);
  }
  begin_step(tts, j0, j1);
  vec_push(&tts->touches, (TtsTouch){1, 0, 1});
  vec_push(&tts->spawns, k0);
  end_step(tts);
  add_error(tts, k0, TTS_NONE);
  vec_push(&tts->touches, (TtsTouch){0, 2, 0});
  vec_last(&tts->errors)->touch_count = 1;
}

/* It takes two threads of a kind to start one of another, which does wrong by itself. */
static void started_by_two(Tts *tts) {
  *tts = (Tts){0};
  add_group(tts, 2, 0);
  uint32_t j0 = add_local(tts, 0, false), j1 = add_local(tts, 0, false);
  uint32_t k0 = add_local(tts, 1, false), bad = add_local(tts, 1, false);
  add_threads(tts, NET_OMEGA, j0);
  add_touching(tts, j0, j1, 0, 0, 1);
  begin_step(tts, j0, j1);
  vec_push(&tts->touches, (TtsTouch){0, 1, 1});
  vec_push(&tts->spawns, k0);
  end_step(tts);
  add_step(tts, k0, bad);
  add_error(tts, bad, TTS_NONE);
}

static void started_threads(void **state) {
  (void)state;
  Tts tts;
  for (uint32_t exact = 0; exact < 2; exact++) {
    started_by_the_only_one(&tts);
    assert_int_equal(verdict_of(&tts, exact, NULL), NET_UNSAFE);
    started_by_the_only_one(&tts);
    tts.steps.data[0].spawn_count = 0;
    assert_int_equal(verdict_of(&tts, exact, NULL), NET_SAFE);
    started_late(&tts);
    assert_int_equal(verdict_of(&tts, exact, NULL), NET_UNSAFE);
    started_late(&tts);
    tts.threads.data[0].count = 1;
    assert_int_equal(verdict_of(&tts, exact, NULL), NET_SAFE);
    started_by_two(&tts);
    assert_int_equal(verdict_of(&tts, exact, NULL), NET_UNSAFE);
    started_by_two(&tts);
    tts.threads.data[0].count = 1;
    assert_int_equal(verdict_of(&tts, exact, NULL), NET_SAFE);
  }
}

/* ---- simulation, condition by condition ---- */

/* Two places of one kind: the first is where threads begin, one edge leads to the second. */
static void two_places(const Problem *p, Acfa *ret) {
  *ret = (Acfa){0};
  for (uint32_t i = 0; i < 2; i++) {
    AcfaLocation location = {.label = set_new(&p->space), .mark = TTS_NONE};
    set_add(location.label, i);
    vec_push(&ret->locations, location);
    vec_push(&ret->starts, i ? TTS_NONE : 0);
  }
  vec_push(&ret->edges, (AcfaEdge){0, 1, 1, 1});
  acfa_tidy(ret);
}

static void simulation(void **state) {
  (void)state;
  const ContextOptions options = {0};
  const Problem p = {.options = &options, .space = {.count = 2, .words = 1}};
  for (uint32_t change = 0; change < 9; change++) {
    for (uint32_t wider = 0; wider < 2; wider++) {
      Acfa a, g;
      two_places(&p, &a);
      two_places(&p, &g);
      Acfa *changed = wider ? &a : &g;
      AcfaLocation *end = &changed->locations.data[1];
      AcfaEdge *edge = &changed->edges.data[0];
      /* does the context still do all of it if it, or if the graph, is changed so? */
      bool in_context = true, in_graph = true;
      switch (change) {
      case 0: break;
      case 1: set_add(end->label, 0), in_graph = false; break;
      case 2: end->atomic = true, in_context = false; break;
      case 3: end->mark = 7, in_graph = false; break;
      case 4: edge->havoc = 3, in_graph = false; break;
      case 5: edge->spawns = 2, in_context = in_graph = false; break;
      case 6: edge->to = TTS_NONE, in_context = in_graph = false; break;
      case 7: end->kind = 1, in_context = in_graph = false; break;
      case 8: edge->havoc = edge->spawns = 0, in_context = in_graph = false; break;
      }
      assert_int_equal(acfa_simulates(&p, &a, &g), wider ? in_context : in_graph);
      acfa_free(&a);
      acfa_free(&g);
    }
  }
}

/* An edge that does nothing need not be there, if what is behind it can be where it comes from. */
static void staying(void **state) {
  (void)state;
  const ContextOptions options = {0};
  const Problem p = {.options = &options, .space = {.count = 2, .words = 1}};
  for (uint32_t wide = 0; wide < 2; wide++) {
    Acfa a, g;
    two_places(&p, &a);
    two_places(&p, &g);
    a.edges.len = 0;
    acfa_tidy(&a);
    g.edges.data[0].havoc = g.edges.data[0].spawns = 0;
    if (wide) set_add(a.locations.data[0].label, 1);
    assert_int_equal(acfa_simulates(&p, &a, &g), wide);
    acfa_free(&a);
    acfa_free(&g);
  }
}

/* What it cannot do it says. */
static void refusals(void **state) {
  (void)state;
  Tts tts;
  ContextAnswer answer;
  three_values(&tts, false);
  vec_push(&tts.shakes, (TtsShake){0, 0});
  tts.steps.data[0].shake_count = 1;
  context_infer(&tts, &(ContextOptions){0}, &answer);
  assert_int_equal(answer.verdict, NET_UNKNOWN);
  assert_non_null(answer.reason);
  context_answer_free(&answer);
  tts_free(&tts);
  three_values(&tts, false);
  for (uint32_t i = 0; i < 8; i++) add_group(&tts, 5, 0);
  context_infer(&tts, &(ContextOptions){0}, &answer);
  assert_int_equal(answer.verdict, NET_UNKNOWN);
  assert_string_equal(answer.reason, "there are too many shared states for a context");
  context_answer_free(&answer);
  tts.groups.len = 1;
  context_infer(&tts, &(ContextOptions){.most_states = 5}, &answer);
  assert_int_equal(answer.verdict, NET_UNKNOWN);
  context_answer_free(&answer);
  tts_free(&tts);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure),          cmocka_unit_test(story),
      cmocka_unit_test(started_threads), cmocka_unit_test(simulation),
      cmocka_unit_test(staying),         cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
