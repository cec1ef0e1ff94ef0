/* Objects as C variables, and the ways to read and write them.
 *
 * A variable of a basic type is one in C; everything else is an array of bytes with the object's
 * size and alignment. Initial values are bytes; addresses in them are stored by initial(), which
 * runs first. A stack object that only its own thread knows is a variable of the function; one that
 * others may know comes from frame_new, because it must outlive the frames of a thread that is
 * abandoned. Thread-local objects are arrays over the threads. */
#include "seqc/emit.h"

#include "base/mem.h"

#include <inttypes.h>

/* ---- declarations ---- */

const char *seqc_scalar(Seqc *s, const Object *o) {
  const Type *t = vec_at(&s->program->types, type_resolve(s->program, o->type));
  if (o->flags & (OBJECT_DYNAMIC | OBJECT_LITERAL) || t->size != o->size) return NULL;
  switch ((TypeKind)t->kind) {
  case TYPE_POINTER: return "char *";
  case TYPE_FLOAT: return o->size == 4 ? "float " : o->size == 8 ? "double " : NULL;
  case TYPE_INT:
  case TYPE_UINT:
  case TYPE_BOOL:
  case TYPE_ENUM:
    return o->size == 1   ? "uint8_t "
           : o->size == 2 ? "uint16_t "
           : o->size == 4 ? "uint32_t "
           : o->size == 8 ? "uint64_t "
                          : NULL;
  case TYPE_NONE:
  case TYPE_VOID:
  case TYPE_ARRAY:
  case TYPE_STRUCT:
  case TYPE_UNION:
  case TYPE_FUNCTION:
  case TYPE_ALIAS: break;
  }
  return NULL;
}

static bool has_bytes(const Seqc *s, const Object *o) {
  for (uint64_t i = 0; i < o->init_size; i++)
    if (s->program->bytes.data[o->init + i]) return true;
  return false;
}

static bool is_text(const Seqc *s, const Object *o) {
  const uint8_t *bytes = &s->program->bytes.data[o->init];
  if (!o->init_size || o->init_size != o->size || bytes[o->size - 1]) return false;
  for (uint64_t i = 0; i + 1 < o->init_size; i++)
    if ((bytes[i] < 32 && bytes[i] != '\n' && bytes[i] != '\t') || bytes[i] > 126)
      return false;
  return true;
}

static void put_text(const Seqc *s, const Object *o, Str *out) {
  str_add(out, "\"");
  for (uint64_t i = 0; i + 1 < o->init_size; i++) {
    uint8_t c = s->program->bytes.data[o->init + i];
    if (c == '\n')
      str_add(out, "\\n");
    else if (c == '\t')
      str_add(out, "\\t");
    else if (c == '?')
      str_add(out, "\\?");
    else if (c == '"' || c == '\\')
      str_addf(out, "\\%c", c);
    else
      str_add_char(out, (char)c);
  }
  str_add(out, "\"");
}

static void put_scalar_initial(const Seqc *s, const Object *o, Str *out) {
  uint64_t value = 0;
  memcpy(&value, &s->program->bytes.data[o->init], o->init_size < 8 ? o->init_size : 8);
  const Type *t = vec_at(&s->program->types, type_resolve(s->program, o->type));
  if (t->kind == TYPE_FLOAT && o->size == 4) {
    float f;
    memcpy(&f, &value, sizeof f);
    str_addf(out, " = %a", f);
  } else if (t->kind == TYPE_FLOAT) {
    double f;
    memcpy(&f, &value, sizeof f);
    str_addf(out, " = %a", f);
  } else {
    str_addf(out,
             t->kind == TYPE_POINTER ? " = (char *)%" PRIu64 "ul"
             : o->size == 8          ? " = %" PRIu64 "ul"
                                     : " = %" PRIu64,
             value);
  }
}

static void put_bytes(const Seqc *s, const Object *o, Str *out) {
  if (is_text(s, o)) {
    str_add(out, " = ");
    put_text(s, o, out);
    return;
  }
  uint64_t end = o->init_size;
  while (end && !s->program->bytes.data[o->init + end - 1]) end--;
  str_add(out, " = {");
  for (uint64_t i = 0; i < end; i++)
    str_addf(out, "%s%u", i ? ", " : "", s->program->bytes.data[o->init + i]);
  str_add(out, "}");
}

