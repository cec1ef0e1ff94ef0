/* Expressions and names as C-like text.
 *
 * In: expression DAGs. Out: text with as few parentheses as C's precedence allows.
 * Conventions:
 *   - Widening that keeps the number is not shown on a single name; (i64)(x + 1) shows it
 *     around an operation, because it tells at which width the operation wraps. i and u
 *     with a number of bits are the signed and unsigned types of that width.
 *   - The unsigned operators are written /u %u >>u <u <=u where the operands alone would
 *     suggest the signed ones, and <s … the other way round.
 *   - p + 8 bytes is pointer arithmetic for which no field or element is known.
 *   - x{8..15} are bits of x, x{8..15 := y} is x with them replaced.
 *
 * A DAG written as a tree can be exponentially larger than itself. An operand whose tree
 * has more than PART_WEIGHT nodes is therefore written #N and listed separately, which
 * also bounds the depth of the recursion here by that number. */
#include "model/print_parts.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PART_WEIGHT = 60 };

static void show(Printer *pr, ExprId id, Binding context, bool top, Str *out);

/* ---- numbers ----------------------------------------------------------------------- */

typedef enum { STYLE_SIGNED, STYLE_UNSIGNED, STYLE_BITS } NumberStyle;

static int64_t to_signed(uint64_t value, uint32_t bits) {
  if (bits >= 64) return (int64_t)value;
  uint64_t sign = UINT64_C(1) << (bits - 1);
  return (int64_t)((value ^ sign) - sign);
}

/* Decimal for numbers that people read as such, hexadecimal for masks and addresses. */
static void show_magnitude(uint64_t value, NumberStyle style, Str *out) {
  bool round = value % 1000 == 0 && value < UINT64_C(1000000000000);
  if (value < (style == STYLE_BITS ? 10u : 100000u) || (round && style != STYLE_BITS))
    str_addf(out, "%" PRIu64, value);
  else
    str_addf(out, "0x%" PRIx64, value);
}

static void show_number(uint64_t value, uint32_t bits, NumberStyle style, Str *out) {
  int64_t number = to_signed(value, bits);
  if (style == STYLE_SIGNED && bits > 1 && number < 0 &&
      number > -INT64_C(100000000000)) {
    str_add_char(out, '-');
    show_magnitude((uint64_t)-number, style, out);
  } else {
    show_magnitude(value, style, out);
  }
}

static void show_float(uint64_t value, uint32_t bits, Str *out) {
  char text[40];
  if (bits == 64) {
    double d;
    memcpy(&d, &value, sizeof d);
    for (int digits = 6; digits <= 17; digits++) {
      snprintf(text, sizeof text, "%.*g", digits, d);
      if (!isfinite(d) || strtod(text, NULL) == d) break;
    }
  } else if (bits == 32) {
    float f;
    uint32_t word = (uint32_t)value;
    memcpy(&f, &word, sizeof f);
    for (int digits = 6; digits <= 9; digits++) {
      snprintf(text, sizeof text, "%.*g", digits, (double)f);
      if (!isfinite(f) || strtof(text, NULL) == f) break;
    }
  } else {
    str_addf(out, "float%u(0x%" PRIx64 ")", bits, value);
    return;
  }
  str_add(out, text);
  if (!strpbrk(text, ".einx")) str_add(out, ".0");
}

/* The x87 format is the host's long double on the machines that have it. */
static bool show_extended(const uint8_t *bytes, Str *out) {
#if LDBL_MANT_DIG == 64
  long double value = 0;
  memcpy(&value, bytes, 10);
  str_addf(out, "%.21Lg", value);
  return true;
#else
  (void)bytes, (void)out;
  return false;
#endif
}

static void show_wide(const Program *p, const Expr *e, Str *out) {
  const uint8_t *bytes = &p->bytes.data[e->data];
  uint32_t n = bits_to_bytes(e->bits);
  if (e->sort == SORT_FLOAT && e->bits == 80 && show_extended(bytes, out)) return;
  while (n > 1 && bytes[n - 1] == 0) n--;
  if (e->sort == SORT_INT && n <= 8) {
    uint64_t value = 0;
    memcpy(&value, bytes, n);
    show_magnitude(value, STYLE_SIGNED, out);
    return;
  }
  if (e->sort == SORT_FLOAT) str_addf(out, "float%u(", e->bits);
  str_add(out, "0x");
  for (uint32_t i = n; i-- > 0;) str_addf(out, "%02x", bytes[i]);
  if (e->sort == SORT_FLOAT) str_add_char(out, ')');
}

