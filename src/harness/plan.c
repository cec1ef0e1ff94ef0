/* From names to the program's functions, parameters, types and objects.
 *
 * In: a harness and the model of the program. Out: a plan, or an error at the place in the
 * harness file that names something the program does not have. */
#include "harness/plan.h"

#include "base/opt.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

void plan_note(Plan *plan, int line, const char *format, ...) {
  va_list args;
  va_start(args, format);
  Str what = {0};
  str_vaddf(&what, format, args);
  va_end(args);
  vec_push(&plan->notes, (HarnessNote){str_take(&what), line});
}

/* --entry has no places, its messages begin with the option. */
bool plan_fail(Planner *m, HarnessPlace place, const char *remedy, const char *format,
               ...) {
  va_list args;
  va_start(args, format);
  Str text = {0};
  str_vaddf(&text, format, args);
  va_end(args);
  const Harness *h = m->plan->harness;
  if (h->short_form)
    err_input(m->err, NULL, remedy, HARNESS_ENTRY ": %s", str_text(&text));
  else
    err_set(m->err, ERR_INPUT, h->file, place.line, place.column, remedy, "%s",
            str_text(&text));
  str_free(&text);
  return false;
}

/* ---- routines ---- */

static bool no_such_function(Planner *m, const HarnessCall *call) {
  const Program *p = m->plan->program;
  VEC(const char *) names = {0};
  for (FuncId f = 1; f < p->functions.len; f++)
    if (p->functions.data[f].flags & FUNCTION_DEFINED)
      vec_push(&names, sym_text(p, p->functions.data[f].name));
  vec_push(&names, NULL);
  const char *meant = opt_nearest(call->routine, names.data);
  char *remedy = meant ? str_printf("did you mean %s?", meant)
                       : str_dup("name functions that the given files define");
  plan_fail(m, call->place, remedy, "the program defines no function '%s'",
            call->routine);
  mem_free(remedy);
  vec_free(&names);
  return false;
}

bool plan_is_called(const char *function, const char *name) {
  size_t length = strlen(name);
  return strncmp(function, name, length) == 0 &&
         (!function[length] ||
          (function[length] == '.' &&
           strspn(function + length + 1, "0123456789") == strlen(function + length + 1)));
}

static bool find_function(Planner *m, const HarnessCall *call, FuncId *ret) {
  const Program *p = m->plan->program;
  *ret = 0;
  for (FuncId f = 1; f < p->functions.len; f++) {
    const Function *function = &p->functions.data[f];
    if (!(function->flags & FUNCTION_DEFINED) ||
        !plan_is_called(sym_text(p, function->name), call->routine))
      continue;
    if (*ret)
      return plan_fail(m, call->place,
                       "give one of them another name, or leave its file out",
                       "several files define a function '%s'", call->routine);
    *ret = f;
  }
  return *ret || no_such_function(m, call);
}

/* The declared type of a parameter. One whose address is taken lives in an object. */
static TypeId param_type(const Program *p, FuncId f, uint32_t i) {
  const Function *function = &p->functions.data[f];
  const Local *local = vec_at(&p->locals, function->first_local + i);
  if (local->type) return local->type;
  for (ObjectId o = 1; o < p->objects.len; o++)
    if (p->objects.data[o].owner == f && (p->objects.data[o].flags & OBJECT_PARAM) &&
        p->objects.data[o].name == local->name && local->name)
      return p->objects.data[o].type;
  return 0;
}

static TypeId pointee(const Program *p, TypeId type) {
  TypeId behind = type_behind(p, type);
  const Type *t = vec_at(&p->types, behind);
  return t->kind == TYPE_POINTER ? t->elem : 0;
}

static const char *int_type(uint32_t bits, bool is_unsigned) {
  switch (bits) {
  case 1: return "_Bool";
  case 8: return is_unsigned ? "unsigned char" : "signed char";
  case 16: return is_unsigned ? "unsigned short" : "short";
  case 32: return is_unsigned ? "unsigned int" : "int";
  case 64: return is_unsigned ? "unsigned long" : "long";
  case 128: return "unsigned __int128";
  }
  return NULL;
}

const char *plan_value_type(const Program *p, Sort sort, uint32_t bits, TypeId type) {
  TypeKind kind = (TypeKind)vec_at(&p->types, type_behind(p, type))->kind;
  if (sort == SORT_PTR) return "void *";
  if (sort == SORT_FLOAT)
    return bits == 32   ? "float"
           : bits == 64 ? "double"
           : bits == 80 ? "long double"
                        : NULL;
  if (sort != SORT_INT || kind == TYPE_STRUCT || kind == TYPE_UNION) return NULL;
  return int_type(bits, kind != TYPE_INT);
}

