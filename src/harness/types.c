/* Types of the program, by its debug information, as C text.
 *
 * A structure is written packed, with padding spelt out, so that every member lies where
 * it lies in the program whatever attributes made it so. Pointers are void *: a harness
 * looks at the objects that it makes, not behind them. Bit-fields, and members without a C
 * name, are bytes of padding. */
#include "harness/plan.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 24 };

static const Type *type_at(const Program *p, TypeId id) {
  return vec_at(&p->types, id);
}

TypeId type_behind(const Program *p, TypeId id) {
  for (int i = 0; i < DEPTH_MAX && id && type_at(p, id)->kind == TYPE_ALIAS; i++)
    id = type_at(p, id)->elem;
  return id && type_at(p, id)->kind == TYPE_ALIAS ? 0 : id;
}

bool is_identifier(const char *text) {
  if (!isalpha((unsigned char)*text) && *text != '_') return false;
  for (; *text; text++)
    if (!isalnum((unsigned char)*text) && *text != '_') return false;
  return true;
}

static bool is_record(const Type *t) {
  return t->kind == TYPE_STRUCT || t->kind == TYPE_UNION;
}

const char *type_text(const Program *p, TypeId id, Arena *arena) {
  const Type *named = type_at(p, id), *t = type_at(p, type_behind(p, id));
  const char *tag = sym_text(p, t->name);
  if (is_record(t) && *tag)
    return arena_printf(arena, "%s %s", t->kind == TYPE_UNION ? "union" : "struct", tag);
  if (is_record(t))
    return named->kind == TYPE_ALIAS ? sym_text(p, named->name) : "struct";
  if (t->kind == TYPE_POINTER) return "pointer";
  return *tag ? tag : "bytes";
}

TypeId type_named(const Program *p, const char *name, Arena *arena) {
  TypeId incomplete = 0;
  for (TypeId id = 1; id < p->types.len; id++) {
    const Type *t = type_at(p, id);
    bool alias = t->kind == TYPE_ALIAS && str_eq(sym_text(p, t->name), name);
    if (!alias && (!is_record(t) || !str_eq(type_text(p, id, arena), name))) continue;
    TypeId behind = type_behind(p, id);
    if (behind && !(type_at(p, behind)->flags & TYPE_INCOMPLETE)) return id;
    incomplete = id;
  }
  return incomplete;
}

const char *ctypes_scalar(const Program *p, TypeId id) {
  const Type *t = type_at(p, type_behind(p, id));
  bool is_signed = t->kind == TYPE_INT;
  switch ((TypeKind)t->kind) {
  case TYPE_BOOL: return t->size == 1 ? "_Bool" : NULL;
  case TYPE_FLOAT:
    return t->size == 4    ? "float"
           : t->size == 8  ? "double"
           : t->size == 16 ? "long double"
                           : NULL;
  case TYPE_INT:
  case TYPE_UINT:
  case TYPE_ENUM:
    switch (t->size) {
    case 1: return is_signed ? "signed char" : "unsigned char";
    case 2: return is_signed ? "short" : "unsigned short";
    case 4: return is_signed ? "int" : "unsigned int";
    case 8: return is_signed ? "long" : "unsigned long";
    case 16: return is_signed ? "__int128" : "unsigned __int128";
    }
    return NULL;
  case TYPE_NONE:
  case TYPE_VOID:
  case TYPE_POINTER:
  case TYPE_ARRAY:
  case TYPE_STRUCT:
  case TYPE_UNION:
  case TYPE_FUNCTION:
  case TYPE_ALIAS: return NULL;
  }
  return NULL;
}

bool type_is_object(const Program *p, TypeId id) {
  id = type_behind(p, id);
  if (!id) return false;
  const Type *t = type_at(p, id);
  bool known =
      is_record(t) ? !(t->flags & TYPE_INCOMPLETE) : ctypes_scalar(p, id) != NULL;
  return known && t->size > 0 && t->size <= 1 << 24;
}

/* ---- definitions ---- */

static void add_members(CTypes *types, const Type *t, int depth, Str *out);

static const char *record_word(const Type *t) {
  return t->kind == TYPE_UNION ? "union" : "struct";
}

