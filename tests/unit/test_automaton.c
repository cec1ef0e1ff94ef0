/* Thread automata, their checker, and blocks: what they must contain, and that an automaton which lacks
 * anything is refused. That runs are paths is tested by tests/automata. */
#include "analysis/block.h"
#include "front/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Figure 1 of "Race checking by context inference" in C, with calls. Lines are numbered from 1. */
static const char *const source =
    "#include <pthread.h>\n"                                          /* 1 */
    "void __VERIFIER_atomic_begin(void);\n"                           /* 2 */
    "void __VERIFIER_atomic_end(void);\n"                             /* 3 */
    "int x, state; static int seen;\n"                                /* 4 */
    "typedef struct { int old, rounds; } Own;\n"                      /* 5 */
    "static void note(Own *own, int by) { own->rounds += by; }\n"     /* 6 */
    "static int take(Own *own) {\n"                                   /* 7 */
    "  __VERIFIER_atomic_begin();\n"                                  /* 8 */
    "  own->old = state;\n"                                           /* 9 */
    "  if (state == 0) state = 1;\n"                                  /* 10 */
    "  __VERIFIER_atomic_end();\n"                                    /* 11 */
    "  return own->old == 0;\n"                                       /* 12 */
    "}\n"                                                             /* 13 */
    "static unsigned fact(unsigned n) {\n"                            /* 14 */
    "  return n ? n * fact(n - 1) : 1;\n"                             /* 15 */
    "}\n"                                                             /* 16 */
    "static void *work(void *arg) {\n"                                /* 17 */
    "  Own own = {0, 0};\n"                                           /* 18 */
    "  for (;;) {\n"                                                  /* 19 */
    "    note(&own, 1); note(&own, 2);\n"                             /* 20 */
    "    if (take(&own)) { x++; state = 0; }\n"                       /* 21 */
    "    for (int i = 0; i < 9; i++) note(&own, i);\n"                /* 22 */
    "    if (own.rounds > 99) break;\n"                               /* 23 */
    "  }\n"                                                           /* 24 */
    "  seen = (int)fact(3);\n"                                        /* 25 */
    "  return arg;\n"                                                 /* 26 */
    "}\n"                                                             /* 27 */
    "int main(void) { pthread_t t;\n"                                 /* 28 */
    "  for (int i = 0; i < 3; i++) pthread_create(&t, 0, work, 0);\n" /* 29 */
    "  return 0; }\n";                                                /* 30 */

typedef struct {
  Program program;
  PointsTo *pointsto;
  Sharing *sharing;
  uint8_t *asked;
  AutomatonQuestion question;
  Automata *all;
  Automaton *work;
  Blocks *blocks;
} Subject;

static uint32_t line_of(const Program *p, EdgeId e) {
  return p->locs.data[program_edge(p, e)->loc].line;
}

static int set_up(void **state) {
  Subject *s = calloc(1, sizeof *s);
  char path[] = "/tmp/heddle-automaton-XXXXXX.c";
  int fd = mkstemps(path, 2);
  if (fd < 0 || write(fd, source, strlen(source)) != (ssize_t)strlen(source)) return -1;
  close(fd);
  const char *inputs[] = {path};
  FrontRequest request = {.inputs = inputs, .input_count = 1, .timeout = 60};
  Err err = {0};
  bool loaded = front_load(&request, &s->program, &err);
  unlink(path);
  if (!loaded) return -1;
  s->pointsto = pointsto_new(&s->program, NULL);
  s->sharing = sharing_new(&s->program, s->pointsto);
  s->asked = calloc(1, s->program.edges.len + 1);
  for (EdgeId e = 1; e < s->program.edges.len; e++) {
    uint8_t op = program_edge(&s->program, e)->op;
    if (line_of(&s->program, e) == 21 && (op == OP_LOAD || op == OP_STORE))
      s->asked[e] = 7;
  }
  s->question =
      (AutomatonQuestion){&s->program, s->pointsto, s->sharing, s->asked, 0, NULL};
  s->all = automata_new(&s->question);
  assert_int_equal(s->all->kinds.len, 2);
  s->work = &s->all->kinds.data[1];
  assert_null(s->work->refused);
  s->blocks = blocks_new(s->all, s->work);
  *state = s;
  return 0;
}