static void declare_global(Seqc *s, ObjectId id) {
  const Object *o = vec_at(&s->program->objects, id);
  const char *scalar = seqc_scalar(s, o);
  bool local = o->kind == OBJECT_TLS;
  Str text = {0};
  str_addf(&text, "static %s%s%s", scalar ? scalar : "unsigned char ", s->objects[id],
           local ? "[THREADS + 1]" : "");
  if (!scalar) str_addf(&text, "[%" PRIu64 "]", o->size ? o->size : 1);
  if (!scalar && o->align > 1) str_addf(&text, " __attribute__((aligned(%u)))", o->align);
  if (has_bytes(s, o) && !local) {
    if (scalar)
      put_scalar_initial(s, o, &text);
    else
      put_bytes(s, o, &text);
  }
  seqc_line(s, "%s;", str_text(&text));
  str_free(&text);
}

/* Marks what is used by initial values of what is used. */
static void mark_expr(Seqc *s, ExprId id, bool *more) {
  const Expr *e = program_expr(s->program, id);
  if (e->kind == EXPR_OBJECT && !s->object_used[e->data]) {
    s->object_used[e->data] = 1;
    *more = true;
  }
  const ExprId parts[] = {e->a, e->b, e->c};
  for (int i = 0; i < expr_operand_count((ExprKind)e->kind); i++)
    mark_expr(s, parts[i], more);
}

static bool is_ours(const Object *o) {
  return (o->kind == OBJECT_GLOBAL || o->kind == OBJECT_TLS) &&
         !(o->flags & OBJECT_EXTERNAL);
}

static bool is_stream(const char *name) {
  return str_eq(name, "stdin") || str_eq(name, "stdout") || str_eq(name, "stderr");
}

void seqc_declare_objects(Seqc *s) {
  const Program *p = s->program;
  for (bool more = true; more;) {
    more = false;
    for (ObjectId i = 1; i < p->objects.len; i++)
      for (uint32_t k = 0; s->object_used[i] && k < p->objects.data[i].reloc_count; k++)
        mark_expr(s, p->relocs.data[p->objects.data[i].first_reloc + k].target, &more);
  }
  seqc_line(s, "/* ---- the program's memory ---- */");
  seqc_line(s, "%s", "");
  for (ObjectId i = 1; i < p->objects.len; i++) {
    const Object *o = &p->objects.data[i];
    const char *name = sym_text(p, o->name);
    if (!s->object_used[i]) continue;
    if (is_ours(o)) {
      declare_global(s, i);
    } else if (o->flags & OBJECT_EXTERNAL && o->kind != OBJECT_STACK) {
      if (is_stream(name)) {
        strmap_put(&s->headers, "stdio.h", 1);
        continue;
      }
      const Loc *loc = vec_at(&p->locs, o->loc);
      err_set(s->err, ERR_INPUT, loc->file ? sym_text(p, loc->file) : NULL,
              (int)loc->line, (int)loc->column, "give the file that defines it",
              "the variable %s is only declared", name);
    }
  }
  seqc_line(s, "%s", "");
}

static void initial_tls(Seqc *s, ObjectId id) {
  const Object *o = vec_at(&s->program->objects, id);
  for (uint64_t i = 0; i < o->init_size; i++) {
    uint8_t byte = s->program->bytes.data[o->init + i];
    if (byte)
      seqc_line(s, "((m8 *)&%s[self])[%" PRIu64 "] = %u;", s->objects[id], i, byte);
  }
}

static void initial_relocs(Seqc *s, ObjectId id, bool tls) {
  const Object *o = vec_at(&s->program->objects, id);
  for (uint32_t k = 0; k < o->reloc_count; k++) {
    const Reloc *r = vec_at(&s->program->relocs, o->first_reloc + k);
    const Expr *e = program_expr(s->program, r->target);
    char *value = seqc_value(s, r->target);
    const char *cast = e->sort == SORT_PTR ? "mpointer"
                       : r->size == 8      ? "m64"
                       : r->size == 4      ? "m32"
                                           : "m8";
    seqc_line(s, "*(%s *)((char *)&%s%s + %" PRIu64 ") = %s;", cast, s->objects[id],
              tls ? "[self]" : "", r->offset, value);
    mem_free(value);
  }
}