/* ---- objects ---- */

static uint32_t object_named(const Plan *plan, const char *name) {
  uint32_t i = 0;
  while (!str_eq(plan->objects.data[i].name, name)) i++;
  return i;
}

/* The object that stands for all pointers to one type where the harness names none. */
static uint32_t automatic_object(Plan *plan, TypeId type, int line) {
  TypeId behind = type_behind(plan->program, type);
  for (uint32_t i = 0; i < plan->objects.len; i++)
    if (!plan->objects.data[i].declared &&
        type_behind(plan->program, plan->objects.data[i].type) == behind)
      return i;
  const char *text = type_text(plan->program, type, plan->arena);
  const char *space = strrchr(text, ' ');
  char *name = arena_printf(plan->arena, "shared_%s", space ? space + 1 : text);
  for (char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c)) *c = '_';
  PlanObject object = {.name = name, .type = type, .any = true, .line = line};
  vec_push(&plan->objects, object);
  plan_note(plan, line,
            "every %s * that callers pass is the address of one shared object, with any "
            "contents but null pointers, free locks and bit-fields of 0",
            text);
  return plan->objects.len - 1;
}

static bool declare_objects(Planner *m) {
  Plan *plan = m->plan;
  for (uint32_t i = 0; i < plan->harness->objects.len; i++) {
    const HarnessObject *o = &plan->harness->objects.data[i];
    PlanObject object = {.name = o->name,
                         .bytes = o->bytes,
                         .sharing = o->sharing,
                         .any = o->any,
                         .declared = o,
                         .line = o->place.line};
    if (!is_identifier(o->name))
      return plan_fail(m, o->place, "use letters, digits and _",
                       "'%s' cannot name an object", o->name);
    if (o->type) {
      object.type = type_named(plan->program, o->type, plan->arena);
      if (!object.type || !type_is_object(plan->program, object.type))
        return plan_fail(
            m, o->place,
            "name a type of the program, such as struct device, or write 64 bytes",
            "the program has no %s of known size", o->type);
    }
    vec_push(&plan->objects, object);
  }
  return true;
}

/* An object without a type has that of the first parameter it is passed for. */
static bool settle_type(Planner *m, PlanObject *object, TypeId wanted,
                        const HarnessValue *value, const char *param) {
  const Program *p = m->plan->program;
  if (object->type || object->bytes) return true;
  if (!type_is_object(p, wanted))
    return plan_fail(m, value->place, "give the object a type, or a size: 64 bytes",
                     "what the parameter %s points to has no known size", param);
  object->type = wanted;
  return true;
}

static void note_object(Plan *plan, const PlanObject *o) {
  static const char *const whose[] = {"for all callers", "for each caller",
                                      "for each call"};
  if (!o->declared) return;
  const char *what =
      o->type ? type_text(plan->program, o->type, plan->arena)
              : arena_printf(plan->arena, "%llu bytes", (unsigned long long)o->bytes);
  plan_note(plan, o->line, "%s is one object (%s) %s, %s%s", o->name, what,
            whose[o->sharing],
            o->any ? "with any contents but null pointers, free locks and bit-fields of 0"
                   : "zeroed at the beginning",
            o->declared->fields.len ? ", but for the fields that are given" : "");
}

static bool check_fields(Planner *m, const PlanObject *o) {
  const Program *p = m->plan->program;
  for (uint32_t i = 0; o->declared && i < o->declared->fields.len; i++) {
    const HarnessField *f = &o->declared->fields.data[i];
    TypeId type = o->type ? type_member(p, o->type, f->path) : 0;
    if (type && ctypes_scalar(p, type)) continue;
    if (type)
      return plan_fail(m, f->place, "name a field that is a number",
                       "the field %s of %s is no number", f->path, o->name);
    const char *none[] = {NULL};
    const char *meant =
        opt_nearest(f->path, o->type ? type_members(p, o->type, m->plan->arena) : none);
    char *remedy = meant ? str_printf("did you mean %s?", meant)
                         : str_dup("name a field of the object's type");
    plan_fail(m, f->place, remedy, "%s has no field %s", o->name, f->path);
    mem_free(remedy);
    return false;
  }
  return true;
}

/* ---- arguments ---- */

