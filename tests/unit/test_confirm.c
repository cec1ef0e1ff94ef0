/* The happens-before detector that confirms races (predict/confirm.h), on schedules that
 * are written out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "predict/confirm.h"

#include <string.h>

/* main holds after `first` steps, main.1 after `second`; the rest are steps. */
static Confirmation ask(unsigned first, unsigned second, const char *steps,
                        void (*change)(Control *)) {
  Schedule s;
  Err err = {0};
  Str text = {0};
  str_addf(&text,
           "heddle schedule 1\nproperty race\nthread main\nthread main.1\nthread main.2\n"
           "hold main %u 0x1000 0x2000 4 write\nhold main.1 %u 0x1010 0x2000 4 read\n%s",
           first, second, steps);
  schedule_init(&s);
  assert_true(schedule_read(&s, "test", str_text(&text), text.len, &err));
  Control *c = mem_alloc_zero(sizeof *c);
  c->outcome = CONTROL_RACE;
  c->at = s.steps.len;
  c->places[0] = (ControlPlace){.thread = 0, .object = 0x2000, .size = 4, .write = 1};
  c->places[1] = (ControlPlace){.thread = 1, .object = 0x2000, .size = 4};
  if (change) change(c);
  Confirmation found = confirm_race(&s, c);
  mem_free(c);
  schedule_free(&s);
  str_free(&text);
  return found;
}

static void test_confirmed(void **state) {
  (void)state;
  Confirmation c = ask(1, 3,
                       "step main create main.1\nstep main.1 start\n"
                       "step main.1 lock 0x3000\nstep main.1 unlock 0x3000\n",
                       NULL);
  assert_null(c.refuted);
  assert_int_equal(c.link[0].acquire, NO_STEP);
  assert_int_equal(c.link[1].acquire, 0);
  assert_int_equal(c.link[1].release, 0);
}

/* main went past its place and synchronised: then its access came first. */
static void test_ordered(void **state) {
  (void)state;
  static const char *const links[][2] = {
      {"unlock 0x3000", "lock 0x3000"},
      {"unlock 0x3000", "woken 0x3100 0x3000"},
      {"wait 0x3100 0x3000", "lock 0x3000"},
      {"signal 0x3100", "woken 0x3100 0x3000"},
      {"sem-post 0x3000", "sem-wait 0x3000"},
      {"barrier-enter 0x3000", "barrier-exit 0x3000"},
      {"once-end 0x3000", "once-seen 0x3000"},
      {"atomic-store 0x3000", "atomic-load 0x3000"},
      {"atomic-rmw 0x3000", "atomic-rmw 0x3000"},
      {"happens-before 0x3000", "happens-after 0x3000"},
  };
  for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
    Str text = {0};
    str_addf(&text,
             "step main create main.1\nstep main.1 start\nstep main %s\nstep main.1 %s\n",
             links[i][0], links[i][1]);
    Confirmation c = ask(1, 2, str_text(&text), NULL);
    assert_non_null(c.refuted);
    assert_non_null(strstr(c.refuted, "happens before"));
    assert_int_equal(c.link[1].release, 2);
    assert_int_equal(c.link[1].acquire, 3);
    str_free(&text);
  }
}

/* The same by way of a third thread, and by join. */
static void test_transitive(void **state) {
  (void)state;
  Confirmation c = ask(1, 2,
                       "step main create main.1\nstep main.1 start\n"
                       "step main sem-post 0x3000\nstep main.2 sem-wait 0x3000\n"
                       "step main.2 end\nstep main.1 join main.2\n",
                       NULL);
  assert_non_null(c.refuted);
  assert_int_equal(c.link[1].release, 2);
  assert_int_equal(c.link[1].acquire, 5);
}

/* Readers do not order each other, writers do. */
static void test_readers(void **state) {
  (void)state;
  const char *text = "step main create main.1\nstep main.1 start\n"
                     "step main read-lock 0x3000\nstep main unlock 0x3000\n"
                     "step main.1 %s 0x3000\n";
  for (int i = 0; i < 2; i++) {
    Str steps = {0};
    str_addf(&steps, text, i ? "lock" : "read-lock");
    Confirmation c = ask(3, 2, str_text(&steps), NULL);
    assert_int_equal(c.link[1].acquire, i ? 4 : 0);
    assert_null(c.refuted);
    str_free(&steps);
  }
}

static void read_only(Control *c) {
  c->places[0].write = 0;
}
static void both_atomic(Control *c) {
  c->places[0].atomic = c->places[1].atomic = 1;
}
static void neighbours(Control *c) {
  c->places[1].object = 0x2004;
}
static void others(Control *c) {
  c->places[1].thread = 2;
}
static void too_early(Control *c) {
  c->at = 1;
}

static void test_no_conflict(void **state) {
  (void)state;
  void (*const changes[])(Control *) = {read_only, both_atomic, neighbours, others,
                                        too_early};
  const char *steps = "step main create main.1\nstep main.1 start\n";
  assert_null(ask(1, 1, steps, NULL).refuted);
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
    assert_non_null(ask(1, 1, steps, changes[i]).refuted);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_confirmed),   cmocka_unit_test(test_ordered),
      cmocka_unit_test(test_transitive),  cmocka_unit_test(test_readers),
      cmocka_unit_test(test_no_conflict),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
