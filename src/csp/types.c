/* Type terms: making, showing, unifying, generalising.
 *
 * In: terms. Out: terms with variables bound. Unification is Robinson's with levels for
 * generalisation (Rémy). Dots are what is special: a joined list is first reduced from
 * the right, so that a constructor takes its own fields before the channel left of it
 * takes the result; two lists of different length agree when the last field of the
 * shorter can take the rest. Where fields stay undecided, unification succeeds and leaves
 * the check to the evaluator: it may accept too much there, and never too little. */
#include "csp/types.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { GENERAL = UINT32_MAX };

CspType *csp_type(Csp *csp, CspTypeKind kind, uint32_t count, ...) {
  CspType *type = arena_alloc_zero(csp->arena, sizeof *type);
  va_list args;
  type->kind = kind;
  type->count = count;
  type->kids = count ? arena_alloc(csp->arena, count * sizeof *type->kids) : NULL;
  va_start(args, count);
  for (uint32_t i = 0; i < count; i++) type->kids[i] = va_arg(args, CspType *);
  va_end(args);
  return type;
}

CspType *csp_type_var(Csp *csp) {
  CspType *type = csp_type(csp, TYPE_VAR, 0);
  type->level = csp->types->level;
  type->id = csp->types->next_id++;
  return type;
}

CspType *csp_type_resolve(CspType *type) {
  while (type->kind == TYPE_VAR && type->link) type = type->link;
  return type;
}

/* ---- text -------------------------------------------------------------------------- */

static void add_text(Str *out, CspType *type, unsigned depth);

static void add_list(Str *out, CspType *type, uint32_t count, const char *separator,
                     unsigned depth) {
  for (uint32_t i = 0; i < count; i++) {
    if (i) str_add(out, separator);
    add_text(out, type->kids[i], depth);
  }
}

static void add_around(Str *out, const char *open, CspType *type, uint32_t count,
                       const char *separator, const char *close, unsigned depth) {
  str_add(out, open);
  add_list(out, type, count, separator, depth);
  str_add(out, close);
}

static void add_text(Str *out, CspType *type, unsigned depth) {
  type = csp_type_resolve(type);
  if (depth > 12) {
    str_add(out, "…");
    return;
  }
  depth++;
  switch (type->kind) {
  case TYPE_VAR: str_add_char(out, (char)('a' + type->id % 26)); break;
  case TYPE_ANY: str_add(out, "_"); break;
  case TYPE_INT: str_add(out, "Int"); break;
  case TYPE_BOOL: str_add(out, "Bool"); break;
  case TYPE_CHAR: str_add(out, "Char"); break;
  case TYPE_PROC: str_add(out, "Proc"); break;
  case TYPE_EVENT: str_add(out, "Event"); break;
  case TYPE_DATA: str_add(out, type->decl->name->text); break;
  case TYPE_SET: add_around(out, "{", type, 1, "", "}", depth); break;
  case TYPE_SEQ: add_around(out, "<", type, 1, "", ">", depth); break;
  case TYPE_MAP: add_around(out, "(| ", type, 2, " => ", " |)", depth); break;
  case TYPE_TUPLE: add_around(out, "(", type, type->count, ", ", ")", depth); break;
  case TYPE_DOT: add_list(out, type, type->count, ".", depth); break;
  case TYPE_DOTABLE: add_list(out, type, 2, "=>", depth); break;
  case TYPE_FUN:
    add_around(out, "(", type, type->count - 1, ", ", ") -> ", depth);
    add_text(out, type->kids[type->count - 1], depth);
    break;
  }
}

const char *csp_type_text(Csp *csp, CspType *type) {
  Str text = {0};
  add_text(&text, type, 0);
  char *copy = arena_strdup(csp->arena, str_text(&text));
  str_free(&text);
  return copy;
}

/* ---- unification ------------------------------------------------------------------- */

/* Lowers the levels inside `type` to that of the variable, and finds the variable itself.
 * */
static bool occurs(CspType *var, CspType *type) {
  type = csp_type_resolve(type);
  if (type == var) return true;
  if (type->kind == TYPE_VAR && type->level > var->level && type->level != GENERAL)
    type->level = var->level;
  for (uint32_t i = 0; i < type->count; i++)
    if (occurs(var, type->kids[i])) return true;
  return false;
}