static const char *param_name(Plan *plan, const PlanCall *call, uint32_t i) {
  const Program *p = plan->program;
  uint32_t local = p->functions.data[call->function].first_local + i;
  const char *name = sym_text(p, vec_at(&p->locals, local)->name);
  bool usable = is_identifier(name);
  for (uint32_t k = 0; usable && k < i; k++) usable = !str_eq(call->args[k].name, name);
  return usable ? name : arena_printf(plan->arena, "argument_%u", i + 1);
}

static bool plan_pointer(Planner *m, const PlanCall *call, TypeId type, PlanArg *arg) {
  Plan *plan = m->plan;
  TypeId target = pointee(plan->program, type);
  const HarnessValue *value = arg->value;
  const Type *t = vec_at(&plan->program->types, type_behind(plan->program, target));
  arg->kind = value ? value->kind : VALUE_ANY;
  if (!value && type_is_object(plan->program, target) && t->size > 1) {
    arg->kind = VALUE_OBJECT;
    arg->object = automatic_object(plan, target, call->call->place.line);
  } else if (arg->kind == VALUE_OBJECT) {
    arg->object = object_named(plan, value->object);
    if (!settle_type(m, &plan->objects.data[arg->object], target, value, arg->name))
      return false;
  } else if (arg->kind == VALUE_RANGE && value->low == 0 && value->high == 0) {
    arg->kind = VALUE_NULL;
  } else if (arg->kind == VALUE_RANGE || arg->kind == VALUE_CHOICE) {
    return plan_fail(m, value->place, "write an object, null or any",
                     "the parameter %s of %s is a pointer", arg->name,
                     call->call->routine);
  }
  plan->open = plan->open || arg->kind == VALUE_ANY;
  return true;
}

static bool plan_arg(Planner *m, PlanCall *call, uint32_t i) {
  Plan *plan = m->plan;
  const Program *p = plan->program;
  const Function *function = &p->functions.data[call->function];
  const Local *local = vec_at(&p->locals, function->first_local + i);
  const HarnessCall *said = call->call;
  PlanArg *arg = &call->args[i];
  TypeId type = param_type(p, call->function, i);
  arg->name = param_name(plan, call, i);
  arg->c_type = plan_value_type(p, (Sort)local->sort, local->bits, type);
  arg->value = said->automatic ? NULL : &said->args[i];
  if (!arg->c_type || vec_at(&p->passings, function->first_passing + i)->byval_size)
    return plan_fail(m, said->place, "call it through a function that takes pointers",
                     "the parameter %s of %s is a structure or a vector, which a harness "
                     "cannot pass",
                     arg->name, said->routine);
  if (local->sort == SORT_PTR) return plan_pointer(m, call, type, arg);
  arg->kind = arg->value ? arg->value->kind : VALUE_ANY;
  if (arg->kind == VALUE_OBJECT || arg->kind == VALUE_NULL)
    return plan_fail(m, arg->value->place, "write any, a number, 0 to 9 or 1 | 2",
                     "the parameter %s of %s is no pointer", arg->name, said->routine);
  return true;
}

static bool wrong_count(Planner *m, const PlanCall *call) {
  const Program *p = m->plan->program;
  const Function *f = &p->functions.data[call->function];
  Str remedy = {0};
  str_add(&remedy, f->param_count ? "its parameters are " : "it has none");
  for (uint32_t i = 0; i < f->param_count; i++) {
    const char *name = sym_text(p, vec_at(&p->locals, f->first_local + i)->name);
    str_addf(&remedy, "%s%s", i ? ", " : "", *name ? name : "_");
  }
  plan_fail(m, call->call->place, str_text(&remedy),
            "%s has %u parameters, and the call gives %u", call->call->routine,
            f->param_count, call->call->arg_count);
  str_free(&remedy);
  return false;
}

static const char *call_name(Plan *plan, const char *wanted) {
  const char *base = is_identifier(wanted) ? wanted : "routine", *name = base;
  for (uint32_t i = 0, n = 2; i < plan->calls.len; i++)
    if (str_eq(plan->calls.data[i].name, name)) {
      name = arena_printf(plan->arena, "%s_%u", base, n++);
      i = UINT32_MAX; /* look at all of them again */
    }
  return name;
}

static const HarnessEvent *event_of(const Harness *h, const HarnessCall *call) {
  for (uint32_t i = 0; i < h->events.len; i++)
    if (&h->calls.data[h->events.data[i].call] == call) return &h->events.data[i];
  return NULL;
}

