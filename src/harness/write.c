/* The text of a harness: C for one program.
 *
 *   types and objects        static variables; what is per caller or per call is made later
 *   set_NAME, new_NAME       first contents of an object
 *   apart_N                  locks that keep apart what never overlaps
 *   call_NAME                one call of a routine: promises, locks, the call itself
 *   hook_NAME                a function that the program calls and does not define
 *   caller_N                 a thread: one call, or any calls in a loop; interrupt_NAME
 *                            and task_NAME: the threads of events (write_events.c)
 *   heddle_start             objects, first calls, threads, last calls
 *
 * The text needs no header. Routines are declared under names of their own with the linker
 * name beside it, so no declaration can contradict one of the program; the library is
 * declared likewise, as far as it is used. */
#include "harness/writer.h"

#include <stdarg.h>

/* ---- lines ---- */

static void put_place(Writer *w) {
  if (!w->places) return;
  str_addf(&w->out, "#line %d \"", w->line > 0 ? w->line : 1);
  for (const char *c = w->plan.harness->file; *c; c++) {
    if (*c == '"' || *c == '\\') str_add_char(&w->out, '\\');
    str_add_char(&w->out, *c == '\n' ? ' ' : *c);
  }
  str_add(&w->out, "\"\n");
}

void writer_put(Writer *w, const char *format, ...) {
  put_place(w);
  va_list args;
  va_start(args, format);
  str_vaddf(&w->out, format, args);
  va_end(args);
  str_add_char(&w->out, '\n');
}

/* ---- names ---- */

/* Something of the program that the text names. */
static bool is_taken(const Writer *w, const char *name) {
  for (uint32_t i = 0; i < w->plan.calls.len; i++)
    if (str_eq(w->plan.calls.data[i].call->routine, name)) return true;
  for (uint32_t i = 0; i < w->plan.variables.len; i++)
    if (str_eq(w->plan.variables.data[i].name, name)) return true;
  for (uint32_t i = 0; i < w->plan.hooks.len; i++)
    if (str_eq(w->plan.hooks.data[i].name, name)) return true;
  return false;
}

/* A function of the text: to the linker, routines and what is written here have names of
 * one kind. */
const char *writer_own(Writer *w, const char *kind, const char *name) {
  const char *text = arena_printf(w->plan.arena, "%s%s", kind, name);
  while (is_taken(w, text)) text = arena_printf(w->plan.arena, "%s_", text);
  return text;
}

/* The same for a variable, which keeps its name for reports. */
const char *writer_label(Writer *w, const char *name) {
  return is_taken(w, name) ? arena_printf(w->plan.arena, " __asm__(\"%s.object\")", name)
                           : "";
}

/* ---- the beginning ---- */

typedef struct {
  const char *type, *word;
} AnyType;

static const AnyType any_types[] = {{"_Bool", "bool"},
                                    {"signed char", "schar"},
                                    {"unsigned char", "uchar"},
                                    {"short", "short"},
                                    {"unsigned short", "ushort"},
                                    {"int", "int"},
                                    {"unsigned int", "uint"},
                                    {"long", "long"},
                                    {"unsigned long", "ulong"},
                                    {"__int128", "int128"},
                                    {"unsigned __int128", "uint128"},
                                    {"float", "float"},
                                    {"double", "double"},
                                    {"long double", "longdouble"},
                                    {"void *", "pointer"}};

enum { ANY_TYPES = sizeof any_types / sizeof *any_types };

const char *writer_any(const char *c_type) {
  for (int i = 0; i < ANY_TYPES; i++)
    if (str_eq(any_types[i].type, c_type)) return any_types[i].word;
  return "int";
}

typedef struct {
  const char *name, *declaration;
} LibraryName;