static bool bind(CspType *var, CspType *type) {
  /* A recursive type through dots means that the fields are not static. */
  if (occurs(var, type)) {
    if (type->kind != TYPE_DOT && type->kind != TYPE_DOTABLE) return false;
    return true;
  }
  var->link = type;
  return true;
}

static void flatten(Csp *csp, CspType *type, CspList *out) {
  type = csp_type_resolve(type);
  if (type->kind == TYPE_DOT)
    for (uint32_t i = 0; i < type->count; i++) flatten(csp, type->kids[i], out);
  else
    csp_list_push(csp, out, type);
}

static CspType *dot_of(Csp *csp, CspType **fields, uint32_t count) {
  if (count == 1) return fields[0];
  CspType *type = csp_type(csp, TYPE_DOT, 0);
  type->count = count;
  type->kids = arena_dup(csp->arena, fields, count * sizeof *fields);
  return type;
}

/* The fields that a dotable still wants, in order. */
static CspType *wanted(Csp *csp, CspType *type, CspList *out) {
  while (type->kind == TYPE_DOTABLE) {
    csp_list_push(csp, out, type->kids[0]);
    type = csp_type_resolve(type->kids[1]);
  }
  return type;
}

/* A last field that wants fields itself, like Enc.k in send.Enc.k where Enc wants a key
 * and a text: what comes of it wants them in its place. */
static CspType *take_unfinished(Csp *csp, CspType *head, CspType *last) {
  CspList more = {0};
  CspType *end = wanted(csp, last, &more), *result = csp_type_resolve(head->kids[1]);
  if (!csp_type_unify(csp, head->kids[0], end)) return NULL;
  for (uint32_t i = more.len; i-- > 0;)
    result = csp_type(csp, TYPE_DOTABLE, 2, more.data[i], result);
  return result;
}

/* `head` takes fields from the stack (top is the nearest) as long as it wants some. */
static CspType *take_fields(Csp *csp, CspType *head, CspList *stack, bool absorb) {
  while (head->kind == TYPE_DOTABLE && stack->len) {
    CspType *top = csp_type_resolve(stack->data[stack->len - 1]);
    CspType *field = csp_type_resolve(head->kids[0]);
    CspList more = {0};
    if (absorb && stack->len == 1 && top->kind == TYPE_VAR) {
      CspType *end = wanted(csp, head, &more);
      if (more.len > 1) {
        stack->len = 0;
        bind(top, dot_of(csp, (CspType **)more.data, more.len));
        return end;
      }
    }
    if (stack->len == 1 && top->kind == TYPE_DOTABLE && field->kind != TYPE_DOTABLE &&
        field->kind != TYPE_VAR && field->kind != TYPE_DOT) {
      stack->len = 0;
      return take_unfinished(csp, head, top);
    }
    if (field->kind == TYPE_DOT) {
      CspList parts = {0};
      flatten(csp, field, &parts);
      if (stack->len < parts.len) return csp_type(csp, TYPE_ANY, 0);
      for (uint32_t i = 0; i < parts.len; i++)
        if (!csp_type_unify(csp, parts.data[i], stack->data[--stack->len])) return NULL;
    } else {
      stack->len--;
      if (!csp_type_unify(csp, field, top)) return NULL;
    }
    head = csp_type_resolve(head->kids[1]);
  }
  return head;
}

CspType *csp_type_join(Csp *csp, CspType **fields, uint32_t count, bool absorb) {
  CspList flat = {0}, stack = {0};
  for (uint32_t i = 0; i < count; i++) flatten(csp, fields[i], &flat);
  for (uint32_t i = flat.len; i-- > 0;) {
    CspType *field = csp_type_resolve(flat.data[i]);
    if (field->kind == TYPE_ANY) return field;
    if (field->kind == TYPE_DOTABLE) {
      field = take_fields(csp, field, &stack, absorb && i == 0);
      if (!field) return NULL;
      if (field->kind == TYPE_ANY) return field;
    }
    csp_list_push(csp, &stack, field);
  }
  for (uint32_t i = 0; i < stack.len / 2; i++) {
    void *swap = stack.data[i];
    stack.data[i] = stack.data[stack.len - 1 - i];
    stack.data[stack.len - 1 - i] = swap;
  }
  return dot_of(csp, (CspType **)stack.data, stack.len);
}

