/* Slices and their checker: what a slice must keep and may cut, and that a slice from which
 * anything was taken that it needs is refused. */
#include "analysis/slice.h"
#include "analysis/touch.h"
#include "front/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Lines are numbered from 1; `data` is what the question is about. */
static const char *const source =
    "#include <pthread.h>\n"                                           /* 1 */
    "#include <stdatomic.h>\n"                                         /* 2 */
    "#include <stdio.h>\n"                                             /* 3 */
    "atomic_int ready; int data, sum, noise[4];\n"                     /* 4 */
    "static unsigned hash(unsigned h) {\n"                             /* 5 */
    "  for (int i = 0; i < 1000; i++) h = h * 31 + i;\n"               /* 6 */
    "  return h;\n"                                                    /* 7 */
    "}\n"                                                              /* 8 */
    "static void *produce(void *p) {\n"                                /* 9 */
    "  unsigned h = hash(7);\n"                                        /* 10 */
    "  noise[h % 4] = 1;\n"                                            /* 11 */
    "  printf(\"%u\\n\", h);\n"                                        /* 12 */
    "  data = (int)h;\n"                                               /* 13 */
    "  int one = 1;\n"                                                 /* 14 */
    "  atomic_store(&ready, one);\n"                                   /* 15 */
    "  return p;\n"                                                    /* 16 */
    "}\n"                                                              /* 17 */
    "static int is_ready(void) { return atomic_load(&ready) != 0; }\n" /* 18 */
    "static void count(void), touch(void), loose(int n); static void *consume(void *p) {\n"
    "  while (!is_ready()) sum++;\n"                                            /* 20 */
    "  sum += data; count(); touch(); loose(p != 0);\n"                         /* 21 */
    "  return p;\n"                                                             /* 22 */
    "}\n"                                                                       /* 23 */
    "extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n" /* 24 */
    "static void count(void) {\n"                                               /* 25 */
    "  __VERIFIER_atomic_begin();\n"                                            /* 26 */
    "  noise[1]++;\n"                                                           /* 27 */
    "  __VERIFIER_atomic_end();\n"                                              /* 28 */
    "  for (int i = 0; i < 4; i++) noise[2] += noise[i];\n"                     /* 29 */
    "}\n"                                                                       /* 30 */
    "static void touch(void) {\n"                                               /* 31 */
    "  __VERIFIER_atomic_begin();\n"                                            /* 32 */
    "  data = 2;\n"                                                             /* 33 */
    "  __VERIFIER_atomic_end();\n"                                              /* 34 */
    "}\n"                                                                       /* 35 */
    "static void loose(int n) {\n"                                              /* 36 */
    "  if (n) __VERIFIER_atomic_begin();\n"                                     /* 37 */
    "  noise[3]++;\n"                                                           /* 38 */
    "  if (n) __VERIFIER_atomic_end();\n"                                       /* 39 */
    "}\n"                                                                       /* 40 */
    "int main(void) { pthread_t a, b;\n"
    "  pthread_create(&a, 0, produce, 0); pthread_create(&b, 0, consume, 0);\n"
    "  pthread_join(a, 0); pthread_join(b, 0); return sum; }\n";

typedef struct {
  Program program;
  PointsTo *pointsto;
  Sharing *sharing;
  uint8_t *visible;
  SliceQuestion question;
  Slice *slice;
} Subject;

static ObjectId object_called(const Program *p, const char *name) {
  for (ObjectId o = 1; o < p->objects.len; o++)
    if (!strcmp(sym_text(p, p->objects.data[o].name), name)) return o;
  fail_msg("no object %s", name);
  return 0;
}

typedef struct {
  uint32_t key;
  bool found;
} Search;

static void look_for(void *user, const Touch *t) {
  Search *search = user;
  search->found = search->found || t->key == search->key;
}

static int set_up(void **state) {
  Subject *s = calloc(1, sizeof *s);
  char path[] = "/tmp/heddle-slice-XXXXXX.c";
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
  s->visible = calloc(1, s->program.edges.len + 1);
  ObjectId data = object_called(&s->program, "data");
  for (EdgeId e = 1; e < s->program.edges.len; e++) {
    Search search = {data, false};
    touch_visit(&s->program, s->pointsto, e, look_for, &search);
    s->visible[e] = search.found;
  }
  s->question = (SliceQuestion){&s->program, s->pointsto, s->sharing, s->visible, NULL};
  s->slice = slice_new(&s->question);
  *state = s;
  return s->slice ? 0 : -1;
}

static int tear_down(void **state) {
  Subject *s = *state;
  slice_free(s->slice);
  sharing_free(s->sharing);
  pointsto_free(s->pointsto);
  program_free(&s->program);
  free(s->visible);
  free(s);
  return 0;
}

static bool accepts(const Subject *s) {
  Str why = {0};
  bool ok = slice_check(&s->question, s->slice, &why);
  str_free(&why);
  return ok;
}

/* How many edges of a line are kept, and how many there are. */
static void count_line(const Subject *s, uint32_t line, uint32_t *kept, uint32_t *all) {
  const Program *p = &s->program;
  *kept = *all = 0;
  for (EdgeId e = 1; e < p->edges.len; e++) {
    if (p->locs.data[program_edge(p, e)->loc].line != line) continue;
    ++*all;
    *kept += s->slice->edges[e];
  }
}

