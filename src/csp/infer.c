/* Types of expressions, processes and patterns.
 *
 * In: resolved nodes. Out: their types, or an error at the node that does not fit, with
 * the type that was expected. Comparisons do not constrain their operands beyond being
 * equal in type; what has no equality (functions) is found by the evaluator. */
#include "csp/infer.h"

#include "csp/library.h"

_Noreturn void infer_mismatch(Infer *in, CspPlace place, CspType *expected,
                              CspType *found) {
  const char *want = csp_type_text(in->csp, expected),
             *have = csp_type_text(in->csp, found);
  csp_fail(in->csp, place, "correct the expression", "expected the type %s, found %s",
           want, have);
}

void infer_open(Infer *in, TypeFrame *frame, uint32_t slots) {
  *frame = (TypeFrame){
      .types = arena_alloc_zero(in->csp->arena, (slots + 1) * sizeof(CspType *)),
      .decls = arena_alloc_zero(in->csp->arena, (slots + 1) * sizeof(CspDecl *)),
      .up = in->frame};
  in->frame = frame;
}

void infer_close(Infer *in) {
  in->frame = in->frame->up;
}

void infer_expect(Infer *in, CspNode *node, CspType *type) {
  CspType *found = infer_node(in, node);
  if (!csp_type_unify(in->csp, type, found)) infer_mismatch(in, node->place, type, found);
}

static CspType *infer_name(Infer *in, CspNode *node) {
  if (node->global) return infer_reference(in, node->global, node->global_index, NULL);
  if (node->builtin) return csp_library_type(in->csp, node->builtin);
  TypeFrame *frame = in->frame;
  for (uint16_t i = 0; i < node->var.hops; i++) frame = frame->up;
  CspDecl *decl = frame->decls[node->var.slot];
  if (decl)
    return infer_reference(
        in, decl, decl->kind == DECL_PATTERN ? node->var.slot - decl->slot + 1u : 0,
        frame);
  CspType *type = frame->types[node->var.slot];
  return type ? type : infer_kind(in, TYPE_ANY);
}

/* ---- patterns ---------------------------------------------------------------------- */

static CspType *infer_pattern_list(Infer *in, CspNode *node, CspTypeKind kind) {
  CspType *element = csp_type_var(in->csp);
  for (uint32_t i = 0; i < node->count; i++) {
    CspType *found = infer_pattern(in, node->kids[i]);
    if (!csp_type_unify(in->csp, element, found))
      infer_mismatch(in, node->kids[i]->place, element, found);
  }
  return csp_type(in->csp, kind, 1, element);
}

static CspType *infer_all(Infer *in, CspNode *node,
                          CspType *(*each)(Infer *, CspNode *)) {
  CspType *type = csp_type(in->csp, TYPE_TUPLE, 0);
  type->count = node->count;
  type->kids = arena_alloc(in->csp->arena, (node->count + 1) * sizeof *type->kids);
  for (uint32_t i = 0; i < node->count; i++) type->kids[i] = each(in, node->kids[i]);
  return type;
}

static CspType *infer_dot(Infer *in, CspNode *node,
                          CspType *(*each)(Infer *, CspNode *)) {
  CspType *parts = infer_all(in, node, each);
  CspType *type = csp_type_join(in->csp, parts->kids, parts->count, false);
  if (!type)
    csp_fail(in->csp, node->place, "compare the fields with the declaration",
             "these fields do not fit: %s",
             csp_type_text(in->csp, csp_type_resolve(parts)));
  return type;
}

CspType *infer_pattern(Infer *in, CspNode *node) {
  switch (node->kind) {
  case NODE_NAME:
    if (node->binds) return in->frame->types[node->var.slot] = csp_type_var(in->csp);
    return infer_name(in, node);
  case NODE_INT:
  case NODE_NEG: return infer_kind(in, TYPE_INT);
  case NODE_BOOL: return infer_kind(in, TYPE_BOOL);
  case NODE_CHAR: return infer_kind(in, TYPE_CHAR);
  case NODE_STRING: return csp_type(in->csp, TYPE_SEQ, 1, infer_kind(in, TYPE_CHAR));
  case NODE_TUPLE: return infer_all(in, node, infer_pattern);
  case NODE_SEQ: return infer_pattern_list(in, node, TYPE_SEQ);
  case NODE_SET: return infer_pattern_list(in, node, TYPE_SET);
  case NODE_DOT: return infer_dot(in, node, infer_pattern);
  case NODE_CONCAT:
  case NODE_DOUBLE: {
    CspType *a = infer_pattern(in, node->kids[0]), *b = infer_pattern(in, node->kids[1]);
    if (!csp_type_unify(in->csp, a, b)) infer_mismatch(in, node->kids[1]->place, a, b);
    CspType *seq = csp_type(in->csp, TYPE_SEQ, 1, csp_type_var(in->csp));
    if (node->kind == NODE_CONCAT && !csp_type_unify(in->csp, seq, a))
      infer_mismatch(in, node->place, seq, a);
    return a;
  }
  default: return csp_type_var(in->csp);
  }
}