static int tear_down(void **state) {
  Subject *s = *state;
  blocks_free(s->blocks);
  automata_free(s->all);
  sharing_free(s->sharing);
  pointsto_free(s->pointsto);
  program_free(&s->program);
  free(s->asked);
  free(s);
  return 0;
}

static bool accepts(const Subject *s) {
  Str why = {0};
  bool ok = automaton_check(s->all, s->work, &why);
  str_free(&why);
  return ok;
}

static uint32_t find_step(const Subject *s, uint32_t line, AutoStepKind kind,
                          uint8_t op) {
  for (uint32_t i = 1; i < s->work->steps.len; i++) {
    const AutoStep *step = &s->work->steps.data[i];
    if (step->kind == kind && line_of(&s->program, step->edge) == line &&
        program_edge(&s->program, step->edge)->op == op)
      return i;
  }
  fail_msg("no step of kind %d in line %u", (int)kind, line);
  return 0;
}

/* ---- automata ---- */

static void test_kinds(void **state) {
  Subject *s = *state;
  const Automaton *main = &s->all->kinds.data[0];
  assert_int_equal(main->entry, s->program.main);
  assert_int_equal(main->site, 0);
  assert_false(main->many);
  assert_true(s->work->many);
  assert_true(s->work->site != 0);
  assert_true(automata_are_complete(s->all));
  assert_ptr_equal(automata_find(s->all, s->work->entry), s->work);
  assert_true(accepts(s));
}

/* The three calls of note are three activations with locals of their own. */
static void test_activations(void **state) {
  Subject *s = *state;
  FuncId note = program_find_function(&s->program, "note");
  LocalId by = s->program.functions.data[note].first_local + 1;
  uint32_t variables[8] = {0}, count = 0;
  for (uint32_t f = 1; f < s->work->frames.len; f++)
    if (s->work->frames.data[f].function == note)
      variables[count++] = automaton_variable(s->all, s->work, f, by);
  assert_int_equal(count, 3);
  assert_true(variables[0] != variables[1] && variables[1] != variables[2]);
  for (uint32_t i = 0; i < count; i++)
    assert_int_equal(s->work->variables.data[variables[i]].local, by);
}

static void test_parameters_and_results(void **state) {
  Subject *s = *state;
  const AutoStep *enter = &s->work->steps.data[find_step(s, 20, STEP_ENTER, OP_CALL)];
  assert_int_equal(enter->set_count, 2);
  for (uint32_t i = 0; i < 2; i++) {
    const AutoSet *set = &s->work->sets.data[enter->first_set + i];
    assert_int_equal(set->kind, SET_EXPR);
    assert_int_equal(set->frame, enter->frame);
  }
  const AutoStep *leave = &s->work->steps.data[find_step(s, 12, STEP_LEAVE, OP_RETURN)];
  assert_int_equal(leave->set_count, 1);
  assert_int_equal(s->work->sets.data[leave->first_set].frame, leave->frame);
  assert_true(s->work->locations.data[leave->to].frame != leave->frame);
}

/* own.old and own.rounds are variables; all accesses to them are assignments, also by others. */
static void test_private_memory(void **state) {
  Subject *s = *state;
  uint32_t parts = 0;
  for (uint32_t i = 1; i < s->work->variables.len; i++) {
    const AutoVariable *v = &s->work->variables.data[i];
    if (!v->object) continue;
    parts++;
    assert_int_equal(v->bits, 32);
    assert_string_equal(sym_text(&s->program, s->program.objects.data[v->object].name),
                        "own");
  }
  assert_int_equal(parts, 2);
  find_step(s, 6, STEP_SET, OP_LOAD);
  find_step(s, 6, STEP_SET, OP_STORE);
  find_step(s, 9, STEP_EDGE, OP_LOAD); /* state */
}

static void test_sections(void **state) {
  Subject *s = *state;
  uint32_t begin = find_step(s, 8, STEP_EDGE, OP_ATOMIC_BEGIN);
  uint32_t end = find_step(s, 11, STEP_EDGE, OP_ATOMIC_END);
  const AutoLocation *at = s->work->locations.data;
  assert_int_equal(at[s->work->steps.data[begin].from].depth, 0);
  assert_int_equal(at[s->work->steps.data[begin].to].depth, 1);
  assert_int_equal(at[s->work->steps.data[end].from].depth, 1);
  assert_int_equal(at[s->work->steps.data[end].to].depth, 0);
}

