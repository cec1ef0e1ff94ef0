/* automata_walk: is every run of a thread a path of its automaton?
 *
 *   automata_walk [-s SEED] [-r RUNS] [-n STEPS] [-v VIEWS] [-x STEP] INPUT...
 *
 * In: a program. Out: a line for each kind of thread that has no automaton, a line for the first
 * disagreement, then how much was compared; exit code 1 if there was any disagreement.
 *
 * The program runs in the interpreter under random schedules, one step at a time. Beside it all threads
 * are followed (view.h) in the automata of the whole program, and in those of slices for the first
 * VIEWS variables. For the whole program it is also watched who touches which bytes: if two threads
 * touch the same byte, one of them writing, and one of them by a step that is not marked visible, then
 * private memory was not private. With -x, that step is taken out of every automaton, to see that
 * somebody notices. */
#include "view.h"

#include "front/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_VIEWS = 16 };

typedef struct {
  View views[MOST_VIEWS];
  uint32_t view_count;
  Exec *exec;
  Map bytes; /* address to who touched it: see Touched */
  Str wrong;
} Walk;

/* Who touched a byte: threads as bits, by steps that others can notice, or not. */
typedef struct {
  uint16_t seen_reads, seen_writes, hidden_reads, hidden_writes;
} Touched;

/* ---- who touches what ---- */

static bool conflicts(Touched t) {
  uint16_t hidden = t.hidden_reads | t.hidden_writes;
  uint16_t writes = t.seen_writes | t.hidden_writes;
  uint16_t all = hidden | t.seen_reads | t.seen_writes;
  for (uint32_t i = 0; i < 16; i++) {
    uint16_t one = (uint16_t)(1u << i);
    bool writes_itself = t.hidden_writes & one;
    if ((hidden & one) && ((writes & ~one) || (writes_itself && (all & ~one))))
      return true;
  }
  return false;
}

static void touch_byte(Walk *w, const ExecEvent *e, uint64_t address, bool visible) {
  Touched t;
  uint16_t one = (uint16_t)(1u << e->thread % 16);
  uint64_t *slot = map_at(&w->bytes, address);
  memcpy(&t, slot, sizeof t);
  if (e->access & ACCESS_READ) *(visible ? &t.seen_reads : &t.hidden_reads) |= one;
  if (e->access & ACCESS_WRITE) *(visible ? &t.seen_writes : &t.hidden_writes) |= one;
  memcpy(slot, &t, sizeof t);
  if (!conflicts(t) || w->wrong.len) return;
  const Loc *loc =
      &w->exec->program->locs.data[program_edge(w->exec->program, e->edge)->loc];
  str_addf(&w->wrong, "%s:%u: thread %u touches what another one touches, unnoticed",
           sym_text(w->exec->program, loc->file), loc->line, e->thread);
}

static void watch(void *user, const ExecEvent *e) {
  Walk *w = user;
  enum { MOST_BYTES = 64 };
  if (e->kind == EVENT_FRESH)
    for (uint64_t i = 0; i < e->size; i++) *map_at(&w->bytes, e->address + i) = 0;
  if (e->kind != EVENT_ACCESS || e->hidden || !e->edge || !w->exec || e->thread >= 16)
    return;
  bool visible = view_is_visible(&w->views[0], w->exec, e->thread, e->edge);
  for (uint64_t i = 0; i < e->size && i < MOST_BYTES; i++)
    touch_byte(w, e, e->address + i, visible);
}

/* ---- a run ---- */

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static bool go_on(Walk *w, ExecChoice choice, size_t pick) {
  bool ok = true, step = choice.kind == CHOICE_STEP;
  for (uint32_t i = 0; i < w->view_count && step && ok; i++)
    ok = view_before(&w->views[i], w->exec, choice.thread, choice.edge);
  bool runs = exec_step(w->exec, pick);
  for (uint32_t i = 0; i < w->view_count && ok; i++) {
    if (step) ok = view_after(&w->views[i], w->exec, choice.thread, choice.edge);
    view_meet(&w->views[i], w->exec);
  }
  return ok && runs && !w->wrong.len && w->exec->threads.len < VIEW_THREADS - 1;
}

static void drop_output(void *user, int fd, const void *bytes, size_t n) {
  (void)user;
  (void)fd;
  (void)bytes;
  (void)n;
}

static uint64_t run(Walk *w, const Program *program, uint64_t seed, uint64_t steps) {
  static const char *const arguments[] = {"program"};
  ExecOptions options = {.seed = seed,
                         .stepwise = true,
                         .isolated = true,
                         .spurious = seed % 2,
                         .refusals = seed % 5 == 0,
                         .output = drop_output,
                         .watch = watch,
                         .user = w,
                         .argc = 1,
                         .argv = arguments};
  uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1, step = 0;
  const ExecChoice *choices;
  uint32_t last = 0;
  w->exec = NULL;
  w->exec = exec_new(program, &options);
  for (uint32_t i = 0; i < w->view_count; i++) {
    view_begin(&w->views[i]);
    view_meet(&w->views[i], w->exec);
  }
  for (; step < steps; step++) {
    size_t n = exec_choices(w->exec, &choices), pick = 0;
    if (!n) break;
    bool stay = next_random(&random) % 4 != 0;
    while (pick < n && stay && choices[pick].thread != last) pick++;
    if (pick == n || !stay) pick = next_random(&random) % n;
    last = choices[pick].thread;
    if (!go_on(w, choices[pick], pick)) break;
  }
  exec_free(w->exec);
  w->exec = NULL;
  map_clear(&w->bytes);
  return step;
}