void seqc_initial(Seqc *s) {
  const Program *p = s->program;
  for (int tls = 0; tls < 2; tls++) {
    seqc_line(s, tls ? "/* Thread-local objects of the thread that begins. */"
                     : "/* Addresses in initial values. */");
    seqc_line(s, "static void %s(void) {", tls ? "initial_thread" : "initial");
    s->indent++;
    for (ObjectId i = 1; i < p->objects.len; i++) {
      const Object *o = &p->objects.data[i];
      if (!s->object_used[i] || !is_ours(o) || (o->kind == OBJECT_TLS) != tls) continue;
      if (tls) initial_tls(s, i);
      initial_relocs(s, i, tls);
    }
    s->indent--;
    seqc_line(s, "}");
    seqc_line(s, "%s", "");
  }
}

void seqc_declare_frame(Seqc *s, ObjectId id) {
  const Object *o = vec_at(&s->program->objects, id);
  const char *scalar = seqc_scalar(s, o);
  if (s->object_shared[id])
    seqc_line(s, "char *%s = frame_new(%" PRIu64 ");", s->objects[id], o->size);
  else if (scalar)
    seqc_line(s, "%s%s = 0;", scalar, s->objects[id]);
  else
    seqc_line(s, "unsigned char %s[%" PRIu64 "] __attribute__((aligned(%u))) = {0};",
              s->objects[id], o->size ? o->size : 1, o->align ? o->align : 1);
}

/* ---- accesses ---- */

/* The type through which so many bytes of this sort are seen; NULL: only as bytes. */
static const char *view(uint8_t sort, uint32_t bits, uint32_t size) {
  if (sort == SORT_PTR) return "mpointer";
  if (sort == SORT_FLOAT) return bits == 32 ? "mfloat" : bits == 64 ? "mdouble" : NULL;
  return size == 1   ? "m8"
         : size == 2 ? "m16"
         : size == 4 ? "m32"
         : size == 8 ? "m64"
                     : NULL;
}

static const char *storage_view(const char *scalar) {
  return str_eq(scalar, "char *")      ? "mpointer"
         : str_eq(scalar, "float ")    ? "mfloat"
         : str_eq(scalar, "double ")   ? "mdouble"
         : str_eq(scalar, "uint8_t ")  ? "m8"
         : str_eq(scalar, "uint16_t ") ? "m16"
         : str_eq(scalar, "uint32_t ") ? "m32"
                                       : "m64";
}

/* The memory as an lvalue: a variable by its name where it is accessed as what it is. */
static char *lvalue(Seqc *s, ExprId address, const char *how) {
  const Expr *e = program_expr(s->program, address);
  if (e->kind == EXPR_OBJECT) {
    const Object *o = vec_at(&s->program->objects, e->data);
    const char *scalar = seqc_scalar(s, o);
    bool variable = !(o->kind == OBJECT_STACK && s->object_shared[e->data]) &&
                    !(o->flags & OBJECT_EXTERNAL);
    if (scalar && variable && str_eq(storage_view(scalar), how)) {
      s->object_used[e->data] = 1;
      return str_printf("%s%s", s->objects[e->data],
                        o->kind == OBJECT_TLS ? "[self]" : "");
    }
  }
  Str text = {0};
  str_addf(&text, "*(%s *)", how);
  seqc_expr(s, address, &text);
  return str_take(&text);
}

void seqc_load(Seqc *s, const char *to, uint8_t sort, uint32_t bits, ExprId address,
               uint32_t size) {
  const char *how = view(sort, bits, size);
  if (how) {
    char *place = lvalue(s, address, how);
    if (sort == SORT_INT && bits < size * 8)
      seqc_line(s, "%s = %s & 0x%" PRIx64 "ul;", to, place,
                bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX);
    else
      seqc_line(s, "%s = %s;", to, place);
    mem_free(place);
    return;
  }
  char *from = seqc_value(s, address);
  seqc_type(s, sort, bits);
  seqc_line(s, "%s = 0;", to);
  seqc_line(s, "memcpy(&%s, %s, %u);", to, from, size);
  mem_free(from);
}

void seqc_store(Seqc *s, ExprId address, uint32_t size, uint8_t sort, uint32_t bits,
                const char *value) {
  const char *how = view(sort, bits, size);
  if (how) {
    char *place = lvalue(s, address, how);
    seqc_line(s, "%s = %s;", place, value);
    mem_free(place);
    return;
  }
  char *to = seqc_value(s, address);
  seqc_line(s, "{ %s stored = %s; memcpy(%s, &stored, %u); }", seqc_type(s, sort, bits),
            value, to, size);
  mem_free(to);
}