/* The recursive call is stepped over: its result is any value. */
static void test_recursion(void **state) {
  Subject *s = *state;
  const AutoStep *over = &s->work->steps.data[find_step(s, 15, STEP_OVER, OP_CALL)];
  assert_int_equal(over->callee, program_find_function(&s->program, "fact"));
  assert_int_equal(s->work->sets.data[over->first_set].kind, SET_ANY);
  assert_false(over->visible);
}

static void test_limit(void **state) {
  Subject *s = *state;
  AutomatonQuestion few = s->question;
  few.most_locations = 5;
  Automata *all = automata_new(&few);
  assert_string_equal(all->kinds.data[1].refused, "more than 5 locations");
  assert_false(automata_are_complete(all));
  automata_free(all);
}

static void test_asked(void **state) {
  Subject *s = *state;
  const AutoStep *load = &s->work->steps.data[find_step(s, 21, STEP_EDGE, OP_LOAD)];
  assert_int_equal(load->asked, 7);
  assert_true(load->visible);
  assert_string_equal(sym_text(&s->program, s->program.objects.data[load->object].name),
                      "x");
}

/* ---- the checker ---- */

/* Whatever step is bent to lead elsewhere, or is not there, is missed. */
static void test_missing_steps(void **state) {
  Subject *s = *state;
  for (uint32_t i = 1; i < s->work->steps.len; i++) {
    AutoStep *step = &s->work->steps.data[i], kept = *step;
    step->edge = 0;
    assert_false(accepts(s));
    *step = kept;
    if (step->kind == STEP_END) continue;
    step->to = step->to == 1 ? 2 : 1;
    assert_false(accepts(s));
    *step = kept;
  }
  assert_true(accepts(s));
}

static void test_unmarked_steps(void **state) {
  Subject *s = *state;
  uint32_t visible = 0;
  for (uint32_t i = 1; i < s->work->steps.len; i++) {
    AutoStep *step = &s->work->steps.data[i];
    if (!step->visible || step->kind == STEP_LEAVE) continue;
    step->visible = false;
    assert_false(accepts(s));
    step->visible = true;
    visible++;
  }
  assert_true(visible > 8);
}

static void test_wrong_depth(void **state) {
  Subject *s = *state;
  for (uint32_t i = 1; i < s->work->locations.len; i++) {
    s->work->locations.data[i].depth++;
    assert_false(accepts(s));
    s->work->locations.data[i].depth--;
  }
}

/* An access that is still one touches what became variables; a variable that is another's. */
static void test_wrong_memory(void **state) {
  Subject *s = *state;
  AutoStep *set = &s->work->steps.data[find_step(s, 6, STEP_SET, OP_STORE)];
  set->kind = STEP_EDGE;
  assert_false(accepts(s));
  set->kind = STEP_SET;
  for (uint32_t i = 1; i < s->work->variables.len; i++) {
    AutoVariable *v = &s->work->variables.data[i];
    if (!v->object) continue;
    v->bits = 64;
    assert_false(accepts(s));
    v->bits = 32;
    v->frame++;
    assert_false(accepts(s));
    v->frame--;
  }
  assert_true(accepts(s));
}

/* What is stepped over must be harmless: take writes `state`. */
static void test_wrong_step_over(void **state) {
  Subject *s = *state;
  AutoStep *enter = NULL;
  for (uint32_t i = 1; i < s->work->steps.len; i++)
    if (s->work->steps.data[i].kind == STEP_ENTER &&
        s->work->steps.data[i].callee == program_find_function(&s->program, "take"))
      enter = &s->work->steps.data[i];
  assert_non_null(enter);
  AutoStep kept = *enter;
  const Edge *call = program_edge(&s->program, enter->edge);
  for (uint32_t i = 1; i < s->work->locations.len; i++)
    if (s->work->locations.data[i].node == call->to) enter->to = i;
  enter->kind = STEP_OVER;
  assert_false(accepts(s));
  *enter = kept;
}