/* ---- the automata ---- */

static void tell_kinds(const View *v) {
  for (uint32_t i = 0; i < v->automata->kinds.len; i++) {
    const Automaton *a = &v->automata->kinds.data[i];
    const char *name = sym_text(&v->program, v->program.functions.data[a->entry].name);
    if (a->refused)
      printf("refused: %s, about %s: %s\n", name, v->name, a->refused);
    else
      printf("accepted: %s, about %s: %u locations, %u blocks\n", name, v->name,
             a->locations.len - 1, v->blocks[i]->blocks.len);
  }
}

static bool open_view(Walk *w, const Program *p, const PointsTo *pt, const Sharing *sh,
                      ObjectId object) {
  View *v = &w->views[w->view_count++];
  bool ok = view_open(v, p, pt, sh, object);
  if (ok) tell_kinds(v);
  return ok;
}

static bool open_views(Walk *w, const Program *p, const PointsTo *pt, const Sharing *sh,
                       uint32_t most) {
  bool ok = open_view(w, p, pt, sh, 0);
  for (ObjectId o = 1; o < p->objects.len && ok && w->view_count <= most; o++)
    if (p->objects.data[o].kind == OBJECT_GLOBAL && p->objects.data[o].loc &&
        !(p->objects.data[o].flags & (OBJECT_CONSTANT | OBJECT_LITERAL)))
      ok = open_view(w, p, pt, sh, o);
  return ok;
}

/* The step with this number leads nowhere any more. */
static void take_out(Walk *w, uint32_t number) {
  for (uint32_t i = 0; i < w->view_count; i++)
    for (uint32_t k = 0; k < w->views[i].automata->kinds.len; k++) {
      Automaton *a = &w->views[i].automata->kinds.data[k];
      if (number < a->steps.len) a->steps.data[number].edge = 0;
    }
}

static const char *first_wrong(const Walk *w) {
  for (uint32_t i = 0; i < w->view_count; i++)
    if (w->views[i].wrong.len) return w->views[i].wrong.data;
  return w->wrong.len ? w->wrong.data : NULL;
}

static int walk(const Program *program, uint64_t seed, uint64_t runs, uint64_t limit,
                uint32_t views, uint32_t out) {
  static Walk w;
  uint64_t steps = 0;
  PointsTo *pt = pointsto_new(program, NULL);
  Sharing *sh = sharing_new(program, pt);
  bool ok = open_views(&w, program, pt, sh, views);
  if (ok && out) take_out(&w, out);
  for (uint64_t i = 0; i < runs && ok && !first_wrong(&w); i++)
    steps += run(&w, program, seed + i, limit);
  const char *wrong = first_wrong(&w);
  uint64_t followed = 0;
  for (uint32_t i = 0; i < w.view_count; i++) followed += w.views[i].followed;
  if (wrong) printf("wrong: %s\n", wrong);
  printf("%u wrong, %" PRIu64 " followed in %" PRIu64 " steps\n", wrong != NULL, followed,
         steps);
  for (uint32_t i = 0; i < w.view_count; i++) view_close(&w.views[i]);
  map_free(&w.bytes);
  str_free(&w.wrong);
  sharing_free(sh);
  pointsto_free(pt);
  return wrong ? 1 : 0;
}

int main(int argc, char **argv) {
  uint64_t seed = 1, runs = 10, limit = 20000;
  uint32_t views = 2, out = 0;
  int option;
  while ((option = getopt(argc, argv, "s:r:n:v:x:")) != -1) {
    switch (option) {
    case 's': seed = strtoull(optarg, NULL, 10); break;
    case 'r': runs = strtoull(optarg, NULL, 10); break;
    case 'n': limit = strtoull(optarg, NULL, 10); break;
    case 'v': views = (uint32_t)strtoul(optarg, NULL, 10) % MOST_VIEWS; break;
    case 'x': out = (uint32_t)strtoul(optarg, NULL, 10); break;
    default: return 2;
    }
  }
  FrontRequest request = {.inputs = (const char *const *)argv + optind,
                          .input_count = (size_t)(argc - optind)};
  Program program = {0};
  Err err = {0};
  if (!front_load(&request, &program, &err)) {
    Str text = {0};
    err_format(&err, &text);
    fprintf(stderr, "%s\n", str_text(&text));
    str_free(&text);
    return 2;
  }
  int code = walk(&program, seed, runs, limit, views, out);
  program_free(&program);
  return code;
}
