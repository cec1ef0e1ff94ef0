/* See program.h. */
#include "net/program.h"

#include "base/mem.h"
#include "net/read.h"
#include "net/solve.h"

#include <string.h>

static const char READING[] = "Read_", WRITING[] = "Write_";

/* A thread of the run. */
typedef struct {
  const char *name; /* of its text */
  uint32_t number;  /* among those of the same text, from 1 */
} Runner;

typedef struct {
  uint32_t place, thread;
} Stand;

typedef struct {
  const Net *net;
  const NetEvidence *evidence;
  Arena *arena;
  VEC(Runner) threads;
  VEC(Stand) stands; /* where threads are that have moved, the longest there first */
  VEC(uint32_t) who; /* by firing: the thread, or NET_NONE */
} Story;

/* ---- who does it ---- */

static bool is_called(const Runner *r, const char *name, size_t n) {
  return strlen(r->name) == n && memcmp(r->name, name, n) == 0;
}

/* "worker: acquire L" is a step of worker. */
static uint32_t new_thread(Story *s, const char *transition) {
  const char *colon = strchr(transition, ':');
  size_t n = colon ? (size_t)(colon - transition) : strlen(transition);
  uint32_t number = 1;
  for (uint32_t i = 0; i < s->threads.len; i++)
    number += is_called(&s->threads.data[i], transition, n);
  Runner r = {arena_printf(s->arena, "%.*s", (int)n, transition), number};
  vec_push(&s->threads, r);
  return s->threads.len - 1;
}

static uint32_t take_from(Story *s, uint32_t place, const char *transition) {
  for (uint32_t i = 0; i < s->stands.len; i++) {
    if (s->stands.data[i].place != place) continue;
    uint32_t thread = s->stands.data[i].thread;
    memmove(&s->stands.data[i], &s->stands.data[i + 1],
            (s->stands.len - i - 1) * sizeof *s->stands.data);
    s->stands.len--;
    return thread;
  }
  return new_thread(s, transition); /* it stands at its beginning */
}

static void find_threads(Story *s) {
  for (uint32_t i = 0; i < s->evidence->firings.len; i++) {
    const NetTransition *t = &s->net->transitions.data[s->evidence->firings.data[i]];
    uint32_t thread = NET_NONE;
    if (t->from != NET_NONE) {
      thread = take_from(s, t->from, t->name ? t->name : "");
      vec_push(&s->stands, ((Stand){t->to, thread}));
    }
    vec_push(&s->who, thread);
  }
}

/* The number is left out where a text runs once. */
static const char *thread_text(const Story *s, uint32_t thread) {
  const Runner *r = &s->threads.data[thread];
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->threads.len; i++)
    count += strcmp(s->threads.data[i].name, r->name) == 0;
  return count == 1 ? r->name : arena_printf(s->arena, "%s#%u", r->name, r->number);
}

/* ---- what they do ---- */

/* "worker: begin write x" is told as a write, the end of it not at all. */
static bool tell_step(const Story *s, uint32_t firing, ProgramStep *ret) {
  const NetTransition *t = &s->net->transitions.data[s->evidence->firings.data[firing]];
  const char *text = t->name ? strchr(t->name, ':') : NULL;
  if (s->who.data[firing] == NET_NONE || !text || str_starts(text, ": end "))
    return false;
  text += strlen(": ");
  if (str_starts(text, "begin ")) text += strlen("begin ");
  const char *space = strstr(text, " atomic section"); /* the only object of two words */
  if (!space) space = strrchr(text, ' ');
  size_t verb = space ? (size_t)(space - text) : strlen(text);
  *ret = (ProgramStep){.thread = thread_text(s, s->who.data[firing]),
                       .verb = arena_printf(s->arena, "%.*s", (int)verb, text),
                       .object = space ? arena_strdup(s->arena, space + 1) : "",
                       .line = t->line};
  return true;
}

static bool puts_on(const Net *net, uint32_t transition, uint32_t place) {
  MarkingView post = net_post(net, transition);
  for (uint32_t i = 0; i < post.len; i++)
    if (post.at[i].place == place) return true;
  return false;
}

/* The `n` accesses that have begun and not ended: the last steps of different threads. */
static uint32_t find_accesses(const Story *s, uint32_t place, uint32_t n,
                              ProgramStep *out) {
  uint32_t found = 0;
  bool *over = mem_alloc_zero(s->threads.len + 1);
  for (uint32_t i = s->evidence->firings.len; i-- > 0 && found < n;) {
    uint32_t thread = s->who.data[i];
    if (thread == NET_NONE || over[thread]) continue;
    over[thread] = true;
    if (puts_on(s->net, s->evidence->firings.data[i], place) &&
        tell_step(s, i, &out[found]))
      found++;
  }
  mem_free(over);
  return found;
}

static void tell_run(Story *s, ProgramAnswer *ret) {
  find_threads(s);
  uint32_t n = s->evidence->firings.len, found = 0;
  ProgramStep *steps = arena_alloc(s->arena, (n + 1) * sizeof *steps);
  for (uint32_t i = 0; i < n; i++)
    ret->step_count += tell_step(s, i, &steps[ret->step_count]);
  ret->steps = steps;
  MarkingView target = net_target(s->net, s->evidence->target);
  for (int write = 1; write >= 0; write--)
    for (uint32_t i = 0; i < target.len; i++) {
      const char *name = s->net->place_names.data[target.at[i].place];
      if (str_starts(name, write ? WRITING : READING) && found < 2)
        found +=
            find_accesses(s, target.at[i].place,
                          target.at[i].count < 2 - found ? target.at[i].count : 2 - found,
                          &ret->accesses[found]);
    }
  ret->variable = ret->accesses[0].object;
  vec_free(&s->threads);
  vec_free(&s->stands);
  vec_free(&s->who);
}

/* ---- the answer ---- */

static void list_variables(const Net *net, Arena *arena, ProgramAnswer *ret) {
  const char **names = arena_alloc(arena, (net->place_names.len + 1) * sizeof *names);
  for (uint32_t i = 0; i < net->place_names.len; i++)
    if (str_starts(net->place_names.data[i], READING))
      names[ret->variable_count++] =
          arena_strdup(arena, net->place_names.data[i] + strlen(READING));
  ret->variables = names;
}

bool net_check_program(const char *file, const NetLimits *limits, Outfile *certificate,
                       Arena *arena, ProgramAnswer *ret, Err *err) {
  *ret = (ProgramAnswer){0};
  Net *net = net_read_file(file, NULL, err);
  if (!net) return false;
  NetOptions how = {.limits = *limits};
  NetResult result = {0};
  net_solve(net, &how, &result);
  ret->safe = result.verdict == NET_SAFE;
  ret->unsafe = result.verdict == NET_UNSAFE;
  ret->threads = result.threads;
  ret->least = result.least;
  if (result.reason) ret->reason = arena_strdup(arena, result.reason);
  list_variables(net, arena, ret);
  Story story = {.net = net, .evidence = &result.evidence, .arena = arena};
  if (ret->unsafe) tell_run(&story, ret);
  if (certificate && (ret->safe || ret->unsafe))
    evidence_write(net, &result.evidence, certificate);
  bool ok =
      !result.defect || err_set(err, ERR_INTERNAL, file, 0, 0, NULL, "%s", result.reason);
  net_result_free(&result);
  net_free(net);
  return ok;
}
