/* Does what was found with k threads in the context hold for any number?
 *
 * The graph of what a thread does there is taken with its quotient as the context. What any number
 * of threads of that context do, with counters up to k, is searched. Then this is looked at:
 *
 * 1. No error is there. (The printed check does not look again; but an error may need more threads
 *    than were there before.)
 * 2. A location's label is closed under what others do while a thread is there: edges that move beside
 *    its class, from shared states that it and the edge's start have in common.
 * 3. It is closed under what the thread itself does: each step from each shared state of the label is
 *    an edge, and leads into the label of its end. (Some of these states were not gone on from.)
 * 4. Threads begin in shared states of the label where they begin.
 *
 * Then by induction over steps every execution is one of the context: a thread's location follows
 * the graph, its label holds, and the class of it is counted in a state of the search. */
#include "engine/circ/context_internal.h"

typedef struct {
  Problem *p;
  const Acfa *graph;
  Acfa context;
  uint32_t *class; /* per location of the graph */
  Reach reach;
} Omega;

/* 2, for one location and one edge. */
static bool is_kept(Omega *o, const AcfaLocation *g, const AcfaEdge *e) {
  const AcfaLocation *from = &o->context.locations.data[e->from];
  Numbers after = {0};
  bool kept = true;
  for (uint32_t s = 0; s < o->p->space.count && kept; s++) {
    if (!set_has(g->label, s) || !set_has(from->label, s)) continue;
    space_havoc(&o->p->space, s, e->havoc, &after);
    for (uint32_t i = 0; i < after.len && kept; i++) {
      uint32_t t = after.data[i];
      bool possible =
          e->to == TTS_NONE || set_has(o->context.locations.data[e->to].label, t);
      kept = !possible || set_has(g->label, t);
    }
  }
  vec_free(&after);
  return kept;
}

static bool is_closed_under_others(Omega *o) {
  uint32_t width = o->context.locations.len;
  for (uint32_t i = 0; i < o->graph->locations.len; i++) {
    const AcfaLocation *g = &o->graph->locations.data[i];
    for (uint32_t k = 0; k < o->context.edges.len && !g->atomic; k++)
      if (o->reach.beside[k * width + o->class[i]] &&
          !is_kept(o, g, &o->context.edges.data[k]))
        return false;
  }
  return true;
}

/* 3, for one step. */
static bool is_edge(const Omega *o, uint32_t from, uint32_t step, uint32_t after) {
  const Problem *p = o->p;
  const TtsStep *t = &p->tts->steps.data[step];
  const uint32_t *first = o->graph->first_edge.data;
  for (uint32_t i = first[from]; i < first[from + 1]; i++) {
    const AcfaEdge *e = &o->graph->edges.data[i];
    if (e->spawns != p->step_spawns[step] || p->step_writes[step] & ~e->havoc) continue;
    if (e->to == TTS_NONE || t->to == TTS_NONE) {
      if (e->to == t->to) return true;
      continue;
    }
    const AcfaLocation *to = &o->graph->locations.data[e->to];
    if (o->graph->locals.data[to->first_local] == t->to && set_has(to->label, after))
      return true;
  }
  /* a step that changes nothing, to where it came from, is no edge */
  return t->from == t->to && !p->step_writes[step] && !p->step_spawns[step];
}

static bool is_closed_under_steps(const Omega *o) {
  const Problem *p = o->p;
  for (uint32_t i = 0; i < o->graph->locations.len; i++) {
    const AcfaLocation *g = &o->graph->locations.data[i];
    uint32_t len;
    const uint32_t *steps =
        numbers_row(&p->steps_of, o->graph->locals.data[g->first_local], &len);
    for (uint32_t s = 0; s < p->space.count; s++)
      for (uint32_t k = 0; k < len && set_has(g->label, s); k++) {
        const TtsStep *t = &p->tts->steps.data[steps[k]];
        if (problem_agrees(p, s, t->first_touch, t->touch_count) &&
            !is_edge(o, i, steps[k], problem_after(p, s, t)))
          return false;
      }
  }
  return true;
}

/* 4, of those that are there from the beginning; the search looked at the others. */
static bool begins_well(const Omega *o) {
  const Tts *tts = o->p->tts;
  for (uint32_t i = 0; i < tts->threads.len; i++) {
    const TtsThreads *t = &tts->threads.data[i];
    for (uint32_t k = 0; k < t->initial_count && t->count; k++) {
      uint32_t start = o->context.starts.data[tts->initials.data[t->first_initial + k]];
      for (uint32_t n = 0; n < o->reach.initial.len; n++)
        if (!set_has(o->context.locations.data[start].label, o->reach.initial.data[n]))
          return false;
    }
  }
  return !o->reach.broken;
}

/* A thread that begins where none was ever seen to begin has no location in the graph. */
static bool knows_starts(const Omega *o) {
  const Problem *p = o->p;
  for (uint32_t i = 0; i < o->context.edges.len; i++) {
    uint32_t len;
    const uint32_t *spawns =
        numbers_row(&p->spawns, o->context.edges.data[i].spawns, &len);
    for (uint32_t k = 0; k < len; k++)
      if (o->graph->starts.data[spawns[k]] == TTS_NONE) return false;
  }
  return true;
}

bool omega_holds(Problem *p, const Acfa *graph, uint32_t k) {
  Omega o = {.p = p, .graph = graph};
  acfa_collapse(p, graph, &o.context, &o.class);
  o.reach = (Reach){.p = p, .a = &o.context, .k = k, .nobody = true};
  size_t pairs = (size_t)o.context.edges.len * o.context.locations.len;
  o.reach.beside = mem_alloc_zero(pairs + 1);
  bool holds = knows_starts(&o) && reach_run(&o.reach) == REACH_ENDED &&
               begins_well(&o) && is_closed_under_steps(&o) && is_closed_under_others(&o);
  mem_free(o.reach.beside);
  reach_free(&o.reach);
  acfa_free(&o.context);
  mem_free(o.class);
  return holds;
}
