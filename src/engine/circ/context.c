/* The loop of context inference: see context.h.
 *
 * For one k: the context does nothing; what a thread does beside it becomes the next context, and
 * so on until the context does all of it. If an error shows on the way, it is real, or k is too
 * small, or the context is too coarse. Then it begins again with the next k, or with steps in parts
 * (context_split.c), and with the next k when there are no more parts: better counters make better
 * contexts. */
#include "engine/circ/context_internal.h"

enum { MOST_ROUNDS = 500 };

void context_answer_free(ContextAnswer *answer) {
  mem_free(answer->reason);
  tts_run_free(&answer->run);
  acfa_free(&answer->acfa);
  vec_free(&answer->space.groups);
  vec_free(&answer->space.sizes);
  vec_free(&answer->space.strides);
}

static void unknown(ContextAnswer *answer, const char *reason) {
  answer->verdict = NET_UNKNOWN;
  mem_free(answer->reason);
  answer->reason = str_dup(reason);
}

/* The context is taken over. */
static void take_context(const Problem *p, Acfa *context, ContextAnswer *answer) {
  answer->verdict = NET_SAFE;
  answer->acfa = *context;
  *context = (Acfa){0};
  for (uint32_t i = 0; i < p->spawns.items.len; i++)
    vec_push(&answer->acfa.spawns.items, p->spawns.items.data[i]);
  for (uint32_t i = 0; i < p->spawns.ends.len; i++)
    vec_push(&answer->acfa.spawns.ends, p->spawns.ends.data[i]);
}

static void take_run(const Problem *p, ContextAnswer *answer) {
  Str why = {0};
  answer->verdict = NET_UNSAFE;
  if (!tts_run_check(p->original, &answer->run, &why)) {
    char *reason = str_printf("the run found does not hold: %s", str_text(&why));
    unknown(answer, reason);
    mem_free(reason);
  }
  str_free(&why);
}

/* What comes of one round. */
typedef enum { ROUND_AGAIN, ROUND_NEXT_K, ROUND_MORE_DETAIL, ROUND_DONE } Round;

static Round judge_error(Problem *p, const Reach *r, ContextAnswer *answer) {
  switch (real_run(p, r, &answer->run)) {
  case REAL_RUN: take_run(p, answer); return ROUND_DONE;
  case REAL_COUNTERS:
    unknown(answer, "the counters of the context are too coarse");
    return ROUND_NEXT_K;
  case REAL_COARSE:
    unknown(answer, "the context is too coarse");
    return ROUND_MORE_DETAIL;
  case REAL_STOPPED: unknown(answer, p->stopped); return ROUND_DONE;
  }
  return ROUND_DONE;
}

/* With few threads in the context: if it cannot be seen to hold for any number, the loop goes on with
 * any number, from the context that was found. (The text begins again with one thread more, which
 * need not end.) */
static Round judge_graph(Problem *p, Acfa *context, const Acfa *graph, uint32_t k,
                         ContextAnswer *answer) {
  Acfa next;
  bool simulated = acfa_simulates(p, context, graph);
  if (simulated && !p->few) {
    take_context(p, context, answer);
    return ROUND_DONE;
  }
  acfa_collapse(p, graph, &next, NULL);
  acfa_free(context);
  *context = next;
  if (!simulated) return ROUND_AGAIN;
  if (omega_holds(p, graph, k)) {
    take_context(p, context, answer);
    return ROUND_DONE;
  }
  p->few = false;
  p->stopped = NULL;
  return ROUND_AGAIN;
}

static void settle(ContextAnswer *answer) {
  if (answer->verdict == NET_UNKNOWN) return;
  mem_free(answer->reason);
  answer->reason = NULL;
}

static Round one_round(Problem *p, Acfa *context, uint32_t k, ContextAnswer *answer) {
  Reach r = {.p = p, .a = context, .k = k, .graph = graph_new(p)};
  Round round = ROUND_DONE;
  switch (reach_run(&r)) {
  case REACH_STOPPED: unknown(answer, p->stopped); break;
  case REACH_ERROR: round = judge_error(p, &r, answer); break;
  case REACH_ENDED: {
    Acfa graph;
    graph_finish(r.graph, &graph);
    round = judge_graph(p, context, &graph, k, answer);
    acfa_free(&graph);
    break;
  }
  }
  graph_free(r.graph);
  reach_free(&r);
  answer->rounds++;
  return round;
}

static Round with_k(Problem *p, uint32_t k, ContextAnswer *answer) {
  Acfa context;
  Round round = ROUND_AGAIN;
  acfa_idle(p, &context);
  answer->k = k;
  for (uint32_t i = 0; i < MOST_ROUNDS && round == ROUND_AGAIN; i++)
    round = one_round(p, &context, k, answer);
  if (round == ROUND_AGAIN) {
    unknown(answer, "the context does not become stable");
    round = ROUND_DONE;
  }
  acfa_free(&context);
  return round;
}

/* One k with one detail. */
static Round try(const Tts *tts, const ContextOptions *options, uint32_t k,
                 ContextDetail detail, ContextAnswer *answer) {
  Problem p;
  const char *reason;
  Round round = ROUND_DONE;
  if (problem_new(tts, options, detail, &p, &reason)) {
    round = with_k(&p, k, answer);
    answer->states += p.states;
    answer->detail = detail;
    if (answer->verdict == NET_SAFE) {
      answer->space = p.space;
      p.space = (ContextSpace){0};
    }
  } else {
    unknown(answer, reason);
  }
  problem_free(&p);
  return round;
}

void context_infer(const Tts *tts, const ContextOptions *options, ContextAnswer *ret) {
  assert(tts_is_valid(tts, NULL));
  *ret = (ContextAnswer){.locals = tts->locals.len};
  uint32_t most = options->most_k ? options->most_k : 3;
  if (most > CONTEXT_MOST_K) most = CONTEXT_MOST_K;
  uint32_t k = options->from_zero && !options->exact_start ? 0 : 1;
  ContextDetail detail = DETAIL_NONE;
  Round round = ROUND_AGAIN;
  while (k <= most && round != ROUND_DONE) {
    round = try(tts, options, k, detail, ret);
    if (round == ROUND_MORE_DETAIL && detail < DETAIL_RESULTS)
      detail++;
    else
      k++;
  }
  settle(ret);
}
