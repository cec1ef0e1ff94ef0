/* every_pair FILE.c: hunts for races between all edges of a program, asked for or not.
 *
 * The hunt is directed by what the static engines cannot exclude, so programs that they
 * prove never meet it. Here they do: whatever it says of a program without races is wrong.
 * Prints one line for each race, with its two lines of the source. Ends with 0. */
#include "base/mem.h"
#include "engine/hunt/hunt.h"
#include "front/load.h"

#include <stdio.h>
#include <stdlib.h>

static unsigned line_of(const Program *p, EdgeId edge) {
  return p->locs.data[program_edge(p, edge)->loc].line;
}

static bool may_touch(const Edge *e) {
  return (e->op >= OP_LOAD && e->op <= OP_FILL && e->op != OP_FENCE) ||
         e->op == OP_CALL || e->op == OP_CREATE || e->op == OP_JOIN || e->op == OP_LOCK ||
         e->op == OP_LOCK_INIT || e->op == OP_LOCK_DESTROY || e->op == OP_SEM_VALUE ||
         e->op == OP_BARRIER_INIT || e->op == OP_BARRIER_WAIT ||
         e->op == OP_BARRIER_DESTROY;
}

int main(int argc, char **argv) {
  if (argc < 2) return 3;
  const char *inputs[] = {argv[1]};
  FrontRequest load = {.inputs = inputs, .input_count = 1, .jobs = 1};
  Program program = {0};
  Err err = {0};
  if (!front_load(&load, &program, &err)) {
    fprintf(stderr, "%s cannot be loaded\n", argv[1]);
    return 3;
  }
  VEC(EdgeId) edges = {0};
  VEC(HuntPair) pairs = {0};
  for (EdgeId e = 1; e < program.edges.len; e++)
    if (may_touch(program_edge(&program, e))) vec_push(&edges, e);
  for (uint32_t i = 0; i < edges.len; i++)
    for (uint32_t k = i; k < edges.len && pairs.len < 2000000; k++)
      vec_push(&pairs, ((HuntPair){edges.data[i], edges.data[k]}));
  HuntRequest request = {.program = &program,
                         .pairs = pairs.data,
                         .pair_count = pairs.len,
                         .races = true,
                         .seconds = argc > 2 ? atof(argv[2]) : 2};
  WitnessVec witnesses = {0};
  hunt(&request, &witnesses);
  for (uint32_t i = 0; i < witnesses.len; i++) {
    const Witness *w = &witnesses.data[i];
    printf("%s %u %u\n", w->unordered ? "unordered" : "next",
           line_of(&program, w->edges[0]), line_of(&program, w->edges[1]));
    witness_free(&witnesses.data[i]);
  }
  vec_free(&witnesses);
  vec_free(&pairs);
  vec_free(&edges);
  program_free(&program);
  return 0;
}
