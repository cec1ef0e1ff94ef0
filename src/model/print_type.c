/* Types as C declarations, and initial values as C initialisers.
 *
 * A declaration is written inside out, as C reads: starting from the name, pointers are
 * put to its left, arrays and parameters to its right, until a named type ends it.
 * Initial values follow the type through the object's bytes and relocations; what does
 * not fit into the wanted length ends in "…". Nesting is bounded, so types of any depth
 * are harmless. */
#include "model/print_parts.h"

#include <inttypes.h>

enum { TYPE_DEPTH = 24, VALUE_DEPTH = 8 };

/* ---- types ------------------------------------------------------------------------- */

static void add_qualifiers(uint8_t flags, Str *out) {
  if (flags & TYPE_CONST) str_add(out, "const ");
  if (flags & TYPE_VOLATILE) str_add(out, "volatile ");
  if (flags & TYPE_ATOMIC) str_add(out, "_Atomic ");
}

static void add_named_type(const Program *p, const Type *t, Str *out) {
  static const char *const keywords[] = {
      [TYPE_STRUCT] = "struct ", [TYPE_UNION] = "union ", [TYPE_ENUM] = "enum "};
  const char *name = sym_text(p, t->name);
  bool tagged = t->kind == TYPE_STRUCT || t->kind == TYPE_UNION || t->kind == TYPE_ENUM;
  if (tagged) str_add(out, keywords[t->kind]);
  if (*name)
    str_add(out, name);
  else if (tagged)
    str_add(out, "{…}");
  else
    str_add(out, t->kind == TYPE_VOID || t->kind == TYPE_NONE ? "void" : "?");
}

/* Puts one more step around a declarator: a pointer to its left, an array or parameters
 * to its right. `pointer` tells whether the step before was a pointer. */
static void wrap_declarator(const Type *t, uint8_t qualifiers, bool pointer,
                            Str *declarator) {
  Str next = {0};
  if (t->kind == TYPE_POINTER) {
    str_add_char(&next, '*');
    add_qualifiers(qualifiers, &next);
    str_add(&next, str_text(declarator));
  } else {
    str_addf(&next, pointer ? "(%s)" : "%s", str_text(declarator));
    if (t->kind == TYPE_FUNCTION)
      str_add(&next, "()");
    else if (t->count)
      str_addf(&next, "[%" PRIu64 "]", t->count);
    else
      str_add(&next, "[]");
  }
  str_free(declarator);
  *declarator = next;
}

/* A nameless alias only carries qualifiers, which belong to what comes next. */
void printer_type(Printer *pr, TypeId type, const char *name, Str *out) {
  const Program *p = pr->program;
  Str declarator = {0};
  str_add(&declarator, name);
  uint8_t qualifiers = 0;
  bool pointer = false, ended = false;
  for (int depth = 0; depth < TYPE_DEPTH && p->types.len && !ended; depth++) {
    const Type *t = vec_at(&p->types, type);
    qualifiers |= t->flags;
    if (t->kind == TYPE_POINTER || t->kind == TYPE_ARRAY || t->kind == TYPE_FUNCTION) {
      wrap_declarator(t, qualifiers, pointer, &declarator);
      pointer = t->kind == TYPE_POINTER;
      if (t->kind != TYPE_ARRAY) qualifiers = 0;
    } else if (t->kind != TYPE_ALIAS || t->name) {
      add_qualifiers(qualifiers, out);
      add_named_type(p, t, out);
      ended = true;
    }
    type = t->elem;
  }
  if (!ended) str_add(out, "…"); /* deeper than anybody reads */
  const char *rest = str_text(&declarator);
  if (*rest && *rest != '[') str_add_char(out, ' ');
  str_add(out, rest);
  str_free(&declarator);
}

/* ---- literals ---------------------------------------------------------------------- */

static uint8_t initial_byte(const Program *p, const Object *o, uint64_t i) {
  return i < o->init_size ? p->bytes.data[o->init + i] : 0;
}