/* ---- statements and comprehensions ------------------------------------------------- */

/* Generators of sequences take from sequences; those of sets and replicated operators
 * from sets, and replicated sequence from sequences. */
static void infer_stmts(Infer *in, CspNode **stmts, uint32_t count, CspTypeKind from) {
  for (uint32_t i = 0; i < count; i++) {
    CspNode *s = stmts[i];
    if (s->kind == NODE_FILTER) {
      infer_expect(in, s->kids[0], infer_kind(in, TYPE_BOOL));
      continue;
    }
    CspType *element = csp_type_var(in->csp), *source = infer_node(in, s->kids[1]);
    if (!csp_type_unify(in->csp, csp_type(in->csp, from, 1, element), source))
      infer_mismatch(in, s->kids[1]->place, csp_type(in->csp, from, 1, element), source);
    CspType *pattern = infer_pattern(in, s->kids[0]);
    if (!csp_type_unify(in->csp, element, pattern))
      infer_mismatch(in, s->kids[0]->place, element, pattern);
  }
}

static CspType *infer_collection(Infer *in, CspNode *node, CspTypeKind kind) {
  TypeFrame frame;
  bool range = node->kind == NODE_SEQ_RANGE || node->kind == NODE_SET_RANGE;
  CspType *element = range ? infer_kind(in, TYPE_INT) : csp_type_var(in->csp);
  if (node->stmt_count) {
    infer_open(in, &frame, node->slots);
    infer_stmts(in, node->stmts, node->stmt_count, kind);
  }
  for (uint32_t i = 0; i < node->count; i++)
    if (node->kind == NODE_CHANSET)
      infer_node(in, node->kids[i]);
    else
      infer_expect(in, node->kids[i], element);
  if (node->stmt_count) infer_close(in);
  if (node->kind == NODE_CHANSET) return infer_set(in, infer_kind(in, TYPE_EVENT));
  return csp_type(in->csp, kind, 1, element);
}

/* ---- type expressions -------------------------------------------------------------- */

void infer_fields(Infer *in, CspNode *node, CspList *out) {
  if (node->kind == NODE_DOT) {
    for (uint32_t i = 0; i < node->count; i++) infer_fields(in, node->kids[i], out);
    return;
  }
  if (node->kind == NODE_TUPLE) {
    CspType *tuple = csp_type(in->csp, TYPE_TUPLE, 0);
    CspList parts = {0};
    for (uint32_t i = 0; i < node->count; i++) {
      CspList part = {0};
      infer_fields(in, node->kids[i], &part);
      csp_list_push(in->csp, &parts,
                    csp_type_join(in->csp, (CspType **)part.data, part.len, false));
    }
    tuple->count = parts.len;
    tuple->kids = (CspType **)parts.data;
    csp_list_push(in->csp, out, tuple);
    return;
  }
  CspType *element = csp_type_var(in->csp), *found = infer_node(in, node);
  if (!csp_type_unify(in->csp, infer_set(in, element), found))
    infer_mismatch(in, node->place, infer_set(in, element), found);
  element = csp_type_resolve(element);
  if (element->kind == TYPE_DOT)
    for (uint32_t i = 0; i < element->count; i++)
      csp_list_push(in->csp, out, element->kids[i]);
  else
    csp_list_push(in->csp, out, element);
}

/* ---- processes --------------------------------------------------------------------- */

static void expect_proc(Infer *in, CspNode *node) {
  infer_expect(in, node, infer_kind(in, TYPE_PROC));
}

static void expect_events(Infer *in, CspNode *node) {
  infer_expect(in, node, infer_set(in, infer_kind(in, TYPE_EVENT)));
}

