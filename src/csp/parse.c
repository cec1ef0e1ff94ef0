/* Declarations: definitions, channels, types, modules and their instances.
 *
 * In: tokens. Out: one flat list of declarations, each with the scope of its module, so
 * that a name x inside module M is declared as M::x. A module with parameters is only
 * remembered; each instance parses its tokens again under its own prefix, with the
 * parameters declared as constants. Neighbouring equations of one name are one function.
 *
 * A declaration ends where the expression ends; the next one begins on a new line. */
#include "csp/parse.h"

#include <stdarg.h>
#include <string.h>

/* ---- small steps ------------------------------------------------------------------- */

bool csp_accept(CspParser *p, CspTokenKind kind) {
  if (!csp_at(p, kind)) return false;
  p->at++;
  return true;
}

_Noreturn void csp_unexpected(CspParser *p, const char *wanted) {
  csp_fail(p->csp, csp_peek(p)->place, "see docs/csp.md for the notation",
           "expected %s, found %s", wanted, csp_token_text(p->csp, csp_peek(p)));
}

CspToken *csp_expect(CspParser *p, CspTokenKind kind, const char *what) {
  if (!csp_at(p, kind)) {
    CspToken wanted = {.kind = kind};
    const char *text = kind == TOKEN_NAME ? "a name" : csp_token_text(p->csp, &wanted);
    csp_unexpected(p, arena_printf(p->csp->arena, "%s %s", text, what));
  }
  return &p->tokens[p->at++];
}

CspNode *csp_node(CspParser *p, CspNodeKind kind, CspPlace place) {
  CspNode *node = arena_alloc_zero(p->csp->arena, sizeof *node);
  node->kind = kind;
  node->place = place;
  node->timed = p->timed;
  return node;
}

void csp_set_kids(CspParser *p, CspNode *node, const CspList *kids) {
  (void)p;
  node->kids = (CspNode **)kids->data;
  node->count = kids->len;
}

CspNode *csp_node_list(CspParser *p, CspNodeKind kind, CspPlace place, uint32_t count,
                       ...) {
  CspNode *node = csp_node(p, kind, place);
  va_list args;
  node->kids = arena_alloc(p->csp->arena, count * sizeof *node->kids);
  node->count = count;
  va_start(args, count);
  for (uint32_t i = 0; i < count; i++) node->kids[i] = va_arg(args, CspNode *);
  va_end(args);
  return node;
}

static CspDecl *new_decl(CspParser *p, CspDeclKind kind, CspPlace place) {
  CspDecl *decl = arena_alloc_zero(p->csp->arena, sizeof *decl);
  decl->kind = kind;
  decl->place = place;
  decl->scope = p->scope;
  return decl;
}

/* The name inside the scope of the parser; inside let there is no prefix. */
static const CspName *scoped(CspParser *p, const CspName *name, bool local) {
  if (local || !*p->scope->prefix) return name;
  return csp_name_of(p->csp,
                     arena_printf(p->csp->arena, "%s%s", p->scope->prefix, name->text));
}

static void parse_names(CspParser *p, CspDecl *decl, bool prefixed) {
  CspList names = {0}, places = {0};
  do {
    CspToken *token = csp_expect(p, TOKEN_NAME, "to declare");
    csp_list_push(p->csp, &names,
                  (void *)(prefixed ? scoped(p, token->name, false) : token->name));
    csp_list_push(p->csp, &places, &token->place);
  } while (csp_accept(p, TOKEN_COMMA));
  decl->names = (const CspName **)names.data;
  decl->name_count = names.len;
  decl->name_places = arena_alloc(p->csp->arena, places.len * sizeof(CspPlace));
  for (uint32_t i = 0; i < places.len; i++)
    decl->name_places[i] = *(CspPlace *)places.data[i];
  decl->name = decl->names[0];
}

/* ---- definitions ------------------------------------------------------------------- */