/* Bytes in quotes. `size` includes a final NUL, which is not shown. */
static void add_quoted(const Program *p, const Object *o, uint64_t from, uint64_t size,
                       size_t limit, Str *out) {
  uint64_t given = o->init_size > from ? o->init_size - from : 0;
  if (size > given + 1) size = given + 1; /* what follows is zero, however long */
  while (size > 1 && initial_byte(p, o, from + size - 1) == 0 &&
         initial_byte(p, o, from + size - 2) == 0)
    size--; /* an array longer than its text */
  if (size && initial_byte(p, o, from + size - 1) == 0) size--;
  size_t start = out->len;
  str_add_char(out, '"');
  for (uint64_t i = 0; i < size; i++) {
    if (out->len - start > limit) {
      str_add(out, "…");
      break;
    }
    uint8_t c = initial_byte(p, o, from + i);
    if (c == '\n')
      str_add(out, "\\n");
    else if (c == '\t')
      str_add(out, "\\t");
    else if (c == '"' || c == '\\')
      str_addf(out, "\\%c", c);
    else if (c < 0x20 || c >= 0x7f)
      str_addf(out, "\\%03o", c);
    else
      str_add_char(out, (char)c);
  }
  str_add_char(out, '"');
}

static bool is_text(const Program *p, const Object *o, uint64_t from, uint64_t size) {
  if (!size || initial_byte(p, o, from + size - 1) != 0) return false;
  uint64_t look = size < 64 ? size : 64;
  bool ended = false;
  for (uint64_t i = 0; i < look; i++) {
    uint8_t c = initial_byte(p, o, from + i);
    if (c == 0)
      ended = true;
    else if (ended || c < 0x07 || (c > 0x0d && c < 0x20 && c != 0x1b) || c == 0x7f)
      return false;
  }
  return true;
}

void printer_literal(Printer *pr, ObjectId id, size_t limit, Str *out) {
  const Program *p = pr->program;
  const Object *o = vec_at(&p->objects, id);
  if (o->reloc_count == 0 && is_text(p, o, 0, o->size))
    add_quoted(p, o, 0, o->size, limit, out);
  else
    printer_initial(pr, id, o->type, limit, out);
}

/* ---- initial values ---------------------------------------------------------------- */

typedef struct {
  Printer *printer;
  const Object *object;
  uint32_t reloc; /* the next relocation, as offsets ascend */
  size_t end;     /* out->len at which the text is long enough */
  Str *out;
} Value;

/* The relocation that covers `offset`; offsets are asked for in ascending order. */
static const Reloc *reloc_at(Value *v, uint64_t offset) {
  const Program *p = v->printer->program;
  while (v->reloc < v->object->reloc_count) {
    const Reloc *r = &p->relocs.data[v->object->first_reloc + v->reloc];
    if (r->offset == offset) return r;
    if (r->offset > offset) return NULL;
    v->reloc++;
  }
  return NULL;
}

static bool is_zero(Value *v, uint64_t offset, uint64_t size) {
  const Program *p = v->printer->program;
  const Object *o = v->object;
  for (uint32_t i = v->reloc; i < o->reloc_count; i++) {
    const Reloc *r = &p->relocs.data[o->first_reloc + i];
    if (r->offset >= offset + size) break;
    if (r->offset >= offset) return false;
  }
  for (uint64_t i = offset; i < offset + size && i < o->init_size; i++)
    if (p->bytes.data[o->init + i]) return false;
  return true;
}

static uint64_t read_number(const Program *p, const Object *o, uint64_t offset,
                            uint64_t size) {
  uint64_t value = 0;
  for (uint64_t i = 0; i < size && i < 8; i++)
    value |= (uint64_t)initial_byte(p, o, offset + i) << (8 * i);
  return value;
}

/* Data of unknown type: its bytes. */
static void add_bytes(Value *v, uint64_t offset, uint64_t size) {
  for (uint64_t i = 0; i < size; i++) {
    if (v->out->len > v->end) {
      str_add(v->out, "…");
      break;
    }
    str_addf(v->out, "%s%02x", i ? " " : "bytes ",
             initial_byte(v->printer->program, v->object, offset + i));
  }
}