/* A dotted list must be `type`, which has no dots: its head wants the other fields. */
static bool unify_dot_with(Csp *csp, CspType *dot, CspType *type) {
  CspType *joined = csp_type_join(csp, dot->kids, dot->count, false);
  if (!joined) return false;
  joined = csp_type_resolve(joined);
  if (joined->kind != TYPE_DOT) return csp_type_unify(csp, joined, type);
  CspType *head = csp_type_resolve(joined->kids[0]);
  if (head->kind == TYPE_VAR) {
    CspType *result = type;
    for (uint32_t i = joined->count; i-- > 1;)
      result = csp_type(csp, TYPE_DOTABLE, 2, joined->kids[i], result);
    return bind(head, result);
  }
  /* Int.Int is no Event; a datatype's field count may depend on the value. */
  return head->kind == TYPE_ANY;
}

static bool unify_dots(Csp *csp, CspType *a, CspType *b) {
  CspType *left = csp_type_join(csp, a->kids, a->count, false);
  CspType *right = csp_type_join(csp, b->kids, b->count, false);
  if (!left || !right) return false;
  CspList x = {0}, y = {0};
  flatten(csp, left, &x);
  flatten(csp, right, &y);
  if (x.len == 1 || y.len == 1) {
    if (x.len > 1 || y.len > 1) return csp_type_unify(csp, left, right);
    return csp_type_unify(csp, x.data[0], y.data[0]);
  }
  uint32_t least = x.len < y.len ? x.len : y.len;
  for (uint32_t i = 0; i + 1 < least; i++)
    if (!csp_type_unify(csp, x.data[i], y.data[i])) return x.len != y.len;
  CspType *rest_x = dot_of(csp, (CspType **)x.data + least - 1, x.len - least + 1);
  CspType *rest_y = dot_of(csp, (CspType **)y.data + least - 1, y.len - least + 1);
  return csp_type_unify(csp, rest_x, rest_y) || x.len != y.len;
}

/* c : A=>B=>Event against d : C=>Event. */
static bool unify_dotables(Csp *csp, CspType *a, CspType *b) {
  CspList x = {0}, y = {0};
  CspType *end_a = wanted(csp, a, &x), *end_b = wanted(csp, b, &y);
  if (!csp_type_unify(csp, end_a, end_b)) return false;
  if (x.len != y.len) {
    /* One of them takes several fields at once. */
    return true;
  }
  for (uint32_t i = 0; i < x.len; i++)
    if (!csp_type_unify(csp, x.data[i], y.data[i])) return false;
  return true;
}

bool csp_type_unify(Csp *csp, CspType *a, CspType *b) {
  a = csp_type_resolve(a);
  b = csp_type_resolve(b);
  csp_check_stack(csp, (CspPlace){0}, "a type");
  if (a == b || a->kind == TYPE_ANY || b->kind == TYPE_ANY) return true;
  if (a->kind == TYPE_VAR) return bind(a, b);
  if (b->kind == TYPE_VAR) return bind(b, a);
  if (a->kind == TYPE_DOT && b->kind == TYPE_DOT) return unify_dots(csp, a, b);
  if (a->kind == TYPE_DOT) return unify_dot_with(csp, a, b);
  if (b->kind == TYPE_DOT) return unify_dot_with(csp, b, a);
  if (a->kind == TYPE_DOTABLE && b->kind == TYPE_DOTABLE)
    return unify_dotables(csp, a, b);
  if (a->kind != b->kind || a->count != b->count || a->decl != b->decl) return false;
  for (uint32_t i = 0; i < a->count; i++)
    if (!csp_type_unify(csp, a->kids[i], b->kids[i])) return false;
  return true;
}

/* ---- schemes ----------------------------------------------------------------------- */