/* What the text may use of the library, under names that no header has. */
static const LibraryName library[] = {
    {"thread_create", "extern int thread_create(unsigned long *, const void *, "
                      "void *(*)(void *), void *) __asm__(\"pthread_create\");"},
    {"thread_join",
     "extern int thread_join(unsigned long, void **) __asm__(\"pthread_join\");"},
    {"thread_exit",
     "extern _Noreturn void thread_exit(void *) __asm__(\"pthread_exit\");"},
    {"mutex_lock", "extern int mutex_lock(void *) __asm__(\"pthread_mutex_lock\");"},
    {"mutex_unlock",
     "extern int mutex_unlock(void *) __asm__(\"pthread_mutex_unlock\");"},
    {"rw_rdlock", "extern int rw_rdlock(void *) __asm__(\"pthread_rwlock_rdlock\");"},
    {"rw_wrlock", "extern int rw_wrlock(void *) __asm__(\"pthread_rwlock_wrlock\");"},
    {"rw_unlock", "extern int rw_unlock(void *) __asm__(\"pthread_rwlock_unlock\");"},
    {"semaphore_init",
     "extern int semaphore_init(void *, int, unsigned) __asm__(\"sem_init\");"},
    {"semaphore_wait", "extern int semaphore_wait(void *) __asm__(\"sem_wait\");"},
    {"semaphore_post", "extern int semaphore_post(void *) __asm__(\"sem_post\");"},
    {"zeroed_memory",
     "extern void *zeroed_memory(unsigned long, unsigned long) __asm__(\"calloc\");"},
    {"section_begin",
     "extern void section_begin(void) __asm__(\"__VERIFIER_atomic_begin\");"},
    {"section_end", "extern void section_end(void) __asm__(\"__VERIFIER_atomic_end\");"},
    {"assume", "extern void assume(int) __asm__(\"__VERIFIER_assume\");"},
    {"pthread_mutex_t",
     "typedef union { long __word; unsigned char __bytes[40]; } pthread_mutex_t;"},
    {"pthread_rwlock_t",
     "typedef union { long __word; unsigned char __bytes[56]; } pthread_rwlock_t;"},
    {"sem_t", "typedef union { long __word; unsigned char __bytes[32]; } sem_t;"}};

/* Declares what the text uses; to declare more is harmless. */
static void put_library(Writer *w, const char *text) {
  for (size_t i = 0; i < sizeof library / sizeof *library; i++)
    if (strstr(text, library[i].name)) writer_put(w, "%s", library[i].declaration);
  for (int i = 0; i < ANY_TYPES; i++) {
    char *name = str_printf("any_%s()", any_types[i].word);
    if (strstr(text, name))
      writer_put(w, "extern %s any_%s(void) __asm__(\"__VERIFIER_nondet_%s\");",
                 any_types[i].type, any_types[i].word, any_types[i].word);
    mem_free(name);
  }
}

/* ---- values ---- */

static bool is_constant(const HarnessValue *v) {
  return v && v->kind == VALUE_RANGE && v->low == v->high;
}

/* Requires that `name` has one of the values. */
static void put_condition(Writer *w, const HarnessValue *v, const char *name) {
  Str condition = {0};
  if (v->kind == VALUE_RANGE)
    str_addf(&condition, "%s >= %lldLL && %s <= %lldLL", name, (long long)v->low, name,
             (long long)v->high);
  for (uint32_t i = 0; v->kind == VALUE_CHOICE && i < v->choice_count; i++)
    str_addf(&condition, "%s%s == %lldLL", i ? " || " : "", name,
             (long long)v->choice[i]);
  if (condition.len) writer_put(w, "  assume(%s);", str_text(&condition));
  str_free(&condition);
}

/* Gives `name` one of the values. Few of them are named one by one, so that each is a
 * constant on its own way; nothing is chosen that would have to be thrown away. */
