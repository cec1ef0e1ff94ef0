/* Memory in the words of the source: conn->queue.head, a[i + 1], *p.
 *
 * In: an address expression. It is split into a base (an object or a local with a pointer
 * type), a constant offset and terms with a scale: the index of an array. Types then lead
 * from the base to what is meant, step by step: a term or a part of the offset that fits
 * the size of the elements becomes a subscript, the field that covers the offset becomes
 * ".field". What types do not explain is written as address arithmetic. */
#include "model/print_parts.h"

#include <inttypes.h>

enum { TERMS_MAX = 4, NESTING_MAX = 4 };

/* An address as base + offset + sum of scaled terms. */
typedef struct {
  ExprId base;
  int64_t offset;
  struct {
    ExprId value;
    int64_t scale;
  } terms[TERMS_MAX];
  int count;
} Address;

static bool split_address(const Program *p, ExprId id, Address *ret) {
  *ret = (Address){.base = id};
  for (;;) {
    const Expr *e = program_expr(p, ret->base);
    if (e->kind != EXPR_PTRADD) return true;
    ret->base = e->a;
    const Expr *offset = program_expr(p, e->b);
    if (offset->kind == EXPR_CONST) {
      ret->offset = (int64_t)((uint64_t)ret->offset + offset->value);
      continue;
    }
    if (ret->count == TERMS_MAX) return false;
    ExprId value = e->b;
    int64_t scale = 1;
    if (offset->kind == EXPR_MUL || offset->kind == EXPR_SHL) {
      const Expr *factor = program_expr(p, offset->b);
      bool shift = offset->kind == EXPR_SHL;
      if (factor->kind == EXPR_CONST && factor->value < (shift ? 32 : INT32_MAX)) {
        scale = shift ? INT64_C(1) << factor->value : (int64_t)factor->value;
        value = offset->a;
      }
    }
    ret->terms[ret->count].value = value;
    ret->terms[ret->count++].scale = scale;
  }
}

static uint64_t type_size(const Program *p, TypeId type) {
  TypeId t = type_resolve(p, type);
  return p->types.data[t].size;
}

/* An index: the term, without the widening to 64 bits that C's conversion puts there. */
static void show_index(Printer *pr, const Address *a, int term, int64_t scale,
                       int64_t add, Str *out) {
  ExprId value = a->terms[term].value;
  const Expr *e = program_expr(pr->program, value);
  if (e->kind == EXPR_SEXT || e->kind == EXPR_ZEXT) value = e->a;
  str_add_char(out, '[');
  if (scale != 1) str_addf(out, "%" PRId64 " * ", scale);
  printer_operand(pr, value, scale != 1 ? BIND_MUL : add ? BIND_ADD : BIND_NONE, out);
  if (add) str_addf(out, " %c %" PRId64, add < 0 ? '-' : '+', add < 0 ? -add : add);
  str_add_char(out, ']');
}

/* Takes the part of the address that indexes elements of `size` bytes: "[i + 1]". Returns
 * false when there is nothing to index. */
static bool take_index(Printer *pr, Address *a, uint64_t size, Str *out) {
  if (!size || size > INT32_MAX) return false;
  int64_t element = (int64_t)size, index = a->offset / element;
  if (a->offset % element < 0) index--;
  for (int i = 0; i < a->count; i++) {
    if (a->terms[i].scale % element != 0) continue;
    show_index(pr, a, i, a->terms[i].scale / element, index, out);
    a->offset -= index * element;
    a->terms[i] = a->terms[--a->count];
    return true;
  }
  if (a->count && index == 0) return false;
  str_addf(out, "[%" PRId64 "]", index);
  a->offset -= index * element;
  return true;
}

/* The field at a->offset that can hold `size` bytes; NULL when there is none. */
static const Field *field_at(const Program *p, const Type *t, const Address *a,
                             uint32_t size) {
  const Field *best = NULL;
  for (uint32_t i = 0; i < t->field_count; i++) {
    const Field *f = &p->fields.data[t->first_field + i];
    uint64_t start = f->bit_offset / 8, bytes = (f->bit_size + 7) / 8;
    if (a->offset < 0 || (uint64_t)a->offset < start ||
        (uint64_t)a->offset - start + (size ? size : 1) > bytes || f->is_bitfield)
      continue;
    if (!best || (size && bytes == size && best->bit_size != 8 * size)) best = f;
  }
  return best;
}

/* Appends the steps from an object of `type` down to what the address means. `arrow` is
 * true while the first step must be "->". False: the type does not explain the address.
 * */