static CspClause *clause_of(CspParser *p, CspNode *head, CspNode *body) {
  CspClause *clause = arena_alloc_zero(p->csp->arena, sizeof *clause);
  clause->place = head->place;
  clause->body = body;
  for (CspNode *n = head; n->kind == NODE_APPLY; n = n->kids[0]) clause->group_count++;
  clause->groups =
      arena_alloc(p->csp->arena, (clause->group_count + 1) * sizeof *clause->groups);
  clause->group_sizes =
      arena_alloc(p->csp->arena, (clause->group_count + 1) * sizeof(uint32_t));
  uint32_t i = clause->group_count;
  for (CspNode *n = head; n->kind == NODE_APPLY; n = n->kids[0]) {
    clause->groups[--i] = n->kids + 1;
    clause->group_sizes[i] = n->count - 1;
  }
  return clause;
}

static CspNode *head_name(CspNode *head) {
  while (head->kind == NODE_APPLY) head = head->kids[0];
  return head->kind == NODE_NAME ? head : NULL;
}

static void add_clause(CspParser *p, CspDecl *decl, CspClause *clause) {
  CspClause **grown =
      arena_alloc(p->csp->arena, (decl->clause_count + 1) * sizeof *grown);
  if (decl->clause_count)
    memcpy(grown, decl->clauses, decl->clause_count * sizeof *grown);
  grown[decl->clause_count++] = clause;
  decl->clauses = grown;
}

/* The clause continues the function declared just before, if that has the same name. */
static bool continues(CspParser *p, CspList *out, const CspName *name,
                      CspClause *clause) {
  CspDecl *last = out->len ? out->data[out->len - 1] : NULL;
  if (!last || last->kind != DECL_FUNCTION || last->name != name ||
      last->scope != p->scope)
    return false;
  CspClause *first = last->clauses[0];
  bool same = first->group_count == clause->group_count && clause->group_count > 0;
  for (uint32_t i = 0; same && i < clause->group_count; i++)
    same = first->group_sizes[i] == clause->group_sizes[i];
  if (!same && clause->group_count > 0)
    csp_fail(p->csp, clause->place, "give every equation the same parameters",
             "this equation of %s has other parameters than the first, line %u",
             name->text, first->place.line);
  return same;
}

static void parse_definition(CspParser *p, CspList *out, bool local) {
  CspPlace place = csp_peek(p)->place;
  CspNode *head = csp_parse_tight(p);
  csp_expect(p, TOKEN_ASSIGN, "in this definition");
  CspNode *name = head_name(head);
  if (!name) {
    CspDecl *decl = new_decl(p, DECL_PATTERN, place);
    decl->pattern = head;
    decl->body = csp_parse_expr(p);
    csp_list_push(p->csp, out, decl);
    return;
  }
  const CspName *full = scoped(p, name->name, local);
  CspClause *clause = clause_of(p, head, csp_parse_expr(p));
  clause->place = place;
  if (continues(p, out, full, clause)) {
    add_clause(p, out->data[out->len - 1], clause);
    return;
  }
  CspDecl *decl = new_decl(p, DECL_FUNCTION, place);
  decl->name = full;
  add_clause(p, decl, clause);
  csp_list_push(p->csp, out, decl);
}

/* f :: (Int) -> Bool is accepted and not looked at: types are inferred. */
static bool skip_signature(CspParser *p) {
  if (!csp_at(p, TOKEN_NAME)) return false;
  uint32_t at = p->at;
  while (p->tokens[at].kind == TOKEN_NAME && p->tokens[at + 1].kind == TOKEN_COMMA)
    at += 2;
  if (p->tokens[at].kind != TOKEN_NAME || p->tokens[at + 1].kind != TOKEN_QUALIFY)
    return false;
  unsigned depth = 0;
  for (at += 2; p->tokens[at].kind != TOKEN_END; at++) {
    CspTokenKind kind = p->tokens[at].kind, before = p->tokens[at - 1].kind;
    bool joined = before == TOKEN_ARROW || before == TOKEN_MAPS_TO ||
                  before == TOKEN_DOT || before == TOKEN_COMMA ||
                  before == TOKEN_QUALIFY || kind == TOKEN_ARROW || kind == TOKEN_MAPS_TO;
    if (depth == 0 && p->tokens[at].first && !joined) break;
    if (kind == TOKEN_OPEN || kind == TOKEN_OPEN_SET || kind == TOKEN_LESS) depth++;
    if ((kind == TOKEN_CLOSE || kind == TOKEN_CLOSE_SET || kind == TOKEN_GREATER) &&
        depth)
      depth--;
  }
  p->at = at;
  return true;
}