/* The type of something whose last constructor wants more fields. */
static bool lacks_fields(CspType *type) {
  type = csp_type_resolve(type);
  if (type->kind == TYPE_DOT && type->count)
    type = csp_type_resolve(type->kids[type->count - 1]);
  CspType *whole = type;
  while (whole->kind == TYPE_DOTABLE) whole = csp_type_resolve(whole->kids[1]);
  return type->kind == TYPE_DOTABLE && whole->kind == TYPE_DATA;
}

static void pattern_fields(Infer *in, CspNode *pattern, CspList *out) {
  if (pattern->kind == NODE_DOT)
    for (uint32_t i = 0; i < pattern->count; i++)
      pattern_fields(in, pattern->kids[i], out);
  else
    csp_list_push(in->csp, out, pattern);
}

/* A constructor at the end of an input takes fields that come behind the input. Then all
 * fields stand for themselves, and constructors are given: ?x.C.y?z is ?x!C?y?z. */
static void split_input(Infer *in, CspNode *node, uint32_t at) {
  CspNode *field = node->kids[at];
  CspList parts = {0};
  if (field->op == '!' || field->count > 1 || at + 2 >= node->count ||
      !lacks_fields(infer_pattern(in, field->kids[0])))
    return;
  pattern_fields(in, field->kids[0], &parts);
  CspNode **kids = arena_alloc(in->csp->arena, (node->count + parts.len) * sizeof *kids);
  for (uint32_t i = 0; i < at; i++) kids[i] = node->kids[i];
  for (uint32_t i = 0; i < parts.len; i++) {
    CspNode *part = parts.data[i], *own = arena_alloc(in->csp->arena, sizeof *own);
    *own = *field;
    own->kids = arena_dup(in->csp->arena, &part, sizeof part);
    if (part->kind == NODE_NAME && !part->binds) own->op = '!';
    kids[at + i] = own;
  }
  for (uint32_t i = at + 1; i < node->count; i++) kids[i + parts.len - 1] = node->kids[i];
  node->kids = kids;
  node->count += parts.len - 1;
}

static CspType *infer_prefix(Infer *in, CspNode *node) {
  TypeFrame frame;
  CspList fields = {0};
  bool absorb = false;
  infer_open(in, &frame, node->slots);
  csp_list_push(in->csp, &fields, infer_node(in, node->kids[0]));
  for (uint32_t i = 1; i + 1 < node->count; i++) {
    split_input(in, node, i);
    CspNode *field = node->kids[i];
    CspType *set = field->count > 1 ? infer_node(in, field->kids[1]) : NULL;
    CspType *type = field->op == '!' ? infer_node(in, field->kids[0])
                                     : infer_pattern(in, field->kids[0]);
    absorb = field->op != '!';
    if (set && !csp_type_unify(in->csp, infer_set(in, type), set))
      infer_mismatch(in, field->kids[1]->place, infer_set(in, type), set);
    csp_list_push(in->csp, &fields, type);
  }
  CspType *event = csp_type_join(in->csp, (CspType **)fields.data, fields.len, absorb);
  CspType *wanted = infer_kind(in, TYPE_EVENT);
  if (!event)
    csp_fail(in->csp, node->place, "compare them with the declaration of the channel",
             "the fields of this event do not fit its channel, which is of type %s",
             csp_type_text(in->csp, fields.data[0]));
  if (!csp_type_unify(in->csp, wanted, event))
    infer_mismatch(in, node->place, wanted, event);
  expect_proc(in, node->kids[node->count - 1]);
  infer_close(in);
  return infer_kind(in, TYPE_PROC);
}

/* Old and new events of a renaming or linking: anything that extends to events. */
static void infer_pairs(Infer *in, CspNode *node, uint32_t from) {
  for (uint32_t i = from; i + 1 < node->count; i += 2) {
    CspType *a = infer_node(in, node->kids[i]), *b = infer_node(in, node->kids[i + 1]);
    if (!csp_type_unify(in->csp, a, b))
      infer_mismatch(in, node->kids[i + 1]->place, a, b);
  }
}

static CspType *infer_relation(Infer *in, CspNode *node, uint32_t processes) {
  TypeFrame frame;
  for (uint32_t i = 0; i < processes; i++) expect_proc(in, node->kids[i]);
  infer_open(in, &frame, node->slots);
  infer_stmts(in, node->stmts, node->stmt_count, TYPE_SET);
  infer_pairs(in, node, processes);
  infer_close(in);
  return infer_kind(in, TYPE_PROC);
}

