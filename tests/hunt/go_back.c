/* go_back FILE.c SEED [ARGUMENT...]: is a restored machine the saved one?
 *
 * A program runs step by step, by a random schedule, and is saved now and then. Each time
 * a second, random way is gone for a while and the machine is put back; the run as a whole
 * must print and end as one that never went astray. */
#include "base/mem.h"
#include "base/str.h"
#include "front/load.h"
#include "model/exec/exec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 6000, ASTRAY = 60 };

typedef struct {
  Str out;
  bool astray;
  uint64_t values;
} Sink;

static void write_out(void *user, int fd, const void *bytes, size_t n) {
  Sink *s = user;
  (void)fd;
  if (!s->astray) str_add_bytes(&s->out, bytes, n);
}

static uint64_t draw(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state >> 11;
}

static void choose_value(void *user, EdgeId edge, uint32_t bits, uint64_t *words) {
  Sink *s = user;
  (void)edge;
  uint64_t value = s->astray ? 3 : draw(&s->values) % 4;
  for (uint32_t i = 0; i < (bits + 63) / 64; i++) words[i] = i ? 0 : value;
}

static bool step(Exec *exec, uint64_t *random) {
  const ExecChoice *choices;
  size_t n = exec_choices(exec, &choices);
  return n && exec_step(exec, draw(random) % n);
}

static void run(const Program *p, uint64_t seed, int argc, char **argv, bool strays,
                Str *out, uint32_t *saves) {
  Sink sink = {.values = seed + 77};
  ExecOptions options = {.seed = seed,
                         .argc = argc,
                         .argv = (const char *const *)argv,
                         .stepwise = true,
                         .isolated = true,
                         .havoc = choose_value,
                         .output = write_out,
                         .user = &sink};
  Exec *exec = exec_new(p, &options);
  uint64_t random = seed * 0x9e3779b97f4a7c15u + 1, other = seed + 5;
  for (int i = 0; i < STEPS && step(exec, &random); i++) {
    if (!strays || i % 37 != 5) continue;
    ExecSave *save = exec_save(exec);
    if (!save) continue;
    ++*saves;
    for (int round = 0; round < 2; round++) {
      sink.astray = true;
      for (int k = 0; k < ASTRAY && step(exec, &other); k++) {
      }
      exec_restore(exec, save);
      sink.astray = false;
    }
    exec_save_free(save);
  }
  const ExecResult *end = exec_result(exec);
  str_add_bytes(out, sink.out.data, sink.out.len);
  str_addf(out, "\nend %d %d %s after %llu\n", (int)end->end, end->status,
           end->text ? end->text : "", (unsigned long long)end->steps);
  const ExecChoice *choices;
  size_t n = exec_choices(exec, &choices);
  for (size_t i = 0; i < n; i++)
    str_addf(out, "%u:%u:%u ", choices[i].thread, choices[i].edge, choices[i].kind);
  str_free(&sink.out);
  exec_free(exec);
}

int main(int argc, char **argv) {
  if (argc < 3) return 3;
  const char *inputs[] = {argv[1]};
  FrontRequest load = {.inputs = inputs, .input_count = 1, .jobs = 1};
  Program program = {0};
  Err err = {0};
  if (!front_load(&load, &program, &err)) {
    fprintf(stderr, "%s cannot be loaded\n", argv[1]);
    return 3;
  }
  Str straight = {0}, back = {0};
  uint32_t saves = 0;
  uint64_t seed = strtoull(argv[2], NULL, 10);
  run(&program, seed, argc - 2, argv + 2, false, &straight, &saves);
  run(&program, seed, argc - 2, argv + 2, true, &back, &saves);
  bool same = straight.len == back.len && !memcmp(straight.data, back.data, back.len);
  printf("%s, %u times\n", same ? "same" : "different", saves);
  if (!same)
    printf("--- straight\n%s\n--- back\n%s\n", str_text(&straight), str_text(&back));
  str_free(&straight);
  str_free(&back);
  program_free(&program);
  return same ? 0 : 1;
}