static const char *free_tag(CTypes *types, const char *wanted) {
  const char *name = wanted;
  for (int i = 2; strmap_find(&types->tags, name, 0); i++)
    name = arena_printf(types->arena, "%s_%d", wanted, i);
  strmap_put(&types->tags, name, 1);
  return name;
}

/* The tag of a record, which is defined now if it was not before. */
static const char *record_tag(CTypes *types, TypeId id, const char *wanted, int depth) {
  uint64_t known = map_find(&types->known, id, 0);
  if (known) return types->names.data[known - 1];
  const Type *t = type_at(types->program, id);
  const char *tag = free_tag(types, wanted);
  vec_push(&types->names, tag);
  map_put(&types->known, id, types->names.len);
  Str body = {0};
  add_members(types, t, depth + 1, &body);
  str_addf(&types->definitions, "%s __attribute__((packed)) %s {\n%s};\n", record_word(t),
           tag, str_text(&body));
  str_free(&body);
  return tag;
}

static void add_bytes(const char *name, uint64_t size, Str *out) {
  str_addf(out, "unsigned char %s[%llu]", name, (unsigned long long)size);
}

/* `inside`: a member, whose alignment must not add padding. */
static void declare(CTypes *types, TypeId id, const char *name, int depth, bool inside,
                    Str *out) {
  const Program *p = types->program;
  TypeId behind = type_behind(p, id);
  const Type *t = type_at(p, behind);
  const char *scalar = ctypes_scalar(p, behind);
  if (scalar) {
    str_addf(out, "%s %s", scalar, name);
  } else if (t->kind == TYPE_POINTER && t->size == 8) {
    str_addf(out, "void *%s", name);
  } else if (t->kind == TYPE_ARRAY && t->elem && depth < DEPTH_MAX) {
    char *deeper = str_printf("%s[%llu]", name, (unsigned long long)t->count);
    declare(types, t->elem, deeper, depth + 1, inside, out);
    mem_free(deeper);
  } else if (is_record(t) && depth < DEPTH_MAX && !inside) {
    const char *tag = sym_text(p, t->name);
    if (!*tag && id != behind) tag = sym_text(p, type_at(p, id)->name);
    if (!is_identifier(tag)) tag = "unnamed";
    str_addf(out, "%s %s %s", record_word(t), record_tag(types, behind, tag, depth),
             name);
  } else if (is_record(t) && depth < DEPTH_MAX) {
    str_addf(out, "%s __attribute__((packed)) {\n", record_word(t));
    add_members(types, t, depth + 1, out);
    str_addf(out, "} %s", name);
  } else {
    add_bytes(name, t->size, out);
  }
}

static void add_padding(uint64_t at, uint64_t size, Str *out) {
  if (!size) return;
  char name[40];
  snprintf(name, sizeof name, "pad_%llu", (unsigned long long)at);
  add_bytes(name, size, out);
  str_add(out, ";\n");
}

/* Members whose names C would take, at the offsets that they have. */
static void add_members(CTypes *types, const Type *t, int depth, Str *out) {
  const Program *p = types->program;
  uint64_t at = 0;
  for (uint32_t i = 0; i < t->field_count; i++) {
    const Field *f = vec_at(&p->fields, t->first_field + i);
    const char *name = sym_text(p, f->name);
    uint64_t offset = f->bit_offset / 8, size = f->bit_size / 8;
    bool usable = !f->is_bitfield && f->bit_offset % 8 == 0 && f->type &&
                  (is_identifier(name) || !*name) && offset <= t->size &&
                  size <= t->size - offset;
    bool record = f->type && type_behind(p, f->type) &&
                  is_record(type_at(p, type_behind(p, f->type)));
    if (!usable || (!*name && !record)) continue;
    if (t->kind == TYPE_STRUCT) {
      if (offset < at) continue;
      add_padding(at, offset - at, out);
      at = offset + size;
    }
    declare(types, f->type, name, depth, true, out);
    str_add(out, ";\n");
  }
  if (t->kind == TYPE_UNION)
    add_padding(0, t->size, out);
  else
    add_padding(at, t->size - at, out);
}

void ctypes_declare(CTypes *types, TypeId type, const char *name, Str *out) {
  declare(types, type, name, 0, false, out);
}

void ctypes_free(CTypes *types) {
  str_free(&types->definitions);
  map_free(&types->known);
  strmap_free(&types->tags);
  vec_free(&types->names);
}