static void it_keeps_what_matters(void **state) {
  const Subject *s = *state;
  static const uint32_t whole[] = {15, 18, 32, 34};
  uint32_t kept, all;
  for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
    count_line(s, whole[i], &kept, &all);
    assert_true(all > 0);
    assert_int_equal(kept, all);
  }
  count_line(s, 13, &kept, &all); /* the store, though not what it stores */
  assert_true(kept > 0);
}

static void it_cuts_what_does_not(void **state) {
  const Subject *s = *state;
  static const uint32_t cut[] = {6, 10, 11, 12, 26, 27, 28, 29};
  for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
    uint32_t kept, all;
    count_line(s, cut[i], &kept, &all);
    assert_true(all > 0);
    assert_int_equal(kept, 0);
  }
}

/* Where it is not known which end belongs to which beginning, none of them may be cut. */
static void it_keeps_loose_sections(void **state) {
  Subject *s = *state;
  const Program *p = &s->program;
  uint32_t kept = 0;
  for (EdgeId e = 1; e < p->edges.len; e++) {
    uint32_t line = p->locs.data[program_edge(p, e)->loc].line;
    uint32_t op = program_edge(p, e)->op;
    if (line < 36 || (op != OP_ATOMIC_BEGIN && op != OP_ATOMIC_END)) continue;
    assert_true(s->slice->edges[e]);
    kept++;
  }
  assert_int_equal(kept, 2);
}

/* A section is cut as a whole, or not at all; and not around what others notice. */
static void half_a_section_is_refused(void **state) {
  Subject *s = *state;
  const Program *p = &s->program;
  for (EdgeId e = 1; e < p->edges.len; e++) {
    uint32_t line = p->locs.data[program_edge(p, e)->loc].line;
    uint32_t op = program_edge(p, e)->op;
    if ((line != 26 && line != 28) || (op != OP_ATOMIC_BEGIN && op != OP_ATOMIC_END))
      continue;
    s->slice->edges[e] = 1;
    assert_false(accepts(s));
    s->slice->edges[e] = 0;
  }
  for (int cut = 0; cut < 2; cut++) {
    for (EdgeId e = 1; e < p->edges.len; e++) {
      uint32_t line = p->locs.data[program_edge(p, e)->loc].line;
      uint32_t op = program_edge(p, e)->op;
      if ((line == 32 || line == 34) && (op == OP_ATOMIC_BEGIN || op == OP_ATOMIC_END))
        s->slice->edges[e] = (uint8_t)cut;
    }
    assert_int_equal(accepts(s), cut);
  }
}

static void it_is_accepted(void **state) {
  assert_true(accepts(*state));
}

/* A branch may be cut: it goes either way then. Everything else that is kept is needed. */
static void nothing_more_may_be_cut(void **state) {
  Subject *s = *state;
  const Program *p = &s->program;
  uint32_t tried = 0;
  for (EdgeId e = 1; e < p->edges.len; e++) {
    const Edge *edge = program_edge(p, e);
    if (!s->slice->edges[e] || !edge->to || edge->op == OP_ASSUME || edge->op == OP_NOP)
      continue;
    s->slice->edges[e] = 0;
    assert_false(accepts(s));
    s->slice->edges[e] = 1;
    tried++;
  }
  assert_true(tried > 10);
  assert_true(accepts(s));
}

static void no_value_may_be_forgotten(void **state) {
  Subject *s = *state;
  for (LocalId l = 1; l < s->program.locals.len; l++) {
    if (!s->slice->locals[l]) continue;
    s->slice->locals[l] = 0;
    assert_false(accepts(s));
    s->slice->locals[l] = 1;
  }
  ObjectId ready = object_called(&s->program, "ready");
  assert_true(s->slice->objects[ready]);
  s->slice->objects[ready] = 0;
  assert_false(accepts(s));
  s->slice->objects[ready] = 1;
}

static void the_view_does_nothing_where_it_was_cut(void **state) {
  const Subject *s = *state;
  Program view;
  slice_view(&s->program, s->slice, &view);
  assert_int_equal(view.edges.len, s->program.edges.len);
  for (EdgeId e = 1; e < view.edges.len; e++) {
    const Edge *was = program_edge(&s->program, e), *is = program_edge(&view, e);
    assert_int_equal(is->to, was->to);
    if (s->slice->edges[e] || !was->to)
      assert_int_equal(is->op, was->op);
    else
      assert_int_equal(is->op, OP_NOP);
  }
  slice_view_free(&view);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_keeps_what_matters),
      cmocka_unit_test(it_cuts_what_does_not),
      cmocka_unit_test(it_keeps_loose_sections),
      cmocka_unit_test(half_a_section_is_refused),
      cmocka_unit_test(it_is_accepted),
      cmocka_unit_test(nothing_more_may_be_cut),
      cmocka_unit_test(no_value_may_be_forgotten),
      cmocka_unit_test(the_view_does_nothing_where_it_was_cut),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