static void put_choice(Writer *w, const HarnessValue *v, const char *c_type,
                       const char *name) {
  enum { FEW = 16 };
  uint64_t span = (uint64_t)v->high - (uint64_t)v->low + 1;
  bool range = v->kind == VALUE_RANGE, listed = v->kind == VALUE_CHOICE;
  if (is_constant(v)) {
    writer_put(w, "  %s = %lldLL;", name, (long long)v->low);
  } else if (listed || (range && span && span <= FEW)) {
    uint32_t n = listed ? v->choice_count : (uint32_t)span;
    writer_put(w, "  switch (any_uint() %% %uu) {", n);
    for (uint32_t i = 0; i < n; i++)
      writer_put(w, "  %s %u: %s = %lldLL; break;", i ? "case" : "default: case", i, name,
                 (long long)(listed ? v->choice[i] : v->low + (int64_t)i));
    writer_put(w, "  }");
  } else if (range && span) {
    writer_put(w, "  %s = %lldLL + (long long)(any_%s() %% %lluULL);", name,
               (long long)v->low, span >> 32 ? "ulong" : "uint",
               (unsigned long long)span);
  } else {
    writer_put(w, "  %s = any_%s();", name, writer_any(c_type));
  }
}

/* ---- objects ---- */

static char *object_type(Writer *w, const PlanObject *o, const char *name) {
  Str text = {0};
  if (o->type)
    ctypes_declare(&w->types, o->type, name, &text);
  else
    str_addf(&text, "unsigned char %s[%llu]", name, (unsigned long long)o->bytes);
  return str_take(&text);
}

static void put_any_scalar(void *data, const char *loops, const char *lvalue,
                           const char *c_type) {
  Writer *w = data;
  writer_put(w, "  %s%s = any_%s();", loops, lvalue, writer_any(c_type));
}

static void put_field(Writer *w, const PlanObject *o, const HarnessField *f) {
  const Program *p = w->plan.program;
  const char *type = ctypes_scalar(p, type_member(p, o->type, f->path));
  char *lvalue = str_printf("(*o).%s", f->path);
  put_choice(w, &f->value, type, lvalue);
  mem_free(lvalue);
}

static bool has_contents(const PlanObject *o) {
  return o->any || (o->declared && o->declared->fields.len);
}

/* The function that gives an object its first contents, over zeros. */
static void put_contents(Writer *w, const PlanObject *o) {
  w->line = o->line;
  char *parameter = object_type(w, o, o->type ? "*o" : "");
  writer_put(w, "static void %s(%s) {", writer_own(w, "set_", o->name),
             o->type ? parameter : "unsigned char *o");
  mem_free(parameter);
  if (o->any && o->type)
    type_each_scalar(w->plan.program, o->type, "(*o)", put_any_scalar, w);
  else if (o->any)
    writer_put(w, "  for (unsigned long i = 0; i < %lluUL; i++) o[i] = any_uchar();",
               (unsigned long long)o->bytes);
  for (uint32_t i = 0; o->declared && i < o->declared->fields.len; i++) {
    w->line = o->declared->fields.data[i].place.line;
    put_field(w, o, &o->declared->fields.data[i]);
  }
  writer_put(w, "}");
}

static void put_objects(Writer *w) {
  for (uint32_t i = 0; i < w->plan.objects.len; i++) {
    const PlanObject *o = &w->plan.objects.data[i];
    w->line = o->line;
    char *variable = object_type(w, o, o->name);
    if (o->sharing == SHARING_ALL)
      writer_put(w, "static _Alignas(16) %s%s;", variable, writer_label(w, o->name));
    mem_free(variable);
    if (has_contents(o)) put_contents(w, o);
    if (o->sharing != SHARING_CALL) continue;
    w->line = o->line;
    char *pointer = object_type(w, o, o->type ? "*o" : "(*o)");
    writer_put(w, "static void *%s(void) {", writer_own(w, "new_", o->name));
    writer_put(w, "  %s = zeroed_memory(1, sizeof *o);", pointer);
    writer_put(w, "  assume(o != 0);");
    if (has_contents(o))
      writer_put(w, "  %s(%s);", writer_own(w, "set_", o->name), o->type ? "o" : "*o");
    writer_put(w, "  return o;");
    writer_put(w, "}");
    mem_free(pointer);
  }
}