static CspType *infer_replicated(Infer *in, CspNode *node) {
  TypeFrame frame;
  bool sequence = node->op == NODE_SEMI || node->op == NODE_LINK;
  if (node->op == NODE_SHARE || node->op == NODE_SYNCEXT)
    expect_events(in, node->kids[0]);
  infer_open(in, &frame, node->slots);
  infer_stmts(in, node->stmts, node->stmt_count, sequence ? TYPE_SEQ : TYPE_SET);
  if (node->op == NODE_ALPHA) expect_events(in, node->kids[0]);
  expect_proc(in, node->kids[node->op == NODE_LINK ? 0 : node->count - 1]);
  infer_close(in);
  if (node->op == NODE_LINK) {
    infer_open(in, &frame, (uint32_t)node->number);
    infer_stmts(in, node->extra, node->extra_count, TYPE_SET);
    infer_pairs(in, node, 1);
    infer_close(in);
  }
  return infer_kind(in, TYPE_PROC);
}

/* ---- expressions ------------------------------------------------------------------- */

static CspType *infer_apply(Infer *in, CspNode *node) {
  CspType *fun = csp_type_resolve(infer_node(in, node->kids[0]));
  uint32_t args = node->count - 1;
  if (fun->kind == TYPE_ANY) {
    for (uint32_t i = 1; i < node->count; i++) infer_node(in, node->kids[i]);
    return fun;
  }
  if (fun->kind == TYPE_FUN && fun->count != node->count)
    csp_fail(in->csp, node->place, "compare the call with the definition",
             "this function takes %u argument%s, not %u", fun->count - 1,
             fun->count == 2 ? "" : "s", args);
  CspType *wanted = fun;
  if (fun->kind != TYPE_FUN) {
    wanted = csp_type(in->csp, TYPE_FUN, 0);
    wanted->count = node->count;
    wanted->kids = arena_alloc(in->csp->arena, node->count * sizeof *wanted->kids);
    for (uint32_t i = 0; i < node->count; i++) wanted->kids[i] = csp_type_var(in->csp);
    if (!csp_type_unify(in->csp, wanted, fun))
      csp_fail(in->csp, node->kids[0]->place, "remove the arguments",
               "this is no function but of type %s", csp_type_text(in->csp, fun));
  }
  for (uint32_t i = 0; i < args; i++)
    infer_expect(in, node->kids[i + 1], wanted->kids[i]);
  return wanted->kids[args];
}

static CspType *infer_let(Infer *in, CspNode *node) {
  TypeFrame frame;
  infer_open(in, &frame, node->slots);
  for (uint32_t i = 0; i < node->decl_count; i++) {
    CspDecl *d = node->decls[i];
    uint32_t names = d->kind == DECL_PATTERN    ? d->name_count
                     : d->kind == DECL_FUNCTION ? 1
                                                : 0;
    for (uint32_t k = 0; k < names; k++) frame.decls[d->slot + k] = d;
  }
  for (uint32_t i = 0; i < node->decl_count; i++) infer_decl(in, node->decls[i], &frame);
  CspType *type = infer_node(in, node->kids[0]);
  infer_close(in);
  return type;
}

static CspType *infer_lambda(Infer *in, CspNode *node) {
  TypeFrame frame;
  infer_open(in, &frame, node->slots);
  CspType *fun = csp_type(in->csp, TYPE_FUN, 0);
  fun->count = node->count;
  fun->kids = arena_alloc(in->csp->arena, node->count * sizeof *fun->kids);
  for (uint32_t i = 0; i + 1 < node->count; i++)
    fun->kids[i] = infer_pattern(in, node->kids[i]);
  fun->kids[node->count - 1] = infer_node(in, node->kids[node->count - 1]);
  infer_close(in);
  return fun;
}

static CspType *infer_if(Infer *in, CspNode *node) {
  infer_expect(in, node->kids[0], infer_kind(in, TYPE_BOOL));
  CspType *type = infer_node(in, node->kids[1]);
  infer_expect(in, node->kids[2], type);
  return type;
}

static CspType *infer_operator(Infer *in, CspNode *node, CspTypeKind operand,
                               CspTypeKind result) {
  CspType *type = infer_kind(in, operand);
  for (uint32_t i = 0; i < node->count; i++) infer_expect(in, node->kids[i], type);
  return infer_kind(in, result);
}

