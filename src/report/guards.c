/* The inferred guards as annotations for `clang -Wthread-safety`:
 *
 *   int counter GUARDED_BY(m);                     // prog.c:3
 *   int n GUARDED_BY(lock);                        // in struct dev, for d (prog.c:5)
 *
 * A guarded variable gets the annotation itself; a guarded member gets it in its
 * structure, where a lock of the same structure goes by its member's name. What has no
 * declaration that could carry one (a heap block without a type) is told in a comment. */
#include "report/report.h"

#include "base/map.h"
#include "model/print.h"
#include "model/program.h"
#include "report/paper.h"

#include <string.h>

enum { PLACE_COLUMN = 50 };

/* Where the annotation of a location belongs. */
typedef struct {
  TypeId type;      /* of the declared thing */
  const char *name; /* and its name */
  size_t name_length;
  TypeId record;    /* the structure that declares it; 0: it is a variable */
  size_t container; /* length of the location's name up to that structure */
} Declared;

static const Field *find_field(const Program *p, const Type *record, const char *name,
                               size_t length) {
  for (uint32_t i = 0; i < record->field_count; i++) {
    const Field *f = &p->fields.data[record->first_field + i];
    const char *own = sym_text(p, f->name);
    if (strlen(own) == length && memcmp(own, name, length) == 0) return f;
  }
  return NULL;
}

/* Like find_field, and also inside of members without a name. */
static const Field *find_member(const Program *p, TypeId record, const char *name,
                                size_t length, int depth) {
  const Type *t = &p->types.data[record];
  const Field *found = find_field(p, t, name, length);
  for (uint32_t i = 0; !found && depth < 16 && i < t->field_count; i++) {
    const Field *f = &p->fields.data[t->first_field + i];
    TypeId inner = type_resolve(p, f->type);
    if (!*sym_text(p, f->name) && inner &&
        (p->types.data[inner].kind == TYPE_STRUCT ||
         p->types.data[inner].kind == TYPE_UNION))
      found = find_member(p, inner, name, length, depth + 1);
  }
  return found;
}

/* Follows a name such as `pool.queue[].head` through the types to the innermost member.
 */
static bool find_declaration(const Program *p, const Location *l, Declared *ret) {
  const Object *o = vec_at(&p->objects, l->object);
  const char *own = sym_text(p, o->name);
  if (!l->object || !o->type || !*own || !str_starts(l->name, own)) return false;
  bool variable = o->kind == OBJECT_GLOBAL || o->kind == OBJECT_STACK;
  *ret = (Declared){.type = o->type, .name = own, .name_length = strlen(own)};
  TypeId type = type_resolve(p, o->type);
  const char *at = l->name + strlen(own);
  while (*at && type) {
    if (str_starts(at, "[]")) {
      type = type_resolve(p, p->types.data[type].elem);
      at += 2;
      continue;
    }
    size_t length = *at == '.' ? strcspn(at + 1, ".[") : 0;
    const Field *f = length ? find_member(p, type, at + 1, length, 0) : NULL;
    if (!f) return false;
    *ret = (Declared){.type = f->type,
                      .name = at + 1,
                      .name_length = length,
                      .record = type,
                      .container = (size_t)(at - l->name)};
    type = type_resolve(p, f->type);
    at += 1 + length;
  }
  return !*at && (ret->record || variable);
}

/* The guard as it is called where the annotation stands. */
static void add_guard(const Program *p, const Location *l, const Declared *d,
                      const char *guard, Str *out) {
  if (d->record && strncmp(guard, l->name, d->container) == 0 &&
      guard[d->container] == '.') {
    str_add(out, guard + d->container + 1);
    return;
  }
  const char *arrow = d->record ? strrchr(guard, '>') : NULL;
  if (arrow && arrow > guard && arrow[-1] == '-' &&
      find_member(p, d->record, arrow + 1, strlen(arrow + 1), 0)) {
    str_add(out, arrow + 1);
    return;
  }
  str_add(out, guard);
}

static void add_place(const Program *p, const Location *l, const Declared *d,
                      Printer *printer, Str *out) {
  const SourcePlace *place = &l->declared;
  if (d && d->record) {
    str_add(out, "in ");
    printer_type(printer, d->record, "", out);
    str_addf(out, ", for %s", sym_text(p, vec_at(&p->objects, l->object)->name));
    if (place_is_known(place)) str_addf(out, " (%s:%u)", place->file, place->line);
  } else if (place_is_known(place)) {
    str_addf(out, "%s:%u", place->file, place->line);
  }
}

static bool is_named(const char *text) {
  return !strpbrk(text, " ?");
}

static void add_annotation(const Program *p, const Location *l, Printer *printer,
                           Str *out) {
  Declared d;
  if (!find_declaration(p, l, &d)) {
    str_addf(out, "// %s: guarded by", l->name);
    for (uint32_t i = 0; i < l->guard_count; i++)
      str_addf(out, "%s %s", i ? "," : "", l->guards[i]);
    str_add(out, "; ");
    add_place(p, l, NULL, printer, out);
    return;
  }
  char *name = str_ndup(d.name, d.name_length);
  printer_type(printer, d.type, name, out);
  mem_free(name);
  for (uint32_t i = 0; i < l->guard_count; i++) {
    if (!is_named(l->guards[i])) continue; /* a lock without a name in the source */
    str_add(out, " GUARDED_BY(");
    add_guard(p, l, &d, l->guards[i], out);
    str_add_char(out, ')');
  }
  str_add_char(out, ';');
  str_pad(out, 0, PLACE_COLUMN);
  str_add(out, " // ");
  add_place(p, l, &d, printer, out);
}

uint32_t report_guards(const CheckResult *result, Str *out) {
  const Program *p = result->program;
  Printer *printer = printer_new(p);
  StrMap told = {0}; /* the same member of several objects is told once */
  uint32_t count = 0;
  for (uint32_t i = 0; i < result->locations.len; i++) {
    const Location *l = &result->locations.data[i];
    if (l->reason != REASON_GUARDED || !l->guard_count) continue;
    Str line = {0};
    add_annotation(p, l, printer, &line);
    const char *place = strstr(str_text(&line), " // in ");
    const char *comma = place ? strstr(place, ", for ") : NULL;
    size_t key = comma ? (size_t)(comma - line.data) : line.len;
    if (!(*strmap_at(&told, line.data, key))++) {
      str_addf(out, "%s\n", line.data);
      count++;
    }
    str_free(&line);
  }
  strmap_free(&told);
  printer_free(printer);
  return count;
}
