/* The entry points of the checker.
 *
 * In: the text of a script. Out: verdicts. Parsing, evaluation and compilation recurse on
 * what the user wrote, so they run on a thread of their own with a large stack, whose end
 * they watch; the caller waits. A jump out of any of them ends here. */
#include "csp/csp.h"

#include "base/clock.h"

#include "csp/explain.h"
#include "csp/lex.h"
#include "csp/resolve.h"
#include "csp/types.h"

#include <pthread.h>
#include <string.h>

enum { STACK_BYTES = 512 << 20, STACK_MARGIN = 256 << 10 };

struct CspScriptHandle {
  Csp csp;
  CspOptions options;
  CspScript *script;
  VEC(CspAssert *) asserts;
  VEC(CspNode *) prints;
};

/* ---- a task on the large stack ----------------------------------------------------- */

typedef struct {
  Csp *csp;
  void (*run)(void *user);
  void *user;
  bool ok;
} Task;

static void *run_task(void *argument) {
  Task *task = argument;
  jmp_buf out;
  char here;
  task->csp->out = &out;
  task->csp->stack_end = (char *)((uintptr_t)&here - (STACK_BYTES - STACK_MARGIN));
  task->ok = false;
  if (setjmp(out) == 0) {
    task->run(task->user);
    task->ok = true;
  }
  task->csp->out = NULL;
  return NULL;
}

static bool run(Csp *csp, Err *err, void (*function)(void *), void *user) {
  Task task = {csp, function, user, false};
  pthread_attr_t attributes;
  pthread_t thread;
  csp->err = err;
  csp->task++;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, STACK_BYTES);
  int failed = pthread_create(&thread, &attributes, run_task, &task);
  pthread_attr_destroy(&attributes);
  if (failed)
    return err_set(err, ERR_LIMIT, NULL, 0, 0, "free some memory",
                   "no thread could be started: %s", strerror(failed));
  pthread_join(thread, NULL);
  return task.ok;
}

/* ---- opening ----------------------------------------------------------------------- */

typedef struct {
  CspScriptHandle *handle;
  const char *file, *text;
  size_t length;
} Opening;

static void open_script(void *user) {
  Opening *o = user;
  Csp *csp = &o->handle->csp;
  CspScript *script = csp_parse(csp, csp_lex(csp, o->file, o->text, o->length));
  csp_resolve(csp, script);
  csp_infer(csp, script);
  csp_terms_start(csp);
  csp_eval_start(csp, script);
  o->handle->script = script;
  for (uint32_t i = 0; i < script->decl_count; i++) {
    if (script->decls[i]->kind == DECL_ASSERT)
      vec_push(&o->handle->asserts, script->decls[i]->assertion);
    if (script->decls[i]->kind == DECL_PRINT)
      vec_push(&o->handle->prints, script->decls[i]->body);
  }
}

static uint64_t value_or(uint64_t value, uint64_t otherwise) {
  return value ? value : otherwise;
}

CspScriptHandle *csp_open(const char *file, const char *text, size_t length,
                          const CspOptions *options, Err *err) {
  CspScriptHandle *handle = mem_alloc_zero(sizeof *handle);
  Csp *csp = &handle->csp;
  if (options) handle->options = *options;
  const CspOptions *o = &handle->options;
  csp->arena = arena_new();
  csp->progress = o->progress;
  csp->stop = o->stop;
  csp->limits = (CspLimits){.steps = value_or(o->steps, 500000000),
                            .component = value_or(o->component, 1000000),
                            .set = value_or(o->set_size, 4000000),
                            .memory = value_or(o->memory, UINT64_C(8) << 30),
                            .states = o->states};
  csp->steps = csp->limits.steps;
  Opening opening = {handle, file, text, length};
  if (run(csp, err, open_script, &opening)) return handle;
  csp_close(handle);
  return NULL;
}

void csp_close(CspScriptHandle *handle) {
  if (!handle) return;
  csp_terms_end(&handle->csp);
  csp_eval_end(&handle->csp);
  vec_free(&handle->csp.files);
  strmap_free(&handle->csp.names);
  vec_free(&handle->asserts);
  vec_free(&handle->prints);
  arena_free(handle->csp.arena);
  mem_free(handle);
}

uint32_t csp_assert_count(const CspScriptHandle *handle) {
  return handle->asserts.len;
}

const char *csp_assert_text(const CspScriptHandle *handle, uint32_t index) {
  return handle->asserts.data[index]->text;
}

uint32_t csp_assert_line(const CspScriptHandle *handle, uint32_t index) {
  return handle->asserts.data[index]->place.line;
}

const char *csp_assert_file(const CspScriptHandle *handle, uint32_t index) {
  return handle->csp.files.data[handle->asserts.data[index]->place.file];
}

/* ---- printing ---------------------------------------------------------------------- */

uint32_t csp_print_count(const CspScriptHandle *handle) {
  return handle->prints.len;
}

typedef struct {
  Csp *csp;
  CspNode *node;
  const char *text;
} Printing;

static void print_value(void *user) {
  Printing *p = user;
  csp_eval_refill(p->csp);
  p->csp->at = p->node->place;
  p->text = csp_value_text(p->csp, csp_eval(p->csp, p->node, NULL));
}

char *csp_print_value(CspScriptHandle *handle, uint32_t index, Err *err) {
  Printing p = {&handle->csp, handle->prints.data[index], NULL};
  return run(p.csp, err, print_value, &p) ? str_dup(p.text) : NULL;
}

/* ---- checking ---------------------------------------------------------------------- */