static bool plan_call(Planner *m, const HarnessCall *said) {
  Plan *plan = m->plan;
  const Program *p = plan->program;
  PlanCall call = {.call = said,
                   .event = event_of(plan->harness, said),
                   .name = call_name(plan, said->name)};
  if (!find_function(m, said, &call.function)) return false;
  const Function *f = &p->functions.data[call.function];
  call.arg_count = f->param_count;
  if (!said->automatic && said->arg_count != f->param_count) return wrong_count(m, &call);
  call.args = arena_alloc_zero(plan->arena, (call.arg_count + 1) * sizeof *call.args);
  for (uint32_t i = 0; i < call.arg_count; i++)
    if (!plan_arg(m, &call, i)) return false;
  if (f->return_bits) {
    TypeId type = f->type ? vec_at(&p->types, f->type)->elem : 0;
    call.c_result = plan_value_type(p, (Sort)f->return_sort, f->return_bits, type);
    if (!call.c_result)
      return plan_fail(m, said->place, "call it through a function that returns nothing",
                       "%s returns a structure, which a harness cannot take",
                       said->routine);
  }
  if (said->has_result && (!call.c_result || str_eq(call.c_result, "void *")))
    return plan_fail(m, said->result.place, "leave `returns` out", "%s returns no number",
                     said->routine);
  if (said->promise)
    plan_note(plan, said->place.line, "callers of %s promise %s", said->routine,
              said->promise);
  if (said->has_result && said->result.kind != VALUE_ANY)
    plan_note(plan, said->place.line, "%s returns what the harness says", said->routine);
  vec_push(&plan->calls, call);
  return true;
}

static bool check_unused(Planner *m) {
  Plan *plan = m->plan;
  for (uint32_t i = 0; i < plan->objects.len; i++) {
    const PlanObject *o = &plan->objects.data[i];
    if (!o->type && !o->bytes)
      return plan_fail(m, o->declared->place, "pass it to a routine, or give it a type",
                       "nothing says what the object %s is", o->name);
    if (!check_fields(m, o)) return false;
    note_object(plan, o);
  }
  return true;
}

static void note_callers(Plan *plan) {
  const Harness *h = plan->harness;
  for (uint32_t i = 0; i < h->callers.len; i++) {
    const HarnessCallers *c = &h->callers.data[i];
    const char *first = h->calls.data[c->first_call].name;
    if (c->event) continue;
    if (h->short_form) {
      plan_note(plan, c->place.line,
                "%s runs as %s from the beginning, with any argument", first,
                c->number ? "one thread" : "any number of threads");
      continue;
    }
    Str who = {0};
    if (c->number)
      str_addf(&who, "%u caller%s", c->number, c->number > 1 ? "s" : "");
    else
      str_add(&who, "any number of callers");
    str_addf(&who, " call%s", c->number == 1 ? "s" : "");
    if (c->call_count > 1) str_add(&who, c->repeat ? " any of:" : " one of:");
    for (uint32_t k = 0; k < c->call_count; k++)
      str_addf(&who, "%s %s", k ? "," : "", h->calls.data[c->first_call + k].name);
    plan_note(plan, c->place.line, "%s%s", str_text(&who),
              c->repeat ? ", again and again" : "");
    str_free(&who);
  }
}

bool plan_make(const Harness *harness, const Program *program, Plan *ret, Err *err) {
  Plan plan = {.harness = harness, .program = program, .arena = arena_new()};
  Planner m = {.plan = &plan, .err = err};
  bool ok = declare_objects(&m);
  for (uint32_t i = 0; ok && i < harness->calls.len; i++)
    ok = plan_call(&m, &harness->calls.data[i]);
  ok = ok && check_unused(&m) && plan_events(&m);
  if (!ok) {
    plan_free(&plan);
    return false;
  }
  note_callers(&plan);
  plan_keep_apart(&plan);
  *ret = plan;
  return true;
}

void plan_free(Plan *plan) {
  for (uint32_t i = 0; i < plan->calls.len; i++) vec_free(&plan->calls.data[i].holds);
  for (uint32_t i = 0; i < plan->notes.len; i++) mem_free(plan->notes.data[i].what);
  vec_free(&plan->objects);
  vec_free(&plan->calls);
  vec_free(&plan->locks);
  vec_free(&plan->variables);
  vec_free(&plan->hooks);
  vec_free(&plan->notes);
  arena_free(plan->arena);
  *plan = (Plan){0};
}
