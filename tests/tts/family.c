/* tts_family: families of thread transition systems, decided by their nets or by contexts.
 *
 *     tts_family list
 *     tts_family net|context|few FAMILY SIZE SECONDS
 *
 * `list` has one line per family: name, answer, sizes. An answer is one line: verdict, processor
 * milliseconds, local states, shared states, steps, then of the net its places and
 * transitions, threads of the run, and the method; of a context its locations, rounds, k, detail.
 * `few` begins with k threads. `-` is what there is not. */
#include "engine/circ/context.h"
#include "tts_figure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  const char *name, *answer, *sizes;
  bool racy, whole;
} Family;

/* Sizes are stages; the steps of a stage are twice as many. `figure` has one size. */
static const Family families[] = {
    {"figure", "safe", "1", false, false},
    {"figure-racy", "unsafe", "1", true, false},
    {"stages", "safe", "4 8 16", false, false},
    {"stages-racy", "unsafe", "4 8 16", true, false},
    {"stages-split", "safe", "4 8 16", false, true},
    {"stages-split-racy", "unsafe", "4 8 16", true, true},
};

static const char *const verdicts[] = {
    [NET_UNKNOWN] = "unknown", [NET_SAFE] = "safe", [NET_UNSAFE] = "unsafe"};

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void build(const Family *f, uint32_t size, Tts *ret) {
  if (!strncmp(f->name, "figure", 6))
    figure_1(ret, f->racy ? FIGURE_WITHOUT_CHECK : FIGURE_SAFE);
  else
    stages(ret, size, 2 * size, f->racy, f->whole);
}

static void print_size(const Tts *tts, NetVerdict verdict, double time) {
  uint64_t shared = 1;
  for (uint32_t i = 0; i < tts->groups.len; i++) shared *= tts->groups.data[i].size;
  printf("%s %.2f %u %llu %u", verdicts[verdict], time, tts->locals.len,
         (unsigned long long)shared, tts->steps.len);
}

static void by_net(const Tts *tts, const NetLimits *limits) {
  TtsAnswer answer;
  double start = milliseconds();
  tts_solve(tts, limits, &answer);
  print_size(tts, answer.verdict, milliseconds() - start);
  Net *net = tts_net(tts);
  printf(" %u %u %u %s\n", net->place_names.len, net->transitions.len,
         answer.run.starts.len, answer.method ? answer.method : "-");
  net_free(net);
  tts_answer_free(&answer);
}

static void by_context(const Tts *tts, const NetLimits *limits, bool few) {
  ContextAnswer answer;
  double start = milliseconds();
  context_infer(tts, &(ContextOptions){.limits = *limits, .exact_start = few}, &answer);
  print_size(tts, answer.verdict, milliseconds() - start);
  printf(" %u %u %u %u\n", answer.acfa.locations.len, answer.rounds, answer.k,
         answer.detail);
  context_answer_free(&answer);
}

int main(int argc, char **argv) {
  uint32_t count = sizeof families / sizeof *families;
  for (uint32_t i = 0; i < count && argc == 2 && !strcmp(argv[1], "list"); i++)
    printf("%s %s %s\n", families[i].name, families[i].answer, families[i].sizes);
  if (argc != 5) return argc == 2 ? 0 : 2;
  for (uint32_t i = 0; i < count; i++) {
    Tts tts;
    if (strcmp(families[i].name, argv[2]) != 0) continue;
    build(&families[i], (uint32_t)atoi(argv[3]), &tts);
    NetLimits limits = {.deadline = net_clock() + (uint64_t)(atof(argv[4]) * 1e9)};
    if (!strcmp(argv[1], "net"))
      by_net(&tts, &limits);
    else
      by_context(&tts, &limits, !strcmp(argv[1], "few"));
    tts_free(&tts);
    return 0;
  }
  return 2;
}