/* ---- blocks ---- */

static void test_cuts(void **state) {
  Subject *s = *state;
  uint32_t loops = 0;
  for (uint32_t i = 1; i < s->work->locations.len; i++) {
    const AutoLocation *at = &s->work->locations.data[i];
    for (uint32_t k = 0; k < at->step_count; k++)
      if (s->work->steps.data[at->first_step + k].visible && !at->depth)
        assert_int_equal(s->blocks->cuts[i], CUT_VISIBLE);
    if (at->depth) assert_int_equal(s->blocks->cuts[i], CUT_NONE);
    loops += s->blocks->cuts[i] == CUT_LOOP;
  }
  assert_int_equal(loops, 1); /* line 22; the outer loop passes the section */
  assert_true(s->blocks->cuts[s->work->start]);
}

/* A step follows one that leads to where it begins; every step is in some block. */
static void test_topological(void **state) {
  Subject *s = *state;
  uint8_t *come_to = calloc(1, s->work->locations.len + 1);
  uint8_t *covered = calloc(1, s->work->steps.len + 1);
  for (uint32_t i = 0; i < s->blocks->blocks.len; i++) {
    const Block *b = &s->blocks->blocks.data[i];
    memset(come_to, 0, s->work->locations.len + 1);
    come_to[b->entry] = 1;
    for (uint32_t k = 0; k < b->step_count; k++) {
      uint32_t number = s->blocks->steps.data[b->first_step + k];
      const AutoStep *step = &s->work->steps.data[number];
      assert_true(come_to[step->from]);
      assert_true(k == 0 || step->from == b->entry || !s->blocks->cuts[step->from]);
      come_to[step->to] = 1;
      covered[number] = 1;
    }
    assert_true(come_to[b->exit]);
  }
  for (uint32_t i = 1; i < s->work->steps.len; i++) assert_true(covered[i]);
  free(come_to);
  free(covered);
}

/* The section is in the blocks that begin with it, which read and write `state`. */
static void test_section_is_one_block(void **state) {
  Subject *s = *state;
  uint32_t entry = s->work->steps.data[find_step(s, 8, STEP_EDGE, OP_ATOMIC_BEGIN)].from;
  uint32_t first, n = blocks_from(s->blocks, entry, &first);
  assert_true(n > 0);
  for (uint32_t i = 0; i < n; i++) {
    const Block *b = &s->blocks->blocks.data[first + i];
    assert_false(b->atomic);
    assert_int_equal(b->cell_read_count, 1);
    assert_int_equal(b->cell_written_count, 1);
    const Cell *cell = &s->blocks->cells.data[b->first_cell_written];
    assert_string_equal(sym_text(&s->program, s->program.objects.data[cell->key].name),
                        "state");
    assert_int_equal(cell->size, 4);
    assert_true(b->written_count > 0 && b->read_count > 0);
  }
}

static void test_end(void **state) {
  Subject *s = *state;
  uint32_t ends = 0;
  for (uint32_t i = 0; i < s->blocks->blocks.len; i++) {
    ends += s->blocks->blocks.data[i].ends;
    assert_int_equal(s->blocks->blocks.data[i].ends, s->blocks->blocks.data[i].exit == 0);
  }
  assert_int_equal(ends, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kinds),
      cmocka_unit_test(test_activations),
      cmocka_unit_test(test_parameters_and_results),
      cmocka_unit_test(test_private_memory),
      cmocka_unit_test(test_sections),
      cmocka_unit_test(test_recursion),
      cmocka_unit_test(test_limit),
      cmocka_unit_test(test_asked),
      cmocka_unit_test(test_missing_steps),
      cmocka_unit_test(test_unmarked_steps),
      cmocka_unit_test(test_wrong_depth),
      cmocka_unit_test(test_wrong_memory),
      cmocka_unit_test(test_wrong_step_over),
      cmocka_unit_test(test_cuts),
      cmocka_unit_test(test_topological),
      cmocka_unit_test(test_section_is_one_block),
      cmocka_unit_test(test_end),
  };
  return cmocka_run_group_tests_name("automaton", tests, set_up, tear_down);
}
