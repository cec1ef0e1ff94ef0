/* Types of declarations.
 *
 * In: a resolved script. Out: a scheme for every definition. Definitions are inferred
 * when they are first needed. Those that need each other form a strongly connected group
 * (Tarjan's algorithm on the way), which is generalised together when its first member is
 * done. */
#include "csp/infer.h"

enum { MARK_NEW, MARK_OPEN, MARK_DONE };

static CspType *function_type(Infer *in, CspDecl *decl) {
  CspClause *c = decl->clauses[0];
  CspType *type = csp_type_var(in->csp);
  for (uint32_t g = c->group_count; g-- > 0;) {
    CspType *fun = csp_type(in->csp, TYPE_FUN, 0);
    fun->count = c->group_sizes[g] + 1;
    fun->kids = arena_alloc(in->csp->arena, fun->count * sizeof *fun->kids);
    for (uint32_t i = 0; i < c->group_sizes[g]; i++) fun->kids[i] = csp_type_var(in->csp);
    fun->kids[fun->count - 1] = type;
    type = fun;
  }
  return type;
}

static void infer_clause(Infer *in, CspDecl *decl, CspClause *c) {
  TypeFrame frame;
  CspType *type = decl->type;
  infer_open(in, &frame, c->slots);
  for (uint32_t g = 0; g < c->group_count; g++) {
    for (uint32_t i = 0; i < c->group_sizes[g]; i++) {
      CspType *found = infer_pattern(in, c->groups[g][i]);
      if (!csp_type_unify(in->csp, type->kids[i], found))
        infer_mismatch(in, c->groups[g][i]->place, type->kids[i], found);
    }
    type = type->kids[type->count - 1];
  }
  infer_expect(in, c->body, type);
  infer_close(in);
}

static void infer_pattern_decl(Infer *in, CspDecl *decl) {
  TypeFrame frame;
  CspType *type = infer_node(in, decl->body);
  infer_open(in, &frame, decl->slots);
  CspType *pattern = infer_pattern(in, decl->pattern);
  if (!csp_type_unify(in->csp, pattern, type))
    infer_mismatch(in, decl->body->place, pattern, type);
  for (uint32_t i = 0; i < decl->name_count; i++) {
    csp_type_unify(in->csp, decl->name_schemes[i], frame.types[i]);
  }
  infer_close(in);
}

/* The chain a=>b=>result for the fields of a type expression. */
static CspType *dotable_type(Infer *in, CspNode *fields, CspType *result) {
  CspList list = {0};
  if (fields) infer_fields(in, fields, &list);
  for (uint32_t i = list.len; i-- > 0;)
    result = csp_type(in->csp, TYPE_DOTABLE, 2, list.data[i], result);
  return result;
}

static CspDecl *parent_of_subtype(Infer *in, CspDecl *decl, CspScript *script) {
  for (uint32_t i = 0; i < script->decl_count; i++) {
    CspDecl *d = script->decls[i];
    if (d->kind != DECL_DATATYPE) continue;
    for (uint32_t k = 0; k < d->name_count; k++)
      if (d->names[k] == decl->names[0]) return d;
  }
  csp_fail(in->csp, decl->name_places[0], "use constructors of one datatype",
           "%s is no constructor of a datatype", decl->names[0]->text);
}

static void prepare(Infer *in, CspDecl *decl) {
  Csp *csp = in->csp;
  switch (decl->kind) {
  case DECL_FUNCTION: decl->type = function_type(in, decl); break;
  case DECL_PATTERN:
    decl->name_schemes =
        arena_alloc(csp->arena, (decl->name_count + 1) * sizeof(CspType *));
    for (uint32_t i = 0; i < decl->name_count; i++)
      decl->name_schemes[i] = csp_type_var(csp);
    break;
  case DECL_CHANNEL:
  case DECL_NAMETYPE: decl->type = csp_type_var(csp); break;
  default: break;
  }
}

static void infer_datatype(Infer *in, CspDecl *decl) {
  CspType *self = csp_type_resolve(decl->type)->kids[0];
  for (uint32_t i = 0; i < decl->name_count; i++) {
    CspType *type = dotable_type(in, decl->name_types[i], self);
    csp_type_unify(in->csp, decl->name_schemes[i], type);
  }
}

static void infer_body(Infer *in, CspDecl *decl) {
  switch (decl->kind) {
  case DECL_FUNCTION:
    for (uint32_t i = 0; i < decl->clause_count; i++)
      infer_clause(in, decl, decl->clauses[i]);
    break;
  case DECL_PATTERN: infer_pattern_decl(in, decl); break;
  case DECL_CHANNEL: {
    CspType *type = dotable_type(in, decl->body, infer_kind(in, TYPE_EVENT));
    csp_type_unify(in->csp, decl->type, type);
    break;
  }
  case DECL_NAMETYPE: {
    CspList fields = {0};
    infer_fields(in, decl->body, &fields);
    CspType *joined = csp_type_join(in->csp, (CspType **)fields.data, fields.len, false);
    csp_type_unify(in->csp, decl->type,
                   infer_set(in, joined ? joined : infer_kind(in, TYPE_ANY)));
    break;
  }
  case DECL_DATATYPE:
  case DECL_SUBTYPE: infer_datatype(in, decl); break;
  default: break;
  }
}