/* ---- locks ---- */

static void put_locks(Writer *w) {
  for (uint32_t i = 0; i < w->plan.locks.len; i++) {
    PlanLock kind = w->plan.locks.data[i];
    if (kind == APART_MUTEX) writer_put(w, "static pthread_mutex_t apart_%u;", i);
    if (kind == APART_RW) writer_put(w, "static pthread_rwlock_t apart_%u;", i);
    if (kind != APART_ROOM) continue;
    writer_put(w, "static sem_t apart_%u;", i);
    writer_put(w, "static pthread_mutex_t apart_%u_left_door, apart_%u_right_door;", i,
               i);
    writer_put(w, "static int apart_%u_left_inside, apart_%u_right_inside;", i, i);
  }
}

static void put_enter(Writer *w, const Hold *h) {
  const char *side = h->kind == HOLD_LEFT ? "left" : "right";
  if (h->kind == HOLD_SHARED) {
    writer_put(w, "  rw_rdlock(&apart_%u);", h->lock);
  } else if (h->kind == HOLD_ALONE) {
    bool rw = w->plan.locks.data[h->lock] == APART_RW;
    writer_put(w, "  %s(&apart_%u);", rw ? "rw_wrlock" : "mutex_lock", h->lock);
  } else {
    writer_put(w, "  mutex_lock(&apart_%u_%s_door);", h->lock, side);
    writer_put(w, "  if (apart_%u_%s_inside++ == 0) semaphore_wait(&apart_%u);", h->lock,
               side, h->lock);
    writer_put(w, "  mutex_unlock(&apart_%u_%s_door);", h->lock, side);
  }
}

static void put_leave(Writer *w, const Hold *h) {
  const char *side = h->kind == HOLD_LEFT ? "left" : "right";
  bool rw = w->plan.locks.data[h->lock] == APART_RW;
  if (h->kind == HOLD_SHARED || h->kind == HOLD_ALONE) {
    writer_put(w, "  %s(&apart_%u);", rw ? "rw_unlock" : "mutex_unlock", h->lock);
    return;
  }
  writer_put(w, "  mutex_lock(&apart_%u_%s_door);", h->lock, side);
  writer_put(w, "  if (--apart_%u_%s_inside == 0) semaphore_post(&apart_%u);", h->lock,
             side, h->lock);
  writer_put(w, "  mutex_unlock(&apart_%u_%s_door);", h->lock, side);
}

/* ---- calls ---- */

/* The type of a parameter of call_NAME: typed where a promise may look behind it. */
static char *parameter(Writer *w, const PlanArg *arg) {
  if (arg->kind == VALUE_OBJECT && w->plan.objects.data[arg->object].type) {
    char *name = str_printf("*%s", arg->name);
    char *text = object_type(w, &w->plan.objects.data[arg->object], name);
    mem_free(name);
    return text;
  }
  return str_printf("%s %s", arg->c_type, arg->name);
}

static void put_call_body(Writer *w, const PlanCall *call) {
  const HarnessCall *said = call->call;
  for (uint32_t i = 0; i < call->arg_count; i++)
    if (call->args[i].kind == VALUE_RANGE || call->args[i].kind == VALUE_CHOICE)
      put_choice(w, call->args[i].value, call->args[i].c_type, call->args[i].name);
  if (said->promise) writer_put(w, "  assume(%s);", said->promise);
  for (uint32_t i = 0; i < call->holds.len; i++) put_enter(w, &call->holds.data[i]);
  writer_put_begin(w, call);
  Str args = {0};
  for (uint32_t i = 0; i < call->arg_count; i++)
    str_addf(&args, "%s%s", i ? ", " : "", call->args[i].name);
  if (said->has_result) {
    writer_put(w, "  %s result = routine_%s(%s);", call->c_result, call->name,
               str_text(&args));
    put_condition(w, &said->result, "result");
  } else {
    writer_put(w, "  routine_%s(%s);", call->name, str_text(&args));
  }
  str_free(&args);
  writer_put_end(w, call);
  for (uint32_t i = call->holds.len; i-- > 0;) put_leave(w, &call->holds.data[i]);
}

