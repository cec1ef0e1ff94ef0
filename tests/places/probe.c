/* Asks the finder and the checker about each object of a program, independently of each other.
 *
 *     places_probe FILE.c…
 *
 * Prints, for every variable and every allocation site, `LINE FINDER CHECKER`: the line of its
 * declaration or allocation, and whether no pair of its accesses may race, as lock sets decide it (pair.h)
 * and as the checker does when it is asked for this object alone. A race anywhere else in the
 * program does not hide the answer, so that one program can hold many questions. */
#include "analysis/flow.h"
#include "engine/lockset/certify.h"
#include "analysis/pair.h"
#include "front/load.h"
#include "proof/proof.h"

#include <stdio.h>
#include <string.h>

static bool finder_says_safe(const Flow *flow, ObjectId object) {
  const PointsTo *pt = flow->pointsto;
  VEC(const FlowAccess *) all = {0};
  bool safe = true;
  for (uint32_t i = 0; i < flow->accesses.len; i++) {
    const FlowAccess *a = &flow->accesses.data[i];
    if (a->object == AOBJECT_UNKNOWN) safe = false;
    if (a->object != AOBJECT_UNKNOWN && pointsto_object(pt, a->object) == object)
      vec_push(&all, a);
  }
  for (uint32_t i = 0; i < all.len && safe; i++)
    for (uint32_t k = i; k < all.len && safe; k++)
      safe = pair_decide(flow, all.data[i], all.data[k]) != PAIR_RACES;
  vec_free(&all);
  return safe;
}

static bool checker_says_safe(const Flow *flow, const Certificate *certificate,
                              ObjectId object, bool verbose) {
  const Program *p = flow->program;
  uint8_t *open = mem_alloc(p->objects.len);
  memset(open, 1, p->objects.len);
  open[object] = 0;
  Map none = {0};
  ProofQuestion question = {.program = p,
                            .pointsto = flow->pointsto,
                            .certificate = certificate,
                            .accepted_edges = &none,
                            .open = open};
  Arena *arena = arena_new();
  ProofResult result;
  proof_check(&question, arena, &result);
  bool accepted = result.accepted;
  for (uint32_t i = 0; verbose && i < result.rejections.len; i++)
    fprintf(stderr, "%s: %s\n", sym_text(p, p->objects.data[object].name),
            result.rejections.data[i].what);
  proof_result_free(&result);
  arena_free(arena);
  mem_free(open);
  return accepted;
}

static void ask(const Program *p, const Flow *flow, bool verbose) {
  Certificate certificate;
  lockset_certify(flow, &certificate);
  for (ObjectId o = 1; o < p->objects.len; o++) {
    const Object *x = &p->objects.data[o];
    if (!x->loc || (x->kind != OBJECT_GLOBAL && x->kind != OBJECT_HEAP)) continue;
    printf("%u %s %s\n", p->locs.data[x->loc].line,
           finder_says_safe(flow, o) ? "safe" : "open",
           checker_says_safe(flow, &certificate, o, verbose) ? "safe" : "open");
  }
  certificate_free(&certificate);
}

int main(int argc, char **argv) {
  bool verbose = argc > 1 && !strcmp(argv[1], "-v");
  FrontRequest request = {.inputs = (const char *const *)argv + 1 + verbose,
                          .input_count = (uint32_t)(argc - 1 - verbose),
                          .timeout = 60};
  Program program;
  Err err = {0};
  if (!front_load(&request, &program, &err)) {
    fprintf(stderr, "places_probe: cannot load the program\n");
    return 3;
  }
  PointsTo *pt = pointsto_new(&program, NULL);
  Flow *flow = flow_new(&program, pt, NULL);
  if (flow->complete) ask(&program, flow, verbose);
  int rc = flow->complete ? 0 : 4;
  flow_free(flow);
  pointsto_free(pt);
  program_free(&program);
  return rc;
}