static CspType *infer_same(Infer *in, CspNode *node) {
  CspType *type = infer_node(in, node->kids[0]);
  infer_expect(in, node->kids[1], type);
  return infer_kind(in, TYPE_BOOL);
}

static CspType *infer_map(Infer *in, CspNode *node) {
  CspType *key = csp_type_var(in->csp), *value = csp_type_var(in->csp);
  for (uint32_t i = 0; i + 1 < node->count; i += 2) {
    infer_expect(in, node->kids[i], key);
    infer_expect(in, node->kids[i + 1], value);
  }
  return csp_type(in->csp, TYPE_MAP, 2, key, value);
}

static CspType *infer_concat(Infer *in, CspNode *node) {
  CspType *seq = csp_type(in->csp, TYPE_SEQ, 1, csp_type_var(in->csp));
  infer_expect(in, node->kids[0], seq);
  if (node->count > 1) infer_expect(in, node->kids[1], seq);
  return node->kind == NODE_LENGTH ? infer_kind(in, TYPE_INT) : seq;
}

/* P op Q and P op[S] Q: `sets` has a bit for every kid that is a set of events. */
static CspType *infer_process(Infer *in, CspNode *node, unsigned sets) {
  for (uint32_t i = 0; i < node->count; i++)
    if (sets & 1u << i)
      expect_events(in, node->kids[i]);
    else
      expect_proc(in, node->kids[i]);
  return infer_kind(in, TYPE_PROC);
}

CspType *infer_node(Infer *in, CspNode *node) {
  csp_check_stack(in->csp, node->place, "this expression");
  switch (node->kind) {
  case NODE_INT: return infer_kind(in, TYPE_INT);
  case NODE_BOOL: return infer_kind(in, TYPE_BOOL);
  case NODE_CHAR: return infer_kind(in, TYPE_CHAR);
  case NODE_STRING: return csp_type(in->csp, TYPE_SEQ, 1, infer_kind(in, TYPE_CHAR));
  case NODE_NAME: return infer_name(in, node);
  case NODE_TUPLE: return infer_all(in, node, infer_node);
  case NODE_SEQ:
  case NODE_SEQ_RANGE: return infer_collection(in, node, TYPE_SEQ);
  case NODE_SET:
  case NODE_SET_RANGE:
  case NODE_CHANSET: return infer_collection(in, node, TYPE_SET);
  case NODE_MAP: return infer_map(in, node);
  case NODE_LAMBDA: return infer_lambda(in, node);
  case NODE_LET: return infer_let(in, node);
  case NODE_IF: return infer_if(in, node);
  case NODE_APPLY: return infer_apply(in, node);
  case NODE_ADD:
  case NODE_SUB:
  case NODE_MUL:
  case NODE_DIV:
  case NODE_MOD:
  case NODE_NEG: return infer_operator(in, node, TYPE_INT, TYPE_INT);
  case NODE_EQ:
  case NODE_NE:
  case NODE_LT:
  case NODE_GT:
  case NODE_LE:
  case NODE_GE: return infer_same(in, node);
  case NODE_AND:
  case NODE_OR:
  case NODE_NOT: return infer_operator(in, node, TYPE_BOOL, TYPE_BOOL);
  case NODE_CONCAT:
  case NODE_LENGTH: return infer_concat(in, node);
  case NODE_DOT: return infer_dot(in, node, infer_node);
  case NODE_PREFIX: return infer_prefix(in, node);
  case NODE_GUARD:
    infer_expect(in, node->kids[0], infer_kind(in, TYPE_BOOL));
    expect_proc(in, node->kids[1]);
    return infer_kind(in, TYPE_PROC);
  case NODE_HIDE:
  case NODE_PROJECT:
  case NODE_SHARE:
  case NODE_EXCEPTION:
  case NODE_SYNCEXT:
  case NODE_SYNCINT: return infer_process(in, node, 1u << 1);
  case NODE_ALPHA: return infer_process(in, node, 1u << 1 | 1u << 2);
  case NODE_RENAME: return infer_relation(in, node, 1);
  case NODE_LINK: return infer_relation(in, node, 2);
  case NODE_REPLICATED: return infer_replicated(in, node);
  default: return infer_process(in, node, 0);
  }
}