static void add_scalar(Value *v, const Type *t, uint64_t offset, uint64_t size) {
  const Program *p = v->printer->program;
  const Reloc *r = reloc_at(v, offset);
  if (r) {
    printer_expr(v->printer, r->target, v->out);
    return;
  }
  uint64_t number = read_number(p, v->object, offset, size);
  if (t->kind == TYPE_FLOAT && (size == 4 || size == 8)) {
    double d = 0;
    float f = 0;
    memcpy(&d, &number, sizeof d);
    memcpy(&f, &number, sizeof f);
    str_addf(v->out, "%.9g", size == 8 ? d : (double)f);
  } else if (size > 8) {
    add_bytes(v, offset, size);
  } else if (t->kind == TYPE_POINTER) {
    if (number)
      str_addf(v->out, "0x%" PRIx64, number);
    else
      str_add(v->out, "NULL");
  } else if ((t->kind == TYPE_INT || t->kind == TYPE_ENUM) && size) {
    unsigned shift = (unsigned)(64 - 8 * size);
    str_addf(v->out, "%" PRId64, (int64_t)(number << shift) >> shift);
  } else {
    str_addf(v->out, number < 100000 ? "%" PRIu64 : "0x%" PRIx64, number);
  }
}

static void add_value(Value *v, TypeId type, uint64_t offset, uint64_t size, int depth);

static void add_struct(Value *v, const Type *t, uint64_t offset, int depth) {
  const Program *p = v->printer->program;
  bool first = true;
  str_add_char(v->out, '{');
  for (uint32_t i = 0; i < t->field_count; i++) {
    const Field *f = &p->fields.data[t->first_field + i];
    uint64_t start = offset + f->bit_offset / 8, size = (f->bit_size + 7) / 8;
    if (f->is_bitfield || is_zero(v, start, size))
      continue; /* only what differs from zero is worth a place */
    if (!first) str_add(v->out, ", ");
    first = false;
    if (v->out->len > v->end) {
      str_add(v->out, "…");
      break;
    }
    if (f->name) str_addf(v->out, ".%s = ", sym_text(p, f->name));
    add_value(v, f->type, start, size, depth + 1);
    if (t->kind == TYPE_UNION) break;
  }
  str_add_char(v->out, '}');
}

static void add_array(Value *v, const Type *t, uint64_t offset, uint64_t size,
                      int depth) {
  const Program *p = v->printer->program;
  const Type *elem = &p->types.data[type_resolve(p, t->elem)];
  uint64_t step = elem->size, count = step ? size / step : 0;
  if (step == 1 && elem->kind != TYPE_BOOL && is_text(p, v->object, offset, size)) {
    add_quoted(p, v->object, offset, size,
               v->end > v->out->len ? v->end - v->out->len : 4, v->out);
    return;
  }
  str_add_char(v->out, '{');
  for (uint64_t i = 0; i < count; i++) {
    if (i) str_add(v->out, ", ");
    if (v->out->len > v->end || (i && is_zero(v, offset + i * step, size - i * step))) {
      str_add(v->out, v->out->len > v->end ? "…" : "0…");
      break;
    }
    add_value(v, t->elem, offset + i * step, step, depth + 1);
  }
  str_add_char(v->out, '}');
}

static void add_value(Value *v, TypeId type, uint64_t offset, uint64_t size, int depth) {
  const Program *p = v->printer->program;
  static const Type unknown = {0};
  const Type *t = p->types.len ? &p->types.data[type_resolve(p, type)] : &unknown;
  if (v->out->len > v->end || depth > VALUE_DEPTH)
    str_add(v->out, "…");
  else if ((t->kind == TYPE_STRUCT || t->kind == TYPE_UNION) && t->field_count)
    add_struct(v, t, offset, depth);
  else if (t->kind == TYPE_ARRAY)
    add_array(v, t, offset, size, depth);
  else
    add_scalar(v, t, offset, size);
}

void printer_initial(Printer *pr, ObjectId id, TypeId type, size_t limit, Str *out) {
  const Object *o = vec_at(&pr->program->objects, id);
  Value v = {.printer = pr, .object = o, .end = out->len + limit, .out = out};
  if (is_zero(&v, 0, o->size))
    str_add_char(out, '0');
  else
    add_value(&v, type, 0, o->size, 0);
}