static void put_call(Writer *w, const PlanCall *call) {
  w->line = call->call->place.line;
  Str types = {0}, params = {0};
  for (uint32_t i = 0; i < call->arg_count; i++) {
    char *text = parameter(w, &call->args[i]);
    str_addf(&types, "%s%s", i ? ", " : "", call->args[i].c_type);
    str_addf(&params, "%s%s", i ? ", " : "", text);
    mem_free(text);
  }
  writer_put(w, "extern %s routine_%s(%s) __asm__(\"%s\");",
             call->c_result ? call->c_result : "void", call->name,
             types.len ? str_text(&types) : "void", call->call->routine);
  writer_put(w, "static void %s(%s) {", writer_own(w, "call_", call->name),
             params.len ? str_text(&params) : "void");
  put_call_body(w, call);
  writer_put(w, "}");
  str_free(&types);
  str_free(&params);
}

static void add_argument(Writer *w, const PlanArg *arg, Str *out) {
  const PlanObject *o =
      arg->kind == VALUE_OBJECT ? &w->plan.objects.data[arg->object] : NULL;
  if (o && o->sharing == SHARING_CALL)
    str_addf(out, "own_%s", o->name);
  else if (o)
    str_addf(out, "%s%s", o->type ? "&" : "", o->name);
  else if (arg->kind != VALUE_ANY)
    str_add(out, "0");
  else
    str_addf(out, "any_%s()", writer_any(arg->c_type));
}

static bool uses(const PlanCall *call, uint32_t object) {
  for (uint32_t i = 0; i < call->arg_count; i++)
    if (call->args[i].kind == VALUE_OBJECT && call->args[i].object == object) return true;
  return false;
}

/* The statement that makes a call with new values and the objects of this call. */
static char *statement(Writer *w, const PlanCall *call) {
  Str out = {0};
  bool block = false;
  for (uint32_t i = 0; i < w->plan.objects.len; i++) {
    const PlanObject *o = &w->plan.objects.data[i];
    if (o->sharing != SHARING_CALL || !uses(call, i)) continue;
    str_addf(&out, "%svoid *own_%s = %s(); ", block ? "" : "{ ", o->name,
             writer_own(w, "new_", o->name));
    block = true;
  }
  str_addf(&out, "%s(", writer_own(w, "call_", call->name));
  for (uint32_t i = 0; i < call->arg_count; i++) {
    if (i) str_add(&out, ", ");
    add_argument(w, &call->args[i], &out);
  }
  str_add(&out, block ? "); }" : ");");
  return str_take(&out);
}

/* ---- callers ---- */

/* The objects that a caller has for itself, those that its calls use. */
static void put_own_objects(Writer *w, const uint32_t *calls, uint32_t count) {
  for (uint32_t o = 0; o < w->plan.objects.len; o++) {
    const PlanObject *object = &w->plan.objects.data[o];
    bool used = false;
    for (uint32_t i = 0; i < count && !used; i++)
      used = uses(&w->plan.calls.data[calls[i]], o);
    if (!used || object->sharing != SHARING_CALLER) continue;
    char *text = object_type(w, object, object->name);
    writer_put(w, "  _Alignas(16) %s = {0};", text);
    mem_free(text);
    if (has_contents(object))
      writer_put(w, "  %s(%s%s);", writer_own(w, "set_", object->name),
                 object->type ? "&" : "", object->name);
  }
}