static void show_constant(const Expr *e, NumberStyle style, Str *out) {
  if (e->sort == SORT_PTR) {
    if (e->value == 0)
      str_add(out, "NULL");
    else
      str_addf(out, "(ptr)0x%" PRIx64, e->value);
  } else if (e->sort == SORT_INT) {
    show_number(e->value, e->bits, style, out);
  } else {
    show_float(e->value, e->sort == SORT_FLOAT ? e->bits : 0, out);
  }
}

/* ---- names ------------------------------------------------------------------------- */

bool is_source_variable(const Program *p, const Local *local) {
  return local->name && (local->flags & (LOCAL_VARIABLE | LOCAL_PARAM)) &&
         *sym_text(p, local->name);
}

void printer_local(Printer *pr, LocalId id, Str *out) {
  const Local *local = vec_at(&pr->program->locals, id);
  uint32_t number = pr->local_number[id];
  if (!is_source_variable(pr->program, local))
    str_addf(out, "t%u", number);
  else if (number && !pr->plain_names)
    str_addf(out, "%s.%u", sym_text(pr->program, local->name), number);
  else
    str_add(out, sym_text(pr->program, local->name));
}

void printer_object(Printer *pr, ObjectId id, Str *out) {
  const Object *object = vec_at(&pr->program->objects, id);
  const char *name = sym_text(pr->program, object->name);
  if (object->flags & OBJECT_LITERAL) {
    printer_literal(pr, id, 40, out);
    return;
  }
  if (*name)
    str_add(out, name);
  else
    str_addf(out, "object%u", id);
  if (*name && pr->object_number[id] && !pr->plain_names)
    str_addf(out, ".%u", pr->object_number[id]);
}

static bool is_string_literal(const Program *p, const Object *o) {
  if (!(o->flags & OBJECT_LITERAL)) return false;
  return !o->type || p->types.data[type_resolve(p, o->type)].kind == TYPE_ARRAY;
}

/* ---- signedness -------------------------------------------------------------------- */

/* +1: C reads this as signed, -1: as unsigned, 0: either is the same number. */
static int natural_sign(const Printer *pr, ExprId id) {
  const Program *p = pr->program;
  const Expr *e = program_expr(p, id);
  if (e->sort == SORT_PTR) return -1;
  if (e->kind == EXPR_CONST) return to_signed(e->value, e->bits) >= 0 ? 0 : 1;
  if (e->kind == EXPR_ZEXT || e->kind == EXPR_LSHR || e->kind == EXPR_UREM ||
      e->kind == EXPR_UDIV)
    return e->kind == EXPR_ZEXT ? 0 : -1;
  if (e->kind != EXPR_LOCAL || !p->types.len) return 1;
  const Type *type = &p->types.data[type_resolve(p, p->locals.data[e->data].type)];
  return type->kind == TYPE_UINT || type->kind == TYPE_BOOL || type->kind == TYPE_POINTER
             ? -1
             : 1;
}

/* ---- operators --------------------------------------------------------------------- */

typedef struct {
  const char *text;
  uint8_t binding;
  uint8_t style; /* NumberStyle of constant operands */
  int8_t sign;   /* +1: signed, -1: unsigned operator, 0: no difference */
} Operator;