static bool show_steps(Printer *pr, TypeId type, Address *a, uint32_t size, bool arrow,
                       Str *out) {
  const Program *p = pr->program;
  for (int depth = 0; depth < 32; depth++) {
    type = type_resolve(p, type);
    const Type *t = &p->types.data[type];
    bool here = a->offset == 0 && a->count == 0;
    if (t->kind == TYPE_ARRAY) {
      if (here && (size == 0 || size >= t->size) && t->size) return true;
      if (arrow || !take_index(pr, a, type_size(p, t->elem), out)) return false;
      type = t->elem;
      continue;
    }
    if (t->kind != TYPE_STRUCT && t->kind != TYPE_UNION)
      return here && (!size || !t->size || size <= t->size);
    if (here && size == 0) return true;
    const Field *f = field_at(p, t, a, size);
    if (!f) return here && size <= t->size;
    if (f->name) {
      str_addf(out, "%s%s", arrow ? "->" : ".", sym_text(p, f->name));
      arrow = false;
    }
    a->offset -= (int64_t)(f->bit_offset / 8);
    type = f->type;
  }
  return false;
}

/* Shows the memory in the source's words if types explain the address. */
bool printer_named_memory(Printer *pr, ExprId address, uint32_t size, Binding context,
                          Str *out) {
  const Program *p = pr->program;
  Address a;
  /* An attempt may write its indices in vain; nested attempts would multiply that. */
  if (pr->nesting >= NESTING_MAX || !split_address(p, address, &a)) return false;
  pr->nesting++;
  const Expr *base = program_expr(p, a.base);
  Str text = {0};
  bool ok = false;
  if (base->kind == EXPR_OBJECT) {
    const Object *o = &p->objects.data[base->data];
    printer_object(pr, (ObjectId)base->data, &text);
    bool whole = a.offset == 0 && a.count == 0;
    ok = (whole && !o->type) ||
         (o->type && show_steps(pr, o->type, &a, size, false, &text));
    ok = ok || whole;
  } else if (base->kind == EXPR_LOCAL && p->types.len) {
    const Type *pointer =
        &p->types.data[type_resolve(p, p->locals.data[base->data].type)];
    TypeId elem = pointer->kind == TYPE_POINTER ? pointer->elem : 0;
    uint64_t bytes = elem ? type_size(p, elem) : 0;
    printer_local(pr, (LocalId)base->data, &text);
    size_t name_end = text.len;
    bool beyond = a.offset < 0 || (bytes && (uint64_t)a.offset >= bytes) || a.count;
    bool indexed = bytes && beyond && take_index(pr, &a, bytes, &text);
    ok = elem && (!beyond || indexed) && show_steps(pr, elem, &a, size, !indexed, &text);
    if (ok && text.len == name_end) { /* no step at all: the pointer itself is followed */
      str_clear(&text);
      str_add(&text, context > BIND_UNARY ? "(*" : "*");
      printer_local(pr, (LocalId)base->data, &text);
      if (context > BIND_UNARY) str_add_char(&text, ')');
    }
  }
  if (ok) str_add(out, str_text(&text));
  str_free(&text);
  pr->nesting--;
  return ok;
}

void printer_memory(Printer *pr, ExprId address, uint32_t size, Binding context,
                    Str *out) {
  if (printer_named_memory(pr, address, size, context, out)) return;
  if (context > BIND_UNARY) str_add_char(out, '(');
  str_add_char(out, '*');
  printer_operand(pr, address, BIND_UNARY, out);
  if (context > BIND_UNARY) str_add_char(out, ')');
}

/* Without what stands in brackets: two texts that agree so far name the same field. */
static void add_skeleton(const char *text, Str *out) {
  int depth = 0;
  for (; *text; text++) {
    depth += *text == '[';
    if (depth == 0 || (depth == 1 && *text == '[')) str_add_char(out, *text);
    depth -= *text == ']';
  }
}

void printer_place_named(Printer *pr, ExprId address, uint32_t size, const char *path,
                         Str *out) {
  Str plain = {0}, ours = {0}, theirs = {0};
  pr->plain_names = true;
  bool ok = printer_named_memory(pr, address, size, BIND_NONE, &plain);
  pr->plain_names = false;
  add_skeleton(str_text(&plain), &ours);
  add_skeleton(path, &theirs);
  if (!ok || strcmp(str_text(&ours), str_text(&theirs)) != 0 ||
      !printer_named_memory(pr, address, size, BIND_NONE, out))
    str_add(out, path);
  str_free(&plain);
  str_free(&ours);
  str_free(&theirs);
}
