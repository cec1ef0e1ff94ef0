/* See emit.h. */
#include "predict/emit.h"

#include "predict/checks.h"
#include "predict/window.h"

typedef struct {
  const Run *run;
  const EmitRequest *request;
  StrMap declared; /* by the user's file */
  Intervals memory;
  Str *out;
} Emitter;

/* A window as the process `name`, with the checks of it. */
static bool add_window(Emitter *e, Window window, const char *tag, const char *name) {
  const EmitRequest *r = e->request;
  RunModel model;
  uint32_t *length = mem_alloc_zero((e->run->threads.len + 1) * sizeof *length);
  ScriptShape shape = {
      .tag = tag, .prefix = window.begin, .memory = r->race ? &e->memory : NULL};
  window_lengths(e->run, window.end, length);
  bool ok = run_model_init(&model, e->run, length, false) &&
            script_add_model(&model, name, &shape, e->out);
  if (ok && r->race) {
    char *steps = str_printf("%sSTEPS", tag);
    script_add_steps(&model, steps, e->out);
    checks_add_race_asserts(&model, &shape, name, steps, e->out);
    mem_free(steps);
  }
  if (ok && r->deadlock) checks_add_deadlock_assert(name, e->out);
  run_model_free(&model);
  mem_free(length);
  return ok;
}

/* The channels are those of the whole run. */
static bool add_world(Emitter *e) {
  RunModel model;
  ScriptWorld world = {0};
  bool ok = run_model_init(&model, e->run, NULL, true);
  if (ok) {
    script_world_of_model(&model, &world);
    script_add_world(&world, &e->declared, e->out);
  }
  script_world_free(&world);
  run_model_free(&model);
  return ok;
}

static bool add_program(Emitter *e) {
  const EmitRequest *r = e->request;
  uint32_t count = window_count(e->run, r->window);
  bool ok = add_world(e);
  if (ok && r->race) checks_add_race(&e->memory, e->out);
  if (ok && r->deadlock) checks_add_live(e->out);
  for (uint32_t i = 0; ok && i < count; i++) {
    char *tag = count > 1 ? str_printf("W%u_", i) : str_dup(""),
         *name = str_printf("%sPROGRAM", tag);
    ok = add_window(e, window_at(e->run, r->window, i), tag, name);
    mem_free(tag);
    mem_free(name);
  }
  if (ok && count > 1) str_add(e->out, "PROGRAM = ");
  for (uint32_t i = 0; ok && count > 1 && i < count; i++)
    str_addf(e->out, "%sW%u_PROGRAM", i ? " |~| " : "", i);
  if (ok && count > 1) str_add_char(e->out, '\n');
  return ok;
}

bool emit_script(const Run *run, const EmitRequest *r, Str *out, Err *err) {
  Emitter e = {.run = run, .request = r, .out = out};
  if (r->property && !script_scan(r->property, &e.declared, err)) return false;
  if (r->race) intervals_find(run, r->without, r->deadline, &e.memory);
  str_add(out,
          "-- A recorded run: PROGRAM does its steps in every order that is possible.\n");
  bool ok = !e.memory.cut && add_program(&e);
  if (!ok)
    err_set(err, ERR_LIMIT, NULL, 0, 0,
            "record a shorter run, or take it in parts with --window N",
            "the run is too large for a script");
  if (ok && r->property) script_add_include(r->property, true, out);
  intervals_free(&e.memory);
  strmap_free(&e.declared);
  return ok;
}