/* ---- channels and types ------------------------------------------------------------ */

static void parse_channel(CspParser *p, CspList *out) {
  CspDecl *decl = new_decl(p, DECL_CHANNEL, csp_peek(p)->place);
  p->at++;
  parse_names(p, decl, true);
  if (csp_accept(p, TOKEN_COLON)) decl->body = csp_parse_tight(p);
  csp_list_push(p->csp, out, decl);
}

static void parse_datatype(CspParser *p, CspList *out, CspDeclKind kind) {
  CspDecl *decl = new_decl(p, kind, csp_peek(p)->place);
  CspList names = {0}, places = {0}, types = {0};
  p->at++;
  decl->name = scoped(p, csp_expect(p, TOKEN_NAME, "for the type")->name, false);
  csp_expect(p, TOKEN_ASSIGN, "after the name of the type");
  do {
    CspToken *token = csp_expect(p, TOKEN_NAME, "for the constructor");
    csp_list_push(p->csp, &names, (void *)scoped(p, token->name, false));
    csp_list_push(p->csp, &places, &token->place);
    csp_list_push(p->csp, &types, csp_accept(p, TOKEN_DOT) ? csp_parse_tight(p) : NULL);
  } while (csp_accept(p, TOKEN_BAR));
  decl->names = (const CspName **)names.data;
  decl->name_count = names.len;
  decl->name_types = (CspNode **)types.data;
  decl->name_places = arena_alloc(p->csp->arena, places.len * sizeof(CspPlace));
  for (uint32_t i = 0; i < places.len; i++)
    decl->name_places[i] = *(CspPlace *)places.data[i];
  csp_list_push(p->csp, out, decl);
}

static void parse_nametype(CspParser *p, CspList *out) {
  CspDecl *decl = new_decl(p, DECL_NAMETYPE, csp_peek(p)->place);
  p->at++;
  decl->name = scoped(p, csp_expect(p, TOKEN_NAME, "for the type")->name, false);
  csp_expect(p, TOKEN_ASSIGN, "after the name of the type");
  decl->body = csp_parse_tight(p);
  csp_list_push(p->csp, out, decl);
}

/* ---- modules ----------------------------------------------------------------------- */

static void parse_decls(CspParser *p, CspList *out, bool local);

static void skip_module(CspParser *p) {
  for (unsigned depth = 1; depth;) {
    if (csp_at(p, TOKEN_END)) csp_unexpected(p, "the word 'endmodule'");
    if (csp_at(p, TOKEN_MODULE)) depth++;
    if (csp_at(p, TOKEN_ENDMODULE)) depth--;
    p->at++;
  }
}

static void parse_module_body(CspParser *p, CspList *out, const CspName *full,
                              CspScope *parent) {
  CspScope *scope = arena_alloc(p->csp->arena, sizeof *scope), *outer = p->scope;
  scope->prefix = arena_printf(p->csp->arena, "%s::", full->text);
  scope->parent = parent;
  csp_check_stack(p->csp, csp_peek(p)->place, "this module");
  p->scope = scope;
  parse_decls(p, out, false);
  if (csp_accept(p, TOKEN_EXPORTS)) parse_decls(p, out, false);
  csp_expect(p, TOKEN_ENDMODULE, "after the declarations of the module");
  p->scope = outer;
}