/* ---- members ---- */

static TypeId member_named(const Program *p, TypeId id, const char *name, size_t length,
                           int depth) {
  TypeId behind = type_behind(p, id);
  if (!behind || depth > DEPTH_MAX || !is_record(type_at(p, behind))) return 0;
  const Type *t = type_at(p, behind);
  for (uint32_t i = 0; i < t->field_count; i++) {
    const Field *f = vec_at(&p->fields, t->first_field + i);
    const char *own = sym_text(p, f->name);
    if (f->is_bitfield) continue;
    if (strlen(own) == length && memcmp(own, name, length) == 0 && length) return f->type;
    TypeId inner = *own ? 0 : member_named(p, f->type, name, length, depth + 1);
    if (inner) return inner;
  }
  return 0;
}

TypeId type_member(const Program *p, TypeId id, const char *path) {
  while (id) {
    size_t length = strcspn(path, ".");
    id = member_named(p, id, path, length, 0);
    if (!path[length]) break;
    path += length + 1;
  }
  return id;
}

static void collect_members(const Program *p, TypeId id, int depth, Arena *arena,
                            const char **names, uint32_t *n, uint32_t limit) {
  TypeId behind = type_behind(p, id);
  if (!behind || depth > DEPTH_MAX || !is_record(type_at(p, behind))) return;
  const Type *t = type_at(p, behind);
  for (uint32_t i = 0; i < t->field_count && *n < limit; i++) {
    const Field *f = vec_at(&p->fields, t->first_field + i);
    if (*sym_text(p, f->name))
      names[(*n)++] = arena_strdup(arena, sym_text(p, f->name));
    else
      collect_members(p, f->type, depth + 1, arena, names, n, limit);
  }
}

const char *const *type_members(const Program *p, TypeId id, Arena *arena) {
  enum { NAMES_MAX = 512 };
  const char **names = arena_alloc_zero(arena, (NAMES_MAX + 1) * sizeof *names);
  uint32_t n = 0;
  collect_members(p, id, 0, arena, names, &n, NAMES_MAX);
  return names;
}

/* ---- contents ---- */

/* State of a library, which a program makes by calls, or finds free when it is zero. */
static bool is_lock_type(const char *name) {
  static const char *const words[] = {"sem_t", "mtx_t", "cnd_t", "once_flag",
                                      "atomic_flag"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (str_eq(name, words[i])) return true;
  return str_starts(name, "pthread_");
}

/* `loops` goes before a statement about the lvalue, whose indices it sets. */
static void each_scalar(const Program *p, TypeId id, const char *loops,
                        const char *lvalue, int depth, ScalarFn *each, void *data) {
  for (int i = 0; i < DEPTH_MAX && id && type_at(p, id)->kind == TYPE_ALIAS; i++) {
    if (is_lock_type(sym_text(p, type_at(p, id)->name))) return;
    id = type_at(p, id)->elem;
  }
  if (!id || depth > DEPTH_MAX) return;
  const Type *t = type_at(p, id);
  const char *scalar = ctypes_scalar(p, id);
  if (scalar) {
    each(data, loops, lvalue, scalar);
  } else if (t->kind == TYPE_ARRAY && t->elem && t->count) {
    char *more = str_printf("%sfor (unsigned long i%d = 0; i%d < %lluUL; i%d++) ", loops,
                            depth, depth, (unsigned long long)t->count, depth);
    char *inner = str_printf("%s[i%d]", lvalue, depth);
    each_scalar(p, t->elem, more, inner, depth + 1, each, data);
    mem_free(more);
    mem_free(inner);
  } else if (is_record(t)) {
    for (uint32_t i = 0; i < t->field_count; i++) {
      const Field *f = vec_at(&p->fields, t->first_field + i);
      const char *name = sym_text(p, f->name);
      if (f->is_bitfield || (*name && !is_identifier(name))) continue;
      char *inner = *name ? str_printf("%s.%s", lvalue, name) : str_dup(lvalue);
      each_scalar(p, f->type, loops, inner, depth + 1, each, data);
      mem_free(inner);
    }
  }
}

void type_each_scalar(const Program *p, TypeId type, const char *lvalue, ScalarFn *each,
                      void *data) {
  each_scalar(p, type, "", lvalue, 0, each, data);
}