static const Operator operators[EXPR_KIND_COUNT] = {
    [EXPR_ADD] = {"+", BIND_ADD, STYLE_SIGNED, 0},
    [EXPR_SUB] = {"-", BIND_ADD, STYLE_SIGNED, 0},
    [EXPR_MUL] = {"*", BIND_MUL, STYLE_SIGNED, 0},
    [EXPR_UDIV] = {"/", BIND_MUL, STYLE_UNSIGNED, -1},
    [EXPR_SDIV] = {"/", BIND_MUL, STYLE_SIGNED, 1},
    [EXPR_UREM] = {"%", BIND_MUL, STYLE_UNSIGNED, -1},
    [EXPR_SREM] = {"%", BIND_MUL, STYLE_SIGNED, 1},
    [EXPR_AND] = {"&", BIND_AND, STYLE_BITS, 0},
    [EXPR_OR] = {"|", BIND_OR, STYLE_BITS, 0},
    [EXPR_XOR] = {"^", BIND_XOR, STYLE_BITS, 0},
    [EXPR_SHL] = {"<<", BIND_SHIFT, STYLE_SIGNED, 0},
    [EXPR_LSHR] = {">>", BIND_SHIFT, STYLE_UNSIGNED, -1},
    [EXPR_ASHR] = {">>", BIND_SHIFT, STYLE_SIGNED, 1},
    [EXPR_EQ] = {"==", BIND_EQUAL, STYLE_SIGNED, 0},
    [EXPR_NE] = {"!=", BIND_EQUAL, STYLE_SIGNED, 0},
    [EXPR_ULT] = {"<", BIND_COMPARE, STYLE_UNSIGNED, -1},
    [EXPR_ULE] = {"<=", BIND_COMPARE, STYLE_UNSIGNED, -1},
    [EXPR_SLT] = {"<", BIND_COMPARE, STYLE_SIGNED, 1},
    [EXPR_SLE] = {"<=", BIND_COMPARE, STYLE_SIGNED, 1},
    [EXPR_FADD] = {"+", BIND_ADD, STYLE_SIGNED, 0},
    [EXPR_FSUB] = {"-", BIND_ADD, STYLE_SIGNED, 0},
    [EXPR_FMUL] = {"*", BIND_MUL, STYLE_SIGNED, 0},
    [EXPR_FDIV] = {"/", BIND_MUL, STYLE_SIGNED, 0},
    [EXPR_FEQ] = {"==", BIND_EQUAL, STYLE_SIGNED, 0},
    [EXPR_FLT] = {"<", BIND_COMPARE, STYLE_SIGNED, 0},
    [EXPR_FLE] = {"<=", BIND_COMPARE, STYLE_SIGNED, 0},
};

static void show_operand(Printer *pr, ExprId id, Binding context, NumberStyle style,
                         Str *out) {
  const Expr *e = program_expr(pr->program, id);
  if (e->kind == EXPR_CONST)
    show_constant(e, style, out);
  else
    show(pr, id, context, false, out);
}

static bool is_all_ones(const Expr *e) {
  return e->kind == EXPR_CONST && e->sort == SORT_INT &&
         e->value == (e->bits >= 64 ? UINT64_MAX : (UINT64_C(1) << e->bits) - 1);
}

/* Opens a parenthesis if an operator of strength `own` needs one in this context. */
static bool open_paren(Binding own, Binding context, Str *out) {
  if (own < context) str_add_char(out, '(');
  return own < context;
}

static void show_prefix(Printer *pr, const char *prefix, ExprId operand, Binding context,
                        Str *out) {
  bool paren = open_paren(BIND_UNARY, context, out);
  str_add(out, prefix);
  show(pr, operand, BIND_UNARY, false, out);
  if (paren) str_add_char(out, ')');
}

/* Where C's precedence surprises people, parentheses say what it means. */
static bool is_easily_misread(uint8_t kind) {
  return kind == EXPR_AND || kind == EXPR_OR || kind == EXPR_XOR || kind == EXPR_SHL ||
         kind == EXPR_LSHR || kind == EXPR_ASHR;
}

/* A char as C computes with it: sign-extended from 8 bits. */
static bool is_character(const Printer *pr, ExprId id) {
  const Expr *e = program_expr(pr->program, id);
  return e->kind == EXPR_SEXT && program_expr(pr->program, e->a)->bits == 8;
}

static bool show_character(const Expr *e, Str *out) {
  if (e->value < 0x20 || e->value > 0x7e) return false;
  str_addf(out, e->value == '\'' || e->value == '\\' ? "'\\%c'" : "'%c'", (char)e->value);
  return true;
}