static void parse_module(CspParser *p, CspList *out) {
  CspModule *module = arena_alloc_zero(p->csp->arena, sizeof *module);
  CspList params = {0};
  p->at++;
  module->name = scoped(p, csp_expect(p, TOKEN_NAME, "for the module")->name, false);
  module->scope = p->scope;
  module->timed = p->timed;
  if (csp_accept(p, TOKEN_OPEN)) {
    do
      csp_list_push(p->csp, &params,
                    (void *)csp_expect(p, TOKEN_NAME, "of a parameter")->name);
    while (csp_accept(p, TOKEN_COMMA));
    csp_expect(p, TOKEN_CLOSE, "after the parameters");
  }
  module->params = (const CspName **)params.data;
  module->param_count = params.len;
  module->begin = p->at;
  csp_list_push(p->csp, &p->modules, module);
  if (module->param_count)
    skip_module(p);
  else
    parse_module_body(p, out, module->name, p->scope);
}

static CspModule *find_module(CspParser *p, CspToken *token, const char *name) {
  for (CspScope *s = p->scope; s; s = s->parent) {
    const CspName *full =
        csp_name_of(p->csp, arena_printf(p->csp->arena, "%s%s", s->prefix, name));
    for (uint32_t i = 0; i < p->modules.len; i++)
      if (((CspModule *)p->modules.data[i])->name == full) return p->modules.data[i];
  }
  csp_fail(p->csp, token->place, "declare it before its instances",
           "there is no module %s", name);
}

/* instance I = M(args): the parameters become constants I::x, then the body is read. */
static void parse_instance(CspParser *p, CspList *out) {
  p->at++;
  const CspName *full =
      scoped(p, csp_expect(p, TOKEN_NAME, "for the instance")->name, false);
  csp_expect(p, TOKEN_ASSIGN, "after the name of the instance");
  CspToken *token = csp_expect(p, TOKEN_NAME, "of a module");
  const char *name = token->name->text;
  while (csp_accept(p, TOKEN_QUALIFY))
    name = arena_printf(p->csp->arena, "%s::%s", name,
                        csp_expect(p, TOKEN_NAME, "of a module")->name->text);
  CspModule *module = find_module(p, token, name);
  CspList args = {0};
  if (csp_accept(p, TOKEN_OPEN)) csp_parse_arguments(p, TOKEN_CLOSE, &args);
  if (args.len != module->param_count)
    csp_fail(p->csp, token->place, "give one argument for each",
             "module %s has %u parameters, not %u", name, module->param_count, args.len);
  for (uint32_t i = 0; i < args.len; i++) {
    CspDecl *decl = new_decl(p, DECL_FUNCTION, token->place);
    decl->name = csp_name_of(p->csp, arena_printf(p->csp->arena, "%s::%s", full->text,
                                                  module->params[i]->text));
    CspClause *clause = arena_alloc_zero(p->csp->arena, sizeof *clause);
    clause->place = token->place;
    clause->body = args.data[i];
    add_clause(p, decl, clause);
    csp_list_push(p->csp, out, decl);
  }
  uint32_t back = p->at;
  CspDecl *timed = p->timed;
  p->at = module->begin;
  p->timed = module->timed;
  parse_module_body(p, out, full, module->scope);
  p->at = back;
  p->timed = timed;
}

/* ---- timed sections ---------------------------------------------------------------- */

/* Timed(f) { … }: f tells how many tocks every event takes. It becomes a constant of its
 * own, which all nodes of the section know. */
static void parse_timed(CspParser *p, CspList *out) {
  CspToken *word = &p->tokens[p->at++];
  CspDecl *outer = p->timed, *decl = new_decl(p, DECL_FUNCTION, word->place);
  CspClause *clause = arena_alloc_zero(p->csp->arena, sizeof *clause);
  csp_expect(p, TOKEN_OPEN, "with the function that says how long events take");
  clause->place = csp_peek(p)->place;
  p->timed = NULL;
  clause->body = csp_parse_expr(p);
  csp_expect(p, TOKEN_CLOSE, "after the function");
  csp_expect(p, TOKEN_OPEN_SET, "before the declarations of the timed section");
  decl->name = csp_name_of(p->csp, arena_printf(p->csp->arena, "%sthe times of token %u",
                                                p->scope->prefix, p->at));
  add_clause(p, decl, clause);
  csp_list_push(p->csp, out, decl);
  p->timed = decl;
  parse_decls(p, out, false);
  csp_expect(p, TOKEN_CLOSE_SET, "after the declarations of the timed section");
  p->timed = outer;
}

