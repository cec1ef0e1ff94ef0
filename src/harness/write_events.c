/* The text for interrupts and tasks.
 *
 *   tasks          a mutex: a task runs beside no other task
 *   handlers       a read-write lock: handlers hold it for reading while they run; a task
 *                  holds it for writing at the moment when it begins, and only then, since
 *                  handlers may interrupt it afterwards
 *   handler_NAME   a mutex instead, of a handler that never runs beside itself: who knows
 *                  that it is taken needs not count
 *   enabled_NAME   set by the functions that enable and disable the event
 *   posted_NAME    how often it was posted and has not begun
 *
 * Whether the event may begin, and what its beginning changes, is one atomic section. It
 * does not wait: what may not begin now is tried again by its thread, or never. Locks are
 * taken in one order: exclusions, tasks, handlers, handler_NAME; so the harness waits in no circle. */
#include "harness/writer.h"

static bool is_switched(const HarnessEvent *e) {
  return e->enable.len || e->disable.len;
}

static bool has_guard(const HarnessEvent *e) {
  return e->when.len || is_switched(e) || e->post.len;
}

static const PlanCall *call_of(const Writer *w, const HarnessEvent *e) {
  return &w->plan.calls.data[e->call];
}

static const char *enabled(Writer *w, const PlanCall *call) {
  return writer_own(w, "enabled_", call->name);
}

static const char *posted(Writer *w, const PlanCall *call) {
  return writer_own(w, "posted_", call->name);
}

static const char *own_lock(Writer *w, const PlanCall *call) {
  return writer_own(w, "handler_", call->name);
}

/* Some handler shares the lock of all. */
static bool has_shared_lock(const Writer *w) {
  for (uint32_t i = 0; i < w->plan.calls.len && w->plan.tasks_wait; i++) {
    const PlanCall *call = &w->plan.calls.data[i];
    if (call->event && !call->event->task && !call->alone) return true;
  }
  return false;
}

static const PlanVariable *variable(const Writer *w, const char *name) {
  const PlanVariable *v = w->plan.variables.data;
  while (!str_eq(v->name, name)) v++;
  return v;
}

void writer_put_events(Writer *w) {
  const Harness *h = w->plan.harness;
  bool tasks = false;
  for (uint32_t i = 0; i < h->events.len; i++) tasks = tasks || h->events.data[i].task;
  if (tasks) writer_put(w, "static pthread_mutex_t tasks%s;", writer_label(w, "tasks"));
  if (has_shared_lock(w))
    writer_put(w, "static pthread_rwlock_t handlers%s;", writer_label(w, "handlers"));
  for (uint32_t i = 0; i < w->plan.variables.len; i++) {
    const PlanVariable *v = &w->plan.variables.data[i];
    writer_put(w, "extern %s variable_%s __asm__(\"%s\");", v->c_type, v->name, v->name);
  }
  for (uint32_t i = 0; i < h->events.len; i++) {
    const HarnessEvent *e = &h->events.data[i];
    w->line = e->place.line;
    if (call_of(w, e)->alone)
      writer_put(w, "static pthread_mutex_t %s;", own_lock(w, call_of(w, e)));
    if (is_switched(e))
      writer_put(w, "static int %s = %d;", enabled(w, call_of(w, e)),
                 e->enabled_first || !e->enable.len);
    if (e->post.len) writer_put(w, "static unsigned %s;", posted(w, call_of(w, e)));
  }
}

/* ---- hooks ---- */

static char *condition(const HarnessHook *said, const PlanHook *hook,
                       const char *routine) {
  Str text = {0};
  for (uint32_t i = 0; i < said->pattern_count; i++) {
    const HarnessPattern *p = &said->patterns[i];
    if (p->kind == PATTERN_ANY) continue;
    str_addf(&text, "%sargument_%u == ", text.len ? " && " : "if (", i + 1);
    if (p->kind == PATTERN_ITSELF)
      str_addf(&text, "(void *)routine_%s", routine);
    else
      str_addf(&text, "(%s)%lldLL", hook->c_args[i], (long long)p->number);
  }
  if (text.len) str_add(&text, ") ");
  return str_take(&text);
}

static void put_effects(Writer *w, const PlanHook *hook, const HarnessHooks *list,
                        const PlanCall *call, const char *effect) {
  for (uint32_t i = 0; i < list->len; i++) {
    if (!str_eq(list->data[i].function, hook->name)) continue;
    char *text = condition(&list->data[i], hook, call->name);
    w->line = list->data[i].place.line;
    writer_put(w, "  %s%s;", text, effect);
    mem_free(text);
  }
}