static const char *caller_name(Writer *w, uint32_t i) {
  const Harness *h = w->plan.harness;
  const HarnessCallers *c = &h->callers.data[i];
  const char *call = w->plan.calls.data[c->first_call].name;
  if (c->event)
    return writer_own(w, h->events.data[c->event - 1].task ? "task_" : "interrupt_",
                      call);
  if (c->call_count == 1) return writer_own(w, "calls_", call);
  return writer_own(w, "caller_", arena_printf(w->plan.arena, "%u", i + 1));
}

static bool is_awaited(const Writer *w, const HarnessCallers *c) {
  return w->plan.harness->last.len && !c->number;
}

static void put_caller(Writer *w, uint32_t index) {
  const HarnessCallers *c = &w->plan.harness->callers.data[index];
  w->line = c->place.line;
  writer_put(w, "static void *%s(void *unused) {", caller_name(w, index));
  VEC(uint32_t) calls = {0};
  for (uint32_t i = 0; i < c->call_count; i++) vec_push(&calls, c->first_call + i);
  put_own_objects(w, calls.data, calls.len);
  vec_free(&calls);
  if (c->repeat) writer_put(w, "  while (any_bool())");
  if (c->call_count > 1) writer_put(w, "  switch (any_uint() %% %uu) {", c->call_count);
  for (uint32_t i = 0; i < c->call_count; i++) {
    const PlanCall *call = &w->plan.calls.data[c->first_call + i];
    char *text = statement(w, call);
    w->line = call->call->place.line;
    if (c->call_count > 1)
      writer_put(w, "  case %u: %s break;", i, text);
    else
      writer_put(w, "  %s", text);
    mem_free(text);
  }
  w->line = c->place.line;
  if (c->call_count > 1) writer_put(w, "  }");
  if (is_awaited(w, c)) writer_put(w, "  semaphore_post(&ended);");
  writer_put(w, "  return unused;");
  writer_put(w, "}");
}

/* ---- the start ---- */

static void put_once(Writer *w, const uint32_t *calls, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const PlanCall *call = &w->plan.calls.data[calls[i]];
    char *text = statement(w, call);
    w->line = call->call->place.line;
    writer_put(w, "  %s", text);
    mem_free(text);
  }
}

static void put_threads(Writer *w) {
  const Harness *h = w->plan.harness;
  for (uint32_t i = 0; i < h->callers.len; i++) {
    const HarnessCallers *c = &h->callers.data[i];
    const char *name = caller_name(w, i);
    w->line = c->place.line;
    for (uint32_t k = 0; k < c->number; k++)
      writer_put(w, "  thread_create(&thread_%u_%u, 0, %s, 0);", i, k, name);
    if (c->number) continue;
    writer_put(w, "  while (any_bool()) {");
    writer_put(w, "    unsigned long thread;");
    writer_put(w, "    thread_create(&thread, 0, %s, 0);", name);
    if (is_awaited(w, c)) writer_put(w, "    started++;");
    writer_put(w, "  }");
  }
}

static void put_waits(Writer *w) {
  const Harness *h = w->plan.harness;
  bool counted = false;
  for (uint32_t i = 0; i < h->callers.len; i++) {
    const HarnessCallers *c = &h->callers.data[i];
    w->line = c->place.line;
    for (uint32_t k = 0; k < c->number; k++)
      writer_put(w, "  thread_join(thread_%u_%u, 0);", i, k);
    counted = counted || !c->number;
  }
  if (counted) writer_put(w, "  for (; started > 0; started--) semaphore_wait(&ended);");
}