typedef struct {
  Csp *csp;
  const CspOptions *options;
  CspAssert *a;
  CspSearch search;
  CspNorm spec;
  CspResult *result;
} Checking;

static CspTerm *process_of(Csp *csp, CspNode *node) {
  csp_eval_refill(csp);
  csp->at = node->place;
  return csp_eval_kind(csp, node, NULL, VALUE_PROCESS, "a process")->term;
}

/* tau priority over a set: its events wait for internal steps. */
static CspTerm *with_priority(Csp *csp, CspTerm *term, CspNode *set) {
  if (!set) return term;
  CspEvents *low = csp_events_of(csp, csp_eval(csp, set, NULL), set->place);
  CspEvents *sets[] = {csp_events(csp, NULL, 0), low};
  return csp_term(csp, TERM_PRIORITISE, &term, 1, sets, 2, NULL, 0, set->place);
}

static void check_trace(Checking *c) {
  Csp *csp = c->csp;
  CspList items = {0};
  csp_sequence_items(csp, csp_eval(csp, c->a->right, NULL), &items);
  uint32_t *trace = arena_alloc(csp->arena, (items.len + 1) * sizeof *trace);
  for (uint32_t i = 0; i < items.len; i++)
    trace[i] = csp_event_of(csp, items.data[i], c->a->right->place);
  csp_search_trace(&c->search, trace, items.len);
}

static void check_truth(Checking *c) {
  csp_eval_refill(c->csp);
  c->csp->at = c->a->left->place;
  if (!csp_eval_kind(c->csp, c->a->left, NULL, VALUE_BOOL, "true or false")->number)
    c->search.flaw = FLAW_FALSE;
}

static void run_check(void *user) {
  Checking *c = user;
  Csp *csp = c->csp;
  CspAssert *a = c->a;
  CspSearch *s = &c->search;
  if (a->kind == ASSERT_TRUE) {
    check_truth(c);
    return;
  }
  bool refines = a->kind == ASSERT_REFINES;
  progress_phase(csp->progress, "compiling", 0);
  s->machine =
      csp_compile(csp, with_priority(csp, process_of(csp, refines ? a->right : a->left),
                                     a->tau_priority));
  s->csp = csp;
  s->model = a->model;
  s->jobs = c->options->jobs;
  s->divergence = a->model == MODEL_FD;
  s->reduce =
      (a->reduce || c->options->reduce) && a->model != MODEL_FD && !s->machine->chase;
  switch (a->kind) {
  case ASSERT_REFINES:
    csp_norm_init(&c->spec, csp, csp_compile(csp, process_of(csp, a->left)));
    s->spec = &c->spec;
    csp_search_run(s);
    break;
  case ASSERT_DEADLOCK_FREE:
    s->deadlock = a->model != MODEL_T;
    csp_search_run(s);
    break;
  case ASSERT_DIVERGENCE_FREE:
    s->divergence = true;
    s->reduce = false;
    csp_search_run(s);
    break;
  case ASSERT_DETERMINISTIC: csp_search_deterministic(s); break;
  case ASSERT_HAS_TRACE: check_trace(c); break;
  case ASSERT_TRUE: break;
  }
  if (s->flaw != FLAW_NONE || a->kind == ASSERT_HAS_TRACE) csp_explain(csp, s, c->result);
}

static void conclude(Checking *c) {
  CspResult *r = c->result;
  const CspSearch *s = &c->search;
  bool holds = s->flaw == FLAW_NONE;
  r->states = s->states;
  r->transitions = s->transitions;
  r->memory = s->memory;
  r->depth = s->depth;
  r->search_seconds = s->seconds;
  r->negated = c->a->negated;
  if (s->gave_up && holds) {
    r->verdict = CSP_UNDECIDED;
    r->why = str_dup(s->reason);
  } else {
    r->verdict = holds != c->a->negated ? CSP_HOLDS : CSP_FAILS;
  }
}

bool csp_check(CspScriptHandle *handle, uint32_t index, CspResult *ret, Err *err) {
  Checking c = {.csp = &handle->csp,
                .options = &handle->options,
                .a = handle->asserts.data[index],
                .result = ret};
  double start = clock_now();
  *ret = (CspResult){0};
  c.csp->used_before = arena_used(c.csp->arena);
  bool ok = run(c.csp, err, run_check, &c);
  if (ok) conclude(&c);
  ret->seconds = clock_now() - start;
  csp_norm_free(&c.spec);
  csp_search_free(&c.search);
  if (!ok && err && err->kind == ERR_LIMIT) {
    Str text = {0};
    err_format(err, &text);
    ret->verdict = CSP_UNDECIDED;
    mem_free(ret->why);
    ret->why = str_take(&text);
    err_free(err);
    *err = (Err){0};
    return true;
  }
  return ok;
}

static void free_texts(char **texts, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) mem_free(texts[i]);
  mem_free(texts);
}

void csp_result_free(CspResult *r) {
  for (uint32_t i = 0; i < r->step_count; i++) {
    mem_free(r->steps[i].event);
    mem_free(r->steps[i].origin);
  }
  for (uint32_t i = 0; i < r->component_count; i++) {
    mem_free(r->components[i].name);
    free_texts(r->components[i].events, r->components[i].count);
    free_texts(r->components[i].offers, r->components[i].offer_count);
  }
  mem_free(r->steps);
  mem_free(r->components);
  free_texts(r->offers, r->offer_count);
  free_texts(r->wanted, r->wanted_count);
  mem_free(r->why);
  *r = (CspResult){0};
}