static void put_hook(Writer *w, const PlanHook *hook) {
  const Harness *h = w->plan.harness;
  Str params = {0};
  for (uint32_t i = 0; i < hook->arg_count; i++)
    str_addf(&params, "%s%s argument_%u", i ? ", " : "", hook->c_args[i], i + 1);
  const char *result = hook->c_result ? hook->c_result : "void";
  const char *list = params.len ? str_text(&params) : "void";
  writer_put(w, "%s hook_%s(%s) __asm__(\"%s\");", result, hook->name, list, hook->name);
  writer_put(w, "%s hook_%s(%s) {", result, hook->name, list);
  writer_put(w, "  section_begin();");
  for (uint32_t i = 0; i < h->events.len; i++) {
    const HarnessEvent *e = &h->events.data[i];
    const PlanCall *call = call_of(w, e);
    char *on = str_printf("%s = 1", enabled(w, call));
    char *off = str_printf("%s = 0", enabled(w, call));
    char *post = str_printf("%s%s", posted(w, call), e->queued ? "++" : " = 1");
    put_effects(w, hook, &e->disable, call, off);
    put_effects(w, hook, &e->enable, call, on);
    put_effects(w, hook, &e->post, call, post);
    mem_free(on);
    mem_free(off);
    mem_free(post);
  }
  writer_put(w, "  section_end();");
  if (hook->c_result) writer_put(w, "  return any_%s();", writer_any(hook->c_result));
  writer_put(w, "}");
  str_free(&params);
}

void writer_put_hooks(Writer *w) {
  for (uint32_t i = 0; i < w->plan.hooks.len; i++) put_hook(w, &w->plan.hooks.data[i]);
}

/* ---- the beginning and the end of an event ---- */

static void add_guard(Writer *w, const PlanCall *call, Str *out) {
  const HarnessEvent *e = call->event;
  for (uint32_t i = 0; i < e->when.len; i++) {
    const char *name = e->when.data[i].name;
    const char *form = variable(w, name)->atomic
                           ? "%s__atomic_load_n(&variable_%s, __ATOMIC_SEQ_CST)"
                           : "%svariable_%s";
    str_addf(out, form, out->len ? " && " : "", name);
  }
  if (is_switched(e)) str_addf(out, "%s%s", out->len ? " && " : "", enabled(w, call));
  if (e->post.len) str_addf(out, "%s%s", out->len ? " && " : "", posted(w, call));
}

static void put_guard(Writer *w, const PlanCall *call) {
  const HarnessEvent *e = call->event;
  Str guard = {0};
  add_guard(w, call, &guard);
  writer_put(w, "  section_begin();");
  writer_put(w, "  int begins = %s;", str_text(&guard));
  str_free(&guard);
  if (e->post.len)
    writer_put(w, "  if (begins) %s%s;", posted(w, call), e->queued ? "--" : " = 0");
  if (e->disables_itself && is_switched(e)) {
    writer_put(w, "  if (begins) %s = 0;", enabled(w, call));
  } else if (e->disables_itself) {
    const char *name = e->when.data[0].name;
    writer_put(w,
               variable(w, name)->atomic
                   ? "  if (begins) __atomic_store_n(&variable_%s, 0, __ATOMIC_SEQ_CST);"
                   : "  if (begins) variable_%s = 0;",
               name);
  }
  if (!e->atomic) writer_put(w, "  section_end();");
}

/* A task takes the locks of all handlers, and gives them back once it has begun. */
static void put_handler_locks(Writer *w, bool take) {
  if (has_shared_lock(w))
    writer_put(w, "  %s(&handlers);", take ? "rw_wrlock" : "rw_unlock");
  for (uint32_t i = 0; i < w->plan.calls.len; i++)
    if (w->plan.calls.data[i].alone)
      writer_put(w, "  %s(&%s);", take ? "mutex_lock" : "mutex_unlock",
                 own_lock(w, &w->plan.calls.data[i]));
}

/* A handler holds its lock while it runs. */
static void put_handler_lock(Writer *w, const PlanCall *call, bool take) {
  if (call->alone)
    writer_put(w, "  %s(&%s);", take ? "mutex_lock" : "mutex_unlock", own_lock(w, call));
  else if (w->plan.tasks_wait)
    writer_put(w, "  %s(&handlers);", take ? "rw_rdlock" : "rw_unlock");
}

void writer_put_begin(Writer *w, const PlanCall *call) {
  const HarnessEvent *e = call->event;
  if (!e) return;
  if (e->task) {
    writer_put(w, "  mutex_lock(&tasks);");
    put_handler_locks(w, true);
  } else {
    put_handler_lock(w, call, true);
  }
  if (has_guard(e))
    put_guard(w, call);
  else if (e->atomic)
    writer_put(w, "  section_begin();");
  if (e->task) put_handler_locks(w, false);
  if (has_guard(e)) writer_put(w, "  if (begins) {");
}

void writer_put_end(Writer *w, const PlanCall *call) {
  const HarnessEvent *e = call->event;
  if (!e) return;
  if (has_guard(e)) writer_put(w, "  }");
  if (e->atomic) writer_put(w, "  section_end();");
  if (e->task)
    writer_put(w, "  mutex_unlock(&tasks);");
  else
    put_handler_lock(w, call, false);
}