void printer_case(Printer *pr, ExprId value, ExprId constant, Str *out) {
  const Expr *e = program_expr(pr->program, constant);
  if (!is_character(pr, value) || !show_character(e, out))
    show_constant(e, STYLE_SIGNED, out);
}

/* "u" or "s" where the operands alone would suggest the other signedness. */
static const char *sign_suffix(const Printer *pr, const Expr *e, int sign) {
  bool shift = e->kind == EXPR_LSHR || e->kind == EXPR_ASHR;
  int a = natural_sign(pr, e->a), b = shift ? 0 : natural_sign(pr, e->b);
  bool either = a == 0 && b == 0;
  bool reads_unsigned = a < 0 || b < 0;
  if (sign == 0 || either || reads_unsigned == (sign < 0)) return "";
  return sign < 0 ? "u" : "s";
}

/* Forms that C has a prefix operator for; false if this is none. */
static bool show_as_prefix(Printer *pr, const Expr *e, Binding context, Str *out) {
  const Expr *a = program_expr(pr->program, e->a), *b = program_expr(pr->program, e->b);
  if (e->kind == EXPR_XOR && is_all_ones(b))
    show_prefix(pr, e->bits == 1 ? "!" : "~", e->a, context, out);
  else if (e->kind == EXPR_SUB && a->kind == EXPR_CONST && a->value == 0)
    show_prefix(pr, "-", e->b, context, out);
  else
    return false;
  return true;
}

/* The right side, with the operator before it: "x - 1" instead of "x + -1", and 'q'
 * beside a char. */
static void show_right(Printer *pr, const Expr *e, ExprId first, ExprId second,
                       const Operator *op, Binding binding, Str *out) {
  const Expr *b = program_expr(pr->program, second);
  bool compares = op->binding == BIND_EQUAL || op->binding == BIND_COMPARE;
  int64_t number =
      b->kind == EXPR_CONST && b->bits > 1 ? to_signed(b->value, b->bits) : 0;
  if (e->kind == EXPR_ADD && number < 0 && number > -100000) {
    str_addf(out, " - %" PRId64, -number);
    return;
  }
  str_addf(out, " %s%s ", op->text, sign_suffix(pr, e, op->sign));
  bool character = compares && b->kind == EXPR_CONST && is_character(pr, first);
  if (!character || !show_character(b, out))
    show_operand(pr, second, binding, (NumberStyle)op->style, out);
}

static void show_binary(Printer *pr, const Expr *e, Binding context, Str *out) {
  if (show_as_prefix(pr, e, context, out)) return;
  ExprId first = e->a, second = e->b;
  Operator op = operators[e->kind];
  if (e->bits == 1 && (e->kind == EXPR_AND || e->kind == EXPR_OR)) {
    op.text = e->kind == EXPR_AND ? "&&" : "||";
    op.binding = e->kind == EXPR_AND ? BIND_LAND : BIND_LOR;
  }
  if (op.binding == BIND_COMPARE &&
      program_expr(pr->program, first)->kind == EXPR_CONST) { /* x > 3, not 3 < x */
    first = e->b, second = e->a;
    op.text = op.text[1] ? ">=" : ">";
  }
  Binding left = (Binding)op.binding, right = (Binding)(op.binding + 1);
  bool chain = program_expr(pr->program, first)->kind == e->kind;
  if (e->bits == 1 && e->kind == EXPR_OR) {
    right = (Binding)(BIND_LAND + 1);
    left = chain ? BIND_LOR : right;
  } else if (e->bits > 1 && is_easily_misread(e->kind)) {
    right = BIND_UNARY;
    left = chain ? left : right;
  }
  bool paren = open_paren((Binding)op.binding, context, out);
  show_operand(pr, first, left, (NumberStyle)op.style, out);
  show_right(pr, e, first, second, &op, right, out);
  if (paren) str_add_char(out, ')');
}

static bool is_leaf(const Printer *pr, ExprId id) {
  return expr_operand_count((ExprKind)program_expr(pr->program, id)->kind) == 0;
}

