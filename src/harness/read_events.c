/* The declarations of event-driven programs: interrupt and task.
 *
 *   interrupt CALL CLAUSE ; CLAUSE ...
 *
 * A semicolon or a line break may stand between clauses. Each declaration is an event and,
 * for the rest of the harness, any number of callers that repeat its call. */
#include "harness/reader.h"

enum { PATTERNS_MAX = 16, HOOKS_MAX = 64 };

/* _, itself or a number */
static bool pattern(Reader *r, HarnessPattern *ret) {
  const char *remedy = "write _ for any argument, a number, or itself for the routine";
  *ret = (HarnessPattern){.kind = PATTERN_ANY};
  if (reader_take_word(r, "_")) return true;
  if (reader_take_word(r, "itself")) {
    ret->kind = PATTERN_ITSELF;
    return true;
  }
  bool negative = reader_take_punct(r, '-');
  if (r->token.kind != TOKEN_NUMBER) return reader_expected(r, "an argument", remedy);
  ret->kind = PATTERN_NUMBER;
  ret->number = negative ? -r->token.number : r->token.number;
  reader_advance(r);
  return true;
}

static bool patterns(Reader *r, HarnessHook *hook) {
  HarnessPattern list[PATTERNS_MAX];
  uint32_t n = 0;
  do {
    if (n == PATTERNS_MAX)
      return reader_fail(r, hook->place, "leave the last ones out",
                         "more than 16 arguments");
    if (!pattern(r, &list[n++])) return false;
  } while (reader_take_punct(r, ','));
  hook->patterns = arena_dup(r->harness->arena, list, n * sizeof *list);
  hook->pattern_count = n;
  return reader_take_punct(r, ')') ||
         reader_expected(r, "`)`", "arguments are separated by commas");
}

/* by FUNCTION[(PATTERNS)], ... */
static bool hooks(Reader *r, HarnessHooks *ret) {
  if (!reader_take_word(r, "by"))
    return reader_expected(r, "`by`", "write enabled by f, disabled by f or posted by f");
  do {
    HarnessHook hook = {.place = reader_place(&r->token)};
    if (ret->len == HOOKS_MAX)
      return reader_fail(r, hook.place, "leave some out", "more than 64 functions");
    if (!reader_word(r, "the name of a function",
                     "name a function that the program calls", &hook.function))
      return false;
    if (reader_take_punct(r, '(') && !patterns(r, &hook)) return false;
    vec_push(ret, hook);
  } while (reader_take_punct(r, ','));
  return true;
}

static bool variables(Reader *r, HarnessNames *ret) {
  do {
    HarnessName name = {.place = reader_place(&r->token)};
    if (!reader_word(r, "the name of a variable", "name a global variable", &name.name))
      return false;
    vec_push(ret, name);
  } while (reader_take_punct(r, ','));
  return true;
}

static bool clause(Reader *r, HarnessEvent *e) {
  if (reader_take_word(r, "when")) return variables(r, &e->when);
  if (reader_take_word(r, "posted")) return hooks(r, &e->post);
  if (reader_take_word(r, "disabled")) return hooks(r, &e->disable);
  if (reader_take_word(r, "enabled")) {
    if (!reader_take_word(r, "at")) return hooks(r, &e->enable);
    e->enabled_first = true;
    return reader_take_word(r, "first") ||
           reader_expected(r, "`first`", "write enabled at first");
  }
  if (reader_take_word(r, "disables")) {
    e->disables_itself = true;
    return reader_take_word(r, "itself") ||
           reader_expected(r, "`itself`", "write disables itself");
  }
  if (reader_take_word(r, "queued")) {
    e->queued = true;
    return true;
  }
  if (!e->task && reader_take_word(r, "atomic")) {
    e->atomic = true;
    return true;
  }
  return reader_expected(
      r, e->task ? "a clause of a task" : "a clause of an interrupt",
      e->task ? "write when VARIABLE, enabled by f, disabled by f, enabled at first, "
                "disables itself, posted by f or queued"
              : "write when VARIABLE, enabled by f, disabled by f, enabled at first, "
                "disables itself, posted by f, queued or atomic");
}

/* Clauses that have nothing to say without others. */
static bool check_event(Reader *r, const HarnessEvent *e) {
  bool switched = e->enable.len || e->disable.len;
  if (e->enabled_first && !e->enable.len)
    return reader_fail(r, e->place, "leave `enabled at first` out, or write enabled by f",
                       "nothing enables this later: it is enabled anyway");
  if (e->queued && !e->post.len)
    return reader_fail(r, e->place, "write posted by f", "nothing posts what is queued");
  if (e->disables_itself && !switched && e->when.len != 1)
    return reader_fail(r, e->place, "write when VARIABLE, or enabled by f",
                       "`disables itself` needs one thing that it sets to 0");
  return true;
}

static bool event(Reader *r, HarnessPlace place, bool task) {
  HarnessEvent e = {.task = task, .place = place};
  bool ok = reader_call(r, &e.call);
  while (ok && !reader_at_end(r)) {
    while (r->token.kind == TOKEN_BREAK || token_is_punct(&r->token, ';'))
      reader_advance(r);
    if (!reader_at_end(r)) ok = clause(r, &e);
  }
  ok = ok && check_event(r, &e);
  vec_push(&r->harness->events, e);
  HarnessCallers c = {.repeat = true,
                      .first_call = e.call,
                      .call_count = 1,
                      .event = r->harness->events.len,
                      .place = place};
  if (ok) vec_push(&r->harness->callers, c);
  if (ok) reader_advance(r);
  return ok;
}

bool reader_interrupt(Reader *r, HarnessPlace place) {
  return event(r, place, false);
}

bool reader_task(Reader *r, HarnessPlace place) {
  return event(r, place, true);
}
