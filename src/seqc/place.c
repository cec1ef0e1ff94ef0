/* The distinguished location, by the name that the user gives.
 *
 * A name is that of an object as `heddle model` lists it, followed by members and elements
 * (table[3].next, malloc:12.count), or what the source calls an access (conn->state), or a member's
 * name alone where only one location has it. */
#include "seqc/emit.h"

#include "base/mem.h"
#include "model/op_access.h"

#include <stdlib.h>
#include <string.h>

static const Type *type_at(const Seqc *s, TypeId id) {
  return vec_at(&s->program->types, type_resolve(s->program, id));
}

/* A member by its name, also inside of anonymous ones. */
static bool find_member(const Seqc *s, TypeId type, const char *name, size_t length,
                        uint64_t *offset, TypeId *ret) {
  const Type *t = type_at(s, type);
  for (uint32_t i = 0; i < t->field_count; i++) {
    const Field *f = vec_at(&s->program->fields, t->first_field + i);
    const char *own = sym_text(s->program, f->name);
    if (strlen(own) == length && strncmp(own, name, length) == 0) {
      *offset += f->bit_offset / 8;
      *ret = f->type;
      return true;
    }
    uint64_t inner = *offset + f->bit_offset / 8;
    if (!*own && find_member(s, f->type, name, length, &inner, ret)) {
      *offset = inner;
      return true;
    }
  }
  return false;
}

/* Follows .member and [index]; false: there is no such part. */
static bool follow(const Seqc *s, const char *path, TypeId type, SeqcPlace *place) {
  while (*path) {
    const Type *t = type_at(s, type);
    if (*path == '.') {
      size_t length = strcspn(path + 1, ".[");
      if (!find_member(s, type, path + 1, length, &place->offset, &type)) return false;
      path += 1 + length;
    } else if (*path == '[' && t->kind == TYPE_ARRAY) {
      char *end;
      unsigned long long index = strtoull(path + 1, &end, 10);
      if (end == path + 1 || *end != ']' || (t->count && index >= t->count)) return false;
      type = t->elem;
      place->offset += index * type_at(s, type)->size;
      path = end + 1;
    } else {
      return false;
    }
    place->size = type_at(s, type)->size;
  }
  return true;
}

static bool may_hold(const Seqc *s, ObjectId id) {
  const Object *o = &s->program->objects.data[id];
  return o->kind == OBJECT_GLOBAL || o->kind == OBJECT_HEAP ||
         (o->kind == OBJECT_STACK && s->object_shared[id]);
}

static uint32_t find_objects(Seqc *s, const char *wanted) {
  uint32_t found = 0;
  for (ObjectId i = 1; i < s->program->objects.len; i++) {
    const Object *o = &s->program->objects.data[i];
    const char *name = sym_text(s->program, o->name);
    size_t length = strlen(name);
    if (!length || !may_hold(s, i) || strncmp(name, wanted, length) != 0 ||
        (wanted[length] && wanted[length] != '.' && wanted[length] != '['))
      continue;
    uint64_t size = o->size ? o->size : type_at(s, o->type)->size;
    SeqcPlace place = {i, 0, size ? size : 1};
    if (!follow(s, wanted + length, o->type, &place)) continue;
    s->place = place;
    found++;
  }
  return found;
}

static bool is_called(const char *path, const char *wanted, bool member) {
  size_t length = strlen(path), tail = strlen(wanted);
  if (!member) return str_eq(path, wanted);
  if (length <= tail || !str_eq(path + length - tail, wanted)) return false;
  return path[length - tail - 1] == '.' || path[length - tail - 1] == '>';
}

/* Locations of accesses that the source calls so. */
static uint32_t find_accesses(Seqc *s, const char *wanted, bool member) {
  uint32_t found = 0;
  for (EdgeId i = 1; i < s->program->edges.len; i++) {
    const Edge *e = &s->program->edges.data[i];
    if (!is_called(sym_text(s->program, e->path), wanted, member)) continue;
    OpAccess accesses[OP_ACCESS_MAX];
    uint32_t count = op_accesses(s->program, e, accesses);
    if (!count || !accesses[0].size) continue;
    Targets t = pointsto_expr(s->pointsto, accesses[0].address);
    for (uint32_t k = 0; k < t.count; k++) {
      ObjectId id = pointsto_object(s->pointsto, t.targets[k].object);
      if (!id || t.targets[k].function || t.targets[k].offset == OFFSET_ANY ||
          !may_hold(s, id))
        continue;
      SeqcPlace place = {id, t.targets[k].offset, accesses[0].size};
      if (found && s->place.object == id && s->place.offset == place.offset) continue;
      s->place = place;
      found++;
    }
  }
  return found;
}

bool seqc_find_place(Seqc *s) {
  const char *wanted = s->options->race;
  if (!wanted) return true;
  uint32_t found = find_objects(s, wanted);
  if (!found) found = find_accesses(s, wanted, false);
  if (!found) found = find_accesses(s, wanted, true);
  if (found == 1) return true;
  return found
             ? err_input(
                   s->err, NULL,
                   "name the object as `heddle model` lists it, as in malloc:12.count",
                   "--race: several locations are called '%s'", wanted)
             : err_input(s->err, NULL,
                         "name a variable, a member (table[3].next) or an access as the "
                         "source writes it (conn->state)",
                         "--race: no location that threads share is called '%s'", wanted);
}