static bool is_bool(const Printer *pr, ExprId id) {
  const Program *p = pr->program;
  const Expr *e = program_expr(p, id);
  TypeId type = e->kind == EXPR_LOCAL ? p->locals.data[e->data].type : 0;
  return type && p->types.data[type_resolve(p, type)].kind == TYPE_BOOL;
}

/* A conversion that keeps the number needs no words where it is obvious. */
static bool is_silent(const Printer *pr, const Expr *e) {
  const Expr *a = program_expr(pr->program, e->a);
  switch ((ExprKind)e->kind) {
  case EXPR_ZEXT:
    return a->bits == 1 || (is_leaf(pr, e->a) && natural_sign(pr, e->a) <= 0);
  case EXPR_SEXT: return a->bits > 1 && is_leaf(pr, e->a) && natural_sign(pr, e->a) >= 0;
  case EXPR_TRUNC: return e->bits == 1 && is_bool(pr, e->a);
  default: return false;
  }
}

/* The letter of the type that a conversion leads to. */
static const char *cast_letter(const Expr *e) {
  if (e->sort == SORT_FLOAT) return "f";
  if (e->sort == SORT_BFLOAT) return "bf";
  return e->kind == EXPR_ZEXT || e->kind == EXPR_FTOUI || e->kind == EXPR_BITCAST ? "u"
                                                                                  : "i";
}

static void show_cast(Printer *pr, const Expr *e, Binding context, Str *out) {
  const Expr *a = program_expr(pr->program, e->a);
  if (is_silent(pr, e)) {
    show(pr, e->a, context, false, out);
    return;
  }
  char prefix[32];
  if (e->kind == EXPR_BITCAST && e->sort != SORT_PTR && a->sort != SORT_PTR)
    snprintf(prefix, sizeof prefix, "bits:"); /* not a conversion but the same bits */
  else if (e->sort == SORT_PTR)
    snprintf(prefix, sizeof prefix, "(ptr)");
  else if (e->bits == 1)
    snprintf(prefix, sizeof prefix, "(bool)");
  else if (e->kind == EXPR_UITOF && natural_sign(pr, e->a) > 0)
    snprintf(prefix, sizeof prefix, "(%s%u)(u%u)", cast_letter(e), e->bits, a->bits);
  else
    snprintf(prefix, sizeof prefix, "(%s%u)", cast_letter(e), e->bits);
  show_prefix(pr, prefix, e->a, context, out);
}

static void show_call(Printer *pr, const Expr *e, Str *out) {
  const ExprId operands[3] = {e->a, e->b, e->c};
  int n = expr_operand_count((ExprKind)e->kind);
  const char *text = expr_kind_text((ExprKind)e->kind);
  str_add_bytes(out, text, strcspn(text, "."));
  for (int i = 0; i < n; i++) {
    str_add(out, i ? ", " : "(");
    show(pr, operands[i], BIND_NONE, false, out);
  }
  str_add_char(out, ')');
}

/* Address arithmetic: &conn->queue where types tell, else base + n bytes. */
static void show_pointer(Printer *pr, ExprId id, const Expr *e, Binding context,
                         Str *out) {
  Str text = {0};
  if (printer_named_memory(pr, id, 0, BIND_UNARY, &text)) {
    bool paren = open_paren(BIND_UNARY, context, out);
    str_addf(out, "&%s", str_text(&text));
    if (paren) str_add_char(out, ')');
    str_free(&text);
    return;
  }
  str_free(&text);
  bool paren = open_paren(BIND_ADD, context, out);
  show(pr, e->a, BIND_ADD, false, out);
  const Expr *b = program_expr(pr->program, e->b);
  int64_t offset = (int64_t)b->value;
  if (b->kind == EXPR_CONST && offset < 0) {
    str_addf(out, " - %" PRIu64 " bytes", -(uint64_t)offset);
  } else {
    str_add(out, " + ");
    show_operand(pr, e->b, BIND_MUL, STYLE_SIGNED, out);
    str_add(out, b->kind == EXPR_CONST && offset == 1 ? " byte" : " bytes");
  }
  if (paren) str_add_char(out, ')');
}