void csp_type_generalise(CspType *type, uint32_t level) {
  type = csp_type_resolve(type);
  if (type->kind == TYPE_VAR && type->level >= level) type->level = GENERAL;
  for (uint32_t i = 0; i < type->count; i++) csp_type_generalise(type->kids[i], level);
}

typedef struct {
  CspType *from, *to;
} Renaming;

static bool has_general(CspType *type) {
  type = csp_type_resolve(type);
  if (type->kind == TYPE_VAR) return type->level == GENERAL;
  for (uint32_t i = 0; i < type->count; i++)
    if (has_general(type->kids[i])) return true;
  return false;
}

static CspType *copy(Csp *csp, CspType *type, CspList *renamed) {
  type = csp_type_resolve(type);
  if (type->kind == TYPE_VAR) {
    if (type->level != GENERAL) return type;
    for (uint32_t i = 0; i < renamed->len; i++)
      if (((Renaming *)renamed->data[i])->from == type)
        return ((Renaming *)renamed->data[i])->to;
    Renaming *r = arena_alloc(csp->arena, sizeof *r);
    *r = (Renaming){type, csp_type_var(csp)};
    csp_list_push(csp, renamed, r);
    return r->to;
  }
  if (!has_general(type)) return type;
  CspType *fresh = csp_type(csp, type->kind, 0);
  fresh->count = type->count;
  fresh->decl = type->decl;
  fresh->kids = arena_alloc(csp->arena, type->count * sizeof *fresh->kids);
  for (uint32_t i = 0; i < type->count; i++)
    fresh->kids[i] = copy(csp, type->kids[i], renamed);
  return fresh;
}

CspType *csp_type_instance(Csp *csp, CspType *scheme) {
  CspList renamed = {0};
  return copy(csp, scheme, &renamed);
}

/* ---- signatures of the library ----------------------------------------------------- */

typedef struct {
  Csp *csp;
  const char *p;
  CspType *vars[26];
} Signature;

static CspType *parse_type(Signature *s);

static void skip_blanks(Signature *s) {
  while (*s->p == ' ' || *s->p == ',') s->p++;
}

static CspType *parse_word(Signature *s) {
  static const struct {
    const char *word;
    CspTypeKind kind;
  } words[] = {{"Int", TYPE_INT},   {"Bool", TYPE_BOOL},   {"Char", TYPE_CHAR},
               {"Proc", TYPE_PROC}, {"Event", TYPE_EVENT}, {"_", TYPE_ANY}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (str_starts(s->p, words[i].word)) {
      s->p += strlen(words[i].word);
      return csp_type(s->csp, words[i].kind, 0);
    }
  CspType **var = &s->vars[*s->p++ - 'a'];
  if (!*var) {
    *var = csp_type_var(s->csp);
    (*var)->level = GENERAL;
  }
  return *var;
}

static CspType *parse_tuple_or_function(Signature *s) {
  CspList kids = {0};
  s->p++;
  for (skip_blanks(s); *s->p != ')'; skip_blanks(s))
    csp_list_push(s->csp, &kids, parse_type(s));
  s->p++;
  skip_blanks(s);
  CspType *type = csp_type(s->csp, TYPE_TUPLE, 0);
  if (str_starts(s->p, "->")) {
    s->p += 2;
    csp_list_push(s->csp, &kids, parse_type(s));
    type->kind = TYPE_FUN;
  }
  type->count = kids.len;
  type->kids = (CspType **)kids.data;
  return type;
}

static CspType *parse_type(Signature *s) {
  skip_blanks(s);
  if (*s->p == '(') return parse_tuple_or_function(s);
  if (*s->p == '{' || *s->p == '<') {
    CspTypeKind kind = *s->p++ == '{' ? TYPE_SET : TYPE_SEQ;
    CspType *type = csp_type(s->csp, kind, 1, parse_type(s));
    s->p++;
    return type;
  }
  if (*s->p == '[') { /* [k v]: a map */
    s->p++;
    CspType *key = parse_type(s), *value = parse_type(s);
    s->p++;
    return csp_type(s->csp, TYPE_MAP, 2, key, value);
  }
  return parse_word(s);
}

CspType *csp_type_parse(Csp *csp, const char *text) {
  Signature s = {.csp = csp, .p = text};
  return parse_type(&s);
}