static void generalise(Csp *csp, CspDecl *decl, uint32_t level) {
  if (decl->kind == DECL_FUNCTION) {
    csp_type_generalise(decl->type, level);
    CspType *type = csp_type_resolve(decl->type);
    /* Of the parameters on the left only: the value may be a function that yields one. */
    for (uint32_t g = decl->clauses[0]->group_count; g && type->kind == TYPE_FUN; g--)
      type = csp_type_resolve(type->kids[type->count - 1]);
    decl->yields_process = type->kind == TYPE_PROC;
  } else if (decl->kind == DECL_PATTERN) {
    for (uint32_t i = 0; i < decl->name_count; i++)
      csp_type_generalise(decl->name_schemes[i], level);
  }
  decl->mark = MARK_DONE;
  (void)csp;
}

void infer_decl(Infer *in, CspDecl *decl, TypeFrame *frame) {
  Csp *csp = in->csp;
  CspTypes *t = csp->types;
  if (decl->mark != MARK_NEW || decl->kind == DECL_IMPORT) return;
  csp_check_stack(csp, decl->place, "the chain of definitions");
  TypeFrame *outer = in->frame;
  uint32_t level = ++t->level;
  decl->mark = MARK_OPEN;
  decl->index = decl->low = t->index++;
  csp_list_push(csp, &t->open, decl);
  prepare(in, decl);
  in->frame = frame;
  infer_body(in, decl);
  in->frame = outer;
  t->level--;
  if (decl->low == decl->index) {
    CspDecl *member;
    do {
      member = t->open.data[--t->open.len];
      generalise(csp, member, level);
    } while (member != decl);
    return;
  }
  /* Part of a larger group: whoever needed it waits for what it waits for. */
  if (t->open.len > 1) {
    for (uint32_t i = 0; i < t->open.len; i++) {
      CspDecl *below = t->open.data[i];
      if (below->index >= decl->low && below->index < decl->index &&
          below->low > decl->low)
        below->low = decl->low;
    }
  }
}

/* `user` refers to an open declaration: they belong to one group. */
static void join_group(CspTypes *t, CspDecl *decl) {
  CspDecl *user = t->open.data[t->open.len - 1];
  if (user->low > decl->index) user->low = decl->index;
}

CspType *infer_reference(Infer *in, CspDecl *decl, uint32_t index, TypeFrame *frame) {
  Csp *csp = in->csp;
  infer_decl(in, decl, frame);
  if (decl->mark == MARK_OPEN && csp->types->open.len) join_group(csp->types, decl);
  CspType *scheme = decl->type;
  if (index && (decl->kind == DECL_PATTERN || decl->kind == DECL_DATATYPE ||
                decl->kind == DECL_SUBTYPE))
    scheme = decl->name_schemes[index - 1];
  if (!scheme) return infer_kind(in, TYPE_ANY);
  return decl->mark == MARK_OPEN ? scheme : csp_type_instance(csp, scheme);
}

/* Datatypes may be recursive, so that their types are known before their fields are. */
static void prepare_datatypes(Infer *in, CspScript *script) {
  Csp *csp = in->csp;
  for (uint32_t i = 0; i < script->decl_count; i++) {
    CspDecl *d = script->decls[i];
    if (d->kind != DECL_DATATYPE && d->kind != DECL_SUBTYPE) continue;
    CspType *self = csp_type(csp, TYPE_DATA, 0);
    self->decl = d->kind == DECL_SUBTYPE ? parent_of_subtype(in, d, script) : d;
    d->type = infer_set(in, self);
    d->name_schemes = arena_alloc(csp->arena, (d->name_count + 1) * sizeof(CspType *));
    for (uint32_t k = 0; k < d->name_count; k++) d->name_schemes[k] = csp_type_var(csp);
  }
}

static void infer_assert(Infer *in, CspAssert *a) {
  infer_expect(in, a->left,
               infer_kind(in, a->kind == ASSERT_TRUE ? TYPE_BOOL : TYPE_PROC));
  if (a->kind == ASSERT_REFINES) infer_expect(in, a->right, infer_kind(in, TYPE_PROC));
  if (a->kind == ASSERT_HAS_TRACE)
    infer_expect(in, a->right,
                 csp_type(in->csp, TYPE_SEQ, 1, infer_kind(in, TYPE_EVENT)));
  if (a->tau_priority)
    infer_expect(in, a->tau_priority, infer_set(in, infer_kind(in, TYPE_EVENT)));
}

void csp_infer(Csp *csp, CspScript *script) {
  Infer in = {.csp = csp};
  csp->types = arena_alloc_zero(csp->arena, sizeof *csp->types);
  prepare_datatypes(&in, script);
  for (uint32_t i = 0; i < script->decl_count; i++)
    infer_decl(&in, script->decls[i], NULL);
  for (uint32_t i = 0; i < script->decl_count; i++) {
    CspDecl *d = script->decls[i];
    if (d->kind == DECL_ASSERT) infer_assert(&in, d->assertion);
    if (d->kind == DECL_PRINT) infer_node(&in, d->body);
  }
}