static void show_leaf(Printer *pr, const Expr *e, Binding context, Str *out) {
  const Program *p = pr->program;
  switch ((ExprKind)e->kind) {
  case EXPR_CONST: show_constant(e, STYLE_SIGNED, out); break;
  case EXPR_WIDE: show_wide(p, e, out); break;
  case EXPR_UNDEF: str_add(out, "undef"); break;
  case EXPR_LOCAL: printer_local(pr, (LocalId)e->data, out); break;
  case EXPR_OBJECT: {
    bool array = is_string_literal(p, &p->objects.data[e->data]);
    bool paren = !array && open_paren(BIND_UNARY, context, out);
    if (!array) str_add_char(out, '&');
    printer_object(pr, (ObjectId)e->data, out);
    if (paren) str_add_char(out, ')');
    break;
  }
  case EXPR_FUNC: str_add(out, sym_text(p, p->functions.data[e->data].name)); break;
  case EXPR_LABEL: {
    NodeId node = p->labels.data[e->data];
    str_addf(out, "&&n%u", node ? printer_node_number(pr, node) : 0);
    break;
  }
  default: str_add(out, "?"); break;
  }
}

/* Writes #N for an operand that is too large, and remembers it. */
static void show_part(Printer *pr, ExprId id, Str *out) {
  uint64_t *number = map_at(&pr->part_numbers, id);
  if (!*number) {
    vec_push(&pr->parts, id);
    *number = pr->parts.len;
  }
  str_addf(out, "#%" PRIu64, *number);
}

static void show(Printer *pr, ExprId id, Binding context, bool top, Str *out) {
  const Expr *e = program_expr(pr->program, id);
  if (!top && e->weight > PART_WEIGHT) {
    show_part(pr, id, out);
    return;
  }
  switch ((ExprKind)e->kind) {
  case EXPR_ZEXT:
  case EXPR_SEXT:
  case EXPR_TRUNC:
  case EXPR_BITCAST:
  case EXPR_FTOF:
  case EXPR_FTOSI:
  case EXPR_FTOUI:
  case EXPR_SITOF:
  case EXPR_UITOF: show_cast(pr, e, context, out); break;
  case EXPR_FNEG: show_prefix(pr, "-", e->a, context, out); break;
  case EXPR_EXTRACT:
    show(pr, e->a, BIND_POSTFIX, false, out);
    str_addf(out, "{%u..%u}", e->b, e->b + e->bits - 1);
    break;
  case EXPR_INSERT:
    show(pr, e->a, BIND_POSTFIX, false, out);
    str_addf(out, "{%u..%u := ", e->c, e->c + program_expr(pr->program, e->b)->bits - 1);
    show(pr, e->b, BIND_NONE, false, out);
    str_add_char(out, '}');
    break;
  case EXPR_ITE: {
    bool paren = open_paren(BIND_TERNARY, context, out);
    show(pr, e->a, BIND_LOR, false, out);
    str_add(out, " ? ");
    show(pr, e->b, BIND_LOR, false, out);
    str_add(out, " : ");
    show(pr, e->c, BIND_TERNARY, false, out);
    if (paren) str_add_char(out, ')');
    break;
  }
  case EXPR_PTRADD: show_pointer(pr, id, e, context, out); break;
  default:
    if (operators[e->kind].text)
      show_binary(pr, e, context, out);
    else if (expr_operand_count((ExprKind)e->kind) > 0)
      show_call(pr, e, out);
    else
      show_leaf(pr, e, context, out);
  }
}

void printer_operand(Printer *pr, ExprId expr, Binding context, Str *out) {
  show(pr, expr, context, false, out);
}

void printer_expr(Printer *pr, ExprId expr, Str *out) {
  show(pr, expr, BIND_NONE, true, out);
}

void printer_parts(Printer *pr, int indent, Str *out) {
  while (pr->parts_done < pr->parts.len) {
    ExprId id = pr->parts.data[pr->parts_done++];
    str_addf(out, "%*s#%u = ", indent, "", pr->parts_done);
    show(pr, id, BIND_NONE, true, out);
    str_add_char(out, '\n');
  }
  if (pr->parts.len) map_clear(&pr->part_numbers);
  vec_clear(&pr->parts);
  pr->parts_done = 0;
}