static void put_start(Writer *w) {
  const Harness *h = w->plan.harness;
  w->line = 1;
  writer_put(w, "int " HARNESS_START "(void) {");
  VEC(uint32_t) once = {0};
  for (uint32_t i = 0; i < h->first.len; i++) vec_push(&once, h->first.data[i]);
  for (uint32_t i = 0; i < h->last.len; i++) vec_push(&once, h->last.data[i]);
  put_own_objects(w, once.data, once.len);
  vec_free(&once);
  for (uint32_t i = 0; i < h->callers.len; i++)
    for (uint32_t k = 0; k < h->callers.data[i].number; k++)
      writer_put(w, "  unsigned long thread_%u_%u;", i, k);
  bool waits = false;
  for (uint32_t i = 0; i < h->callers.len; i++)
    waits = waits || is_awaited(w, &h->callers.data[i]);
  if (waits) writer_put(w, "  unsigned started = 0;");
  if (waits) writer_put(w, "  semaphore_init(&ended, 0, 0);");
  for (uint32_t i = 0; i < w->plan.locks.len; i++)
    if (w->plan.locks.data[i] == APART_ROOM)
      writer_put(w, "  semaphore_init(&apart_%u, 0, 1);", i);
  for (uint32_t i = 0; i < w->plan.objects.len; i++) {
    const PlanObject *o = &w->plan.objects.data[i];
    w->line = o->line;
    if (o->sharing == SHARING_ALL && has_contents(o))
      writer_put(w, "  %s(%s%s);", writer_own(w, "set_", o->name), o->type ? "&" : "",
                 o->name);
  }
  put_once(w, h->first.data, h->first.len);
  put_threads(w);
  if (h->last.len) {
    put_waits(w);
    put_once(w, h->last.data, h->last.len);
    writer_put(w, "  return 0;");
  } else {
    writer_put(w, "  thread_exit(0);");
  }
  writer_put(w, "}");
}

/* ---- all of it ---- */

static void put_all(Writer *w) {
  w->line = 1;
  put_locks(w);
  writer_put_events(w);
  put_objects(w);
  for (uint32_t i = 0; i < w->plan.harness->callers.len; i++)
    if (is_awaited(w, &w->plan.harness->callers.data[i])) {
      writer_put(w, "static sem_t ended;");
      break;
    }
  for (uint32_t i = 0; i < w->plan.calls.len; i++) put_call(w, &w->plan.calls.data[i]);
  writer_put_hooks(w);
  for (uint32_t i = 0; i < w->plan.harness->callers.len; i++) put_caller(w, i);
  put_start(w);
}

/* Definitions of types are known only when everything was written. */
static void finish(Writer *w, HarnessText *ret) {
  Str body = w->out;
  w->out = (Str){0};
  w->line = 1;
  if (!w->places)
    str_add(&w->out, "/* Written by heddle: the environment of a program without main. "
                     "*/\n");
  put_library(w, str_text(&body));
  put_place(w);
  str_add(&w->out, str_text(&w->types.definitions));
  str_add(&w->out, str_text(&body));
  str_free(&body);
  ret->text = w->out;
  ret->open = w->plan.open || w->plan.harness->short_form;
  for (uint32_t i = 0; i < w->plan.notes.len; i++) {
    const HarnessNote *note = &w->plan.notes.data[i];
    vec_push(&ret->notes, (HarnessNote){str_dup(note->what), note->line});
  }
  for (uint32_t i = 0; i < w->plan.calls.len; i++)
    vec_push(&ret->used, str_dup(w->plan.calls.data[i].call->routine));
  for (uint32_t i = 0; i < w->plan.variables.len; i++)
    vec_push(&ret->used, str_dup(w->plan.variables.data[i].name));
}

bool harness_write(const Harness *harness, const Program *program, bool places,
                   HarnessText *ret, Err *err) {
  Writer w = {.places = places};
  *ret = (HarnessText){0};
  if (!plan_make(harness, program, &w.plan, err)) return false;
  w.types = (CTypes){.program = program, .arena = w.plan.arena};
  put_all(&w);
  finish(&w, ret);
  ctypes_free(&w.types);
  plan_free(&w.plan);
  return true;
}

void harness_text_free(HarnessText *text) {
  for (uint32_t i = 0; i < text->notes.len; i++) mem_free(text->notes.data[i].what);
  for (uint32_t i = 0; i < text->used.len; i++) mem_free(text->used.data[i]);
  str_free(&text->text);
  vec_free(&text->notes);
  vec_free(&text->used);
}