/* ---- all declarations -------------------------------------------------------------- */

static void parse_simple(CspParser *p, CspList *out, CspDeclKind kind) {
  CspDecl *decl = new_decl(p, kind, csp_peek(p)->place);
  p->at++;
  if (kind == DECL_IMPORT)
    parse_names(p, decl, false);
  else if (kind == DECL_PRINT)
    decl->body = csp_parse_expr(p);
  else
    decl->assertion = csp_parse_assert(p, decl->place);
  csp_list_push(p->csp, out, decl);
}

static void parse_decl(CspParser *p, CspList *out, bool local) {
  CspToken *token = csp_peek(p);
  bool only_global = token->kind == TOKEN_CHANNEL || token->kind == TOKEN_DATATYPE ||
                     token->kind == TOKEN_SUBTYPE || token->kind == TOKEN_NAMETYPE ||
                     token->kind == TOKEN_MODULE || token->kind == TOKEN_INSTANCE ||
                     token->kind == TOKEN_ASSERT || token->kind == TOKEN_PRINT ||
                     token->kind == TOKEN_TIMED;
  if (local && only_global)
    csp_fail(p->csp, token->place, "move it out of the let", "%s cannot stand inside let",
             csp_token_text(p->csp, token));
  switch (token->kind) {
  case TOKEN_CHANNEL: parse_channel(p, out); break;
  case TOKEN_DATATYPE: parse_datatype(p, out, DECL_DATATYPE); break;
  case TOKEN_SUBTYPE: parse_datatype(p, out, DECL_SUBTYPE); break;
  case TOKEN_NAMETYPE: parse_nametype(p, out); break;
  case TOKEN_MODULE: parse_module(p, out); break;
  case TOKEN_INSTANCE: parse_instance(p, out); break;
  case TOKEN_TRANSPARENT:
  case TOKEN_EXTERNAL: parse_simple(p, out, DECL_IMPORT); break;
  case TOKEN_ASSERT: parse_simple(p, out, DECL_ASSERT); break;
  case TOKEN_PRINT: parse_simple(p, out, DECL_PRINT); break;
  case TOKEN_TIMED: parse_timed(p, out); break;
  default:
    if (!skip_signature(p)) parse_definition(p, out, local);
  }
}

static bool at_end_of_decls(const CspParser *p) {
  CspTokenKind kind = csp_peek(p)->kind;
  return kind == TOKEN_END || kind == TOKEN_WITHIN || kind == TOKEN_EXPORTS ||
         kind == TOKEN_ENDMODULE || (p->timed && kind == TOKEN_CLOSE_SET);
}

static void parse_decls(CspParser *p, CspList *out, bool local) {
  while (!at_end_of_decls(p)) {
    uint32_t before = p->at;
    if (before > 0 && !csp_peek(p)->first && p->tokens[before - 1].kind != TOKEN_LET &&
        p->tokens[before - 1].kind != TOKEN_EXPORTS &&
        p->tokens[before - 1].kind != TOKEN_OPEN_SET)
      csp_unexpected(p, "an operator or a new line");
    parse_decl(p, out, local);
  }
}

void csp_parse_let(CspParser *p, CspNode *let) {
  CspList decls = {0};
  parse_decls(p, &decls, true);
  let->decls = (CspDecl **)decls.data;
  let->decl_count = decls.len;
}

CspScript *csp_parse(Csp *csp, CspToken *tokens) {
  CspScope *root = arena_alloc(csp->arena, sizeof *root);
  *root = (CspScope){"", NULL};
  CspParser p = {.csp = csp, .tokens = tokens, .scope = root};
  CspScript *script = arena_alloc_zero(csp->arena, sizeof *script);
  parse_decls(&p, &p.decls, false);
  if (!csp_at(&p, TOKEN_END)) csp_unexpected(&p, "a declaration");
  script->decls = (CspDecl **)p.decls.data;
  script->decl_count = p.decls.len;
  return script;
}
