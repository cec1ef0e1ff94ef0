/* A program from its text, analysed, with the certificate of its lock sets: what tests of the checker begin with. */
#ifndef HEDDLE_TESTS_UNIT_CERTIFIED_H
#define HEDDLE_TESTS_UNIT_CERTIFIED_H

#include "analysis/flow.h"
#include "engine/lockset/certify.h"
#include "front/load.h"
#include "proof/proof.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct {
  Program program;
  PointsTo *pointsto;
  Flow *flow;
  Certificate certificate;
  Map accepted;
} Subject;

static inline void make(Subject *s, const char *source) {
  char path[] = "/tmp/heddle-proof-XXXXXX.c";
  int fd = mkstemps(path, 2);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, source, strlen(source)), (ssize_t)strlen(source));
  close(fd);
  const char *inputs[] = {path};
  FrontRequest request = {.inputs = inputs, .input_count = 1, .timeout = 60};
  Err err = {0};
  memset(s, 0, sizeof *s);
  bool loaded = front_load(&request, &s->program, &err);
  unlink(path);
  assert_true(loaded);
  s->pointsto = pointsto_new(&s->program, NULL);
  s->flow = flow_new(&s->program, s->pointsto, NULL);
  assert_true(s->flow->complete);
  lockset_certify(s->flow, &s->certificate);
}

static inline void unmake(Subject *s) {
  certificate_free(&s->certificate);
  flow_free(s->flow);
  pointsto_free(s->pointsto);
  program_free(&s->program);
}

#endif
