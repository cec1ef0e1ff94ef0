/* The resolver: every name of the script gets its meaning before anything is evaluated.
 *
 * In: a parsed script. Out: for each name either a variable (frames to go up, slot in the
 * frame), a global declaration or a function of the library; for each frame its size; for
 * everything that can become a closure (prefixes, lambdas, local definitions) the list of
 * the variables it takes from outside, which later is its identity.
 *
 * Frames: an equation, a lambda, a let, a prefix with inputs, and whatever has statements
 * each open one. A name in a pattern is a constant if it is a constructor or a channel,
 * and a fresh variable otherwise. */
#include "csp/resolve.h"

#include "base/opt.h"
#include "csp/library.h"

#include <string.h>

typedef struct Local {
  const CspName *name;
  uint16_t slot;
  CspDecl *decl; /* of a let, or NULL */
  struct Local *next;
} Local;

typedef struct Frame {
  Local *locals; /* newest first: later bindings shadow */
  uint16_t slots;
  struct Frame *up;
  struct Frame *outer; /* the nearest one further out that has locals */
  unsigned depth;      /* 1 for the outermost */
} Frame;

/* Collects the free variables of something that starts at `base` open frames. */
typedef struct Collector {
  CspVar *vars;
  uint32_t count, cap;
  unsigned base;
  struct Collector *up;
} Collector;

typedef struct {
  Csp *csp;
  Map globals; /* CspName * → decl index + 1; in the high half 0 for the declaration
                  itself, k + 1 for decl->names[k] */
  CspScript *script;
  Frame *frame;
  Collector *collector;
  CspScope *scope;
} Resolver;

static void resolve(Resolver *r, CspNode *node);
static void resolve_decl(Resolver *r, CspDecl *decl);

/* ---- frames and collectors --------------------------------------------------------- */

static unsigned depth(const Resolver *r) {
  return r->frame ? r->frame->depth : 0;
}

static void open_frame(Resolver *r, Frame *frame) {
  Frame *outer = r->frame && !r->frame->locals ? r->frame->outer : r->frame;
  *frame = (Frame){.up = r->frame, .outer = outer, .depth = depth(r) + 1};
  r->frame = frame;
}

static uint16_t close_frame(Resolver *r) {
  uint16_t slots = r->frame->slots;
  r->frame = r->frame->up;
  return slots;
}

static uint16_t declare(Resolver *r, CspPlace place, const CspName *name, CspDecl *decl) {
  Local *local = arena_alloc(r->csp->arena, sizeof *local);
  if (r->frame->slots == UINT16_MAX)
    csp_fail(r->csp, place, "split the definition", "too many variables in one place");
  *local = (Local){name, r->frame->slots++, decl, r->frame->locals};
  r->frame->locals = local;
  return local->slot;
}

static void open_collector(Resolver *r, Collector *c) {
  *c = (Collector){.base = depth(r), .up = r->collector};
  r->collector = c;
}

static void collect(Resolver *r, unsigned frame_depth, uint16_t slot) {
  for (Collector *c = r->collector; c; c = c->up) {
    if (frame_depth > c->base) continue;
    CspVar var = {(uint16_t)(c->base - frame_depth), slot};
    bool known = false;
    for (uint32_t i = 0; i < c->count && !known; i++)
      known = c->vars[i].hops == var.hops && c->vars[i].slot == var.slot;
    if (known) continue;
    if (c->count == c->cap) {
      c->cap = c->cap ? c->cap * 2 : 8;
      CspVar *grown = arena_alloc(r->csp->arena, c->cap * sizeof *grown);
      if (c->count) memcpy(grown, c->vars, c->count * sizeof *grown);
      c->vars = grown;
    }
    c->vars[c->count++] = var;
  }
}

static void close_collector(Resolver *r, CspVar **ret_vars, uint32_t *ret_count) {
  *ret_vars = r->collector->vars;
  *ret_count = r->collector->count;
  r->collector = r->collector->up;
}

/* ---- names ------------------------------------------------------------------------- */

static CspDecl *find_global(const Resolver *r, const CspName *name, uint32_t *ret_index) {
  for (CspScope *s = r->scope; s; s = s->parent) {
    const CspName *full = *s->prefix
                              ? csp_name_of(r->csp, arena_printf(r->csp->arena, "%s%s",
                                                                 s->prefix, name->text))
                              : name;
    uint64_t found = map_find(&r->globals, map_key(full), 0);
    if (found) {
      *ret_index = (uint32_t)(found >> 32);
      return r->script->decls[(uint32_t)found - 1];
    }
  }
  return NULL;
}

static Local *find_local(const Resolver *r, const CspName *name, unsigned *ret_hops) {
  for (Frame *f = r->frame; f; f = f->outer)
    for (Local *l = f->locals; l; l = l->next)
      if (l->name == name) {
        *ret_hops = depth(r) - f->depth;
        return l;
      }
  return NULL;
}

static _Noreturn void unbound(Resolver *r, const CspNode *node) {
  CspList names = {0};
  for (Frame *f = r->frame; f; f = f->up)
    for (Local *l = f->locals; l; l = l->next)
      csp_list_push(r->csp, &names, (void *)l->name->text);
  for (uint32_t i = 0; i < r->globals.len; i++)
    csp_list_push(r->csp, &names,
                  (void *)((CspName *)(uintptr_t)r->globals.entries[i].key)->text);
  csp_library_names(r->csp, &names);
  csp_list_push(r->csp, &names, NULL);
  const char *meant = opt_nearest(node->name->text, (const char *const *)names.data);
  csp_fail(r->csp, node->place,
           meant ? arena_printf(r->csp->arena, "did you mean %s?", meant)
                 : "define it first",
           "%s is not defined", node->name->text);
}

static void resolve_name(Resolver *r, CspNode *node) {
  unsigned hops;
  Local *local = find_local(r, node->name, &hops);
  if (local) {
    if (hops > UINT16_MAX)
      csp_fail(r->csp, node->place, "name a part of the process",
               "%s is bound too far away", node->name->text);
    node->var = (CspVar){(uint16_t)hops, local->slot};
    node->global = NULL;
    collect(r, depth(r) - hops, local->slot);
    return;
  }
  node->global = find_global(r, node->name, &node->global_index);
  if (!node->global) node->builtin = csp_library_find(r->csp, node->name);
  if (!node->global && !node->builtin) unbound(r, node);
}

/* ---- patterns ---------------------------------------------------------------------- */

static bool is_constant(const Resolver *r, CspNode *node) {
  CspDecl *decl = find_global(r, node->name, &node->global_index);
  bool constant = decl && node->global_index &&
                  (decl->kind == DECL_CHANNEL || decl->kind == DECL_DATATYPE ||
                   decl->kind == DECL_SUBTYPE);
  if (constant) node->global = decl;
  return constant;
}

static void resolve_pattern(Resolver *r, CspNode *node) {
  csp_check_stack(r->csp, node->place, "this pattern");
  switch (node->kind) {
  case NODE_NAME:
    if (is_constant(r, node)) return;
    node->binds = true;
    node->var.slot = declare(r, node->place, node->name, NULL);
    return;
  case NODE_INT:
  case NODE_BOOL:
  case NODE_CHAR:
  case NODE_STRING:
  case NODE_WILD: return;
  case NODE_NEG:
    if (node->kids[0]->kind == NODE_INT) return;
    break;
  case NODE_SET:
    if (node->count > 1 || node->stmt_count) break;
    for (uint32_t i = 0; i < node->count; i++) resolve_pattern(r, node->kids[i]);
    return;
  case NODE_TUPLE:
  case NODE_SEQ:
  case NODE_DOT:
  case NODE_CONCAT:
  case NODE_DOUBLE:
    if (node->stmt_count) break;
    for (uint32_t i = 0; i < node->count; i++) resolve_pattern(r, node->kids[i]);
    return;
  default: break;
  }
  csp_fail(r->csp, node->place,
           "use names, literals, tuples, <…>, {x}, '.', '^' and '@@' in patterns",
           "this is not a pattern");
}

/* ---- nodes with frames ------------------------------------------------------------- */

static void resolve_stmts(Resolver *r, CspNode **stmts, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    CspNode *s = stmts[i];
    if (s->kind == NODE_GENERATOR) {
      resolve(r, s->kids[1]);
      resolve_pattern(r, s->kids[0]);
    } else {
      resolve(r, s->kids[0]);
    }
  }
}

static void resolve_kids(Resolver *r, CspNode *node, uint32_t from) {
  for (uint32_t i = from; i < node->count; i++) resolve(r, node->kids[i]);
}

/* Anything with statements: its kids see what the generators bind. */
static void resolve_comprehension(Resolver *r, CspNode *node, uint32_t outside) {
  Frame frame;
  for (uint32_t i = 0; i < outside; i++) resolve(r, node->kids[i]);
  open_frame(r, &frame);
  resolve_stmts(r, node->stmts, node->stmt_count);
  resolve_kids(r, node, outside);
  node->slots = close_frame(r);
}

static void resolve_replicated(Resolver *r, CspNode *node) {
  bool has_set = node->op == NODE_SHARE || node->op == NODE_SYNCEXT;
  if (node->op != NODE_LINK) {
    resolve_comprehension(r, node, has_set ? 1 : 0);
    return;
  }
  Frame frame;
  open_frame(r, &frame);
  resolve_stmts(r, node->stmts, node->stmt_count);
  resolve(r, node->kids[0]);
  node->slots = close_frame(r);
  open_frame(r, &frame);
  resolve_stmts(r, node->extra, node->extra_count);
  resolve_kids(r, node, 1);
  node->number = close_frame(r);
}

static void resolve_prefix(Resolver *r, CspNode *node) {
  Frame frame;
  Collector collector;
  open_collector(r, &collector);
  open_frame(r, &frame);
  resolve(r, node->kids[0]);
  for (uint32_t i = 1; i + 1 < node->count; i++) {
    CspNode *field = node->kids[i];
    if (field->count > 1) resolve(r, field->kids[1]);
    if (field->op == '!')
      resolve(r, field->kids[0]);
    else
      resolve_pattern(r, field->kids[0]);
  }
  resolve(r, node->kids[node->count - 1]);
  node->slots = close_frame(r);
  close_collector(r, &node->free_vars, &node->free_count);
}

static void resolve_lambda(Resolver *r, CspNode *node) {
  Frame frame;
  Collector collector;
  open_collector(r, &collector);
  open_frame(r, &frame);
  for (uint32_t i = 0; i + 1 < node->count; i++) resolve_pattern(r, node->kids[i]);
  resolve(r, node->kids[node->count - 1]);
  node->slots = close_frame(r);
  close_collector(r, &node->free_vars, &node->free_count);
}

/* The variables of a pattern that belongs to a let, as names of the let's frame. */
static void pattern_names(Resolver *r, CspNode *node, CspList *out) {
  if (node->kind == NODE_NAME) {
    if (!is_constant(r, node)) csp_list_push(r->csp, out, node);
    return;
  }
  if (node->kind == NODE_TUPLE || node->kind == NODE_SEQ || node->kind == NODE_DOT ||
      node->kind == NODE_CONCAT || node->kind == NODE_DOUBLE || node->kind == NODE_SET)
    for (uint32_t i = 0; i < node->count; i++) pattern_names(r, node->kids[i], out);
}

static void name_pattern(Resolver *r, CspDecl *decl, const char *prefix) {
  CspList found = {0};
  csp_check_stack(r->csp, decl->place, "this pattern");
  pattern_names(r, decl->pattern, &found);
  decl->name_count = found.len;
  decl->names = arena_alloc(r->csp->arena, (found.len + 1) * sizeof *decl->names);
  decl->name_places = arena_alloc(r->csp->arena, (found.len + 1) * sizeof(CspPlace));
  for (uint32_t i = 0; i < found.len; i++) {
    CspNode *n = found.data[i];
    decl->names[i] = *prefix ? csp_name_of(r->csp, arena_printf(r->csp->arena, "%s%s",
                                                                prefix, n->name->text))
                             : n->name;
    decl->name_places[i] = n->place;
  }
}

static void resolve_let(Resolver *r, CspNode *node) {
  Frame frame;
  Collector collector;
  open_collector(r, &collector);
  open_frame(r, &frame);
  for (uint32_t i = 0; i < node->decl_count; i++) {
    CspDecl *d = node->decls[i];
    d->within = node;
    if (d->kind == DECL_FUNCTION) {
      for (Local *l = frame.locals; l; l = l->next)
        if (l->name == d->name)
          csp_fail(r->csp, d->place, "rename one of them",
                   "%s is defined twice in this let", d->name->text);
      d->slot = declare(r, d->place, d->name, d);
    } else if (d->kind == DECL_PATTERN) {
      name_pattern(r, d, "");
      d->slot = frame.slots;
      for (uint32_t k = 0; k < d->name_count; k++)
        declare(r, d->name_places[k], d->names[k], d);
    }
  }
  for (uint32_t i = 0; i < node->decl_count; i++) resolve_decl(r, node->decls[i]);
  close_collector(r, &node->free_vars, &node->free_count);
  resolve(r, node->kids[0]);
  node->slots = close_frame(r);
}

static void resolve(Resolver *r, CspNode *node) {
  csp_check_stack(r->csp, node->place, "this expression");
  switch (node->kind) {
  case NODE_NAME: resolve_name(r, node); return;
  case NODE_WILD:
    csp_fail(r->csp, node->place, "give the value",
             "'_' stands for a value only in patterns");
  case NODE_DOUBLE:
    csp_fail(r->csp, node->place, "use it on the left of a definition",
             "'@@' belongs to patterns");
  case NODE_LET: resolve_let(r, node); return;
  case NODE_LAMBDA: resolve_lambda(r, node); return;
  case NODE_PREFIX: resolve_prefix(r, node); return;
  case NODE_REPLICATED: resolve_replicated(r, node); return;
  case NODE_RENAME: resolve_comprehension(r, node, 1); return;
  case NODE_LINK: resolve_comprehension(r, node, 2); return;
  default:
    if (node->stmt_count)
      resolve_comprehension(r, node, 0);
    else
      resolve_kids(r, node, 0);
  }
}

/* ---- declarations ------------------------------------------------------------------ */

static void resolve_function(Resolver *r, CspDecl *decl) {
  for (uint32_t i = 0; i < decl->clause_count; i++) {
    CspClause *c = decl->clauses[i];
    Frame frame;
    open_frame(r, &frame);
    for (uint32_t g = 0; g < c->group_count; g++)
      for (uint32_t k = 0; k < c->group_sizes[g]; k++)
        resolve_pattern(r, c->groups[g][k]);
    resolve(r, c->body);
    c->slots = close_frame(r);
  }
}

static void resolve_assert(Resolver *r, CspAssert *a) {
  resolve(r, a->left);
  if (a->right) resolve(r, a->right);
  if (a->tau_priority) resolve(r, a->tau_priority);
}

static void resolve_decl(Resolver *r, CspDecl *decl) {
  Frame frame;
  switch (decl->kind) {
  case DECL_FUNCTION: resolve_function(r, decl); break;
  case DECL_PATTERN:
    resolve(r, decl->body);
    open_frame(r, &frame);
    resolve_pattern(r, decl->pattern);
    decl->slots = close_frame(r);
    break;
  case DECL_CHANNEL:
  case DECL_NAMETYPE:
  case DECL_PRINT:
    if (decl->body) resolve(r, decl->body);
    break;
  case DECL_DATATYPE:
  case DECL_SUBTYPE:
    for (uint32_t i = 0; i < decl->name_count; i++)
      if (decl->name_types[i]) resolve(r, decl->name_types[i]);
    break;
  case DECL_ASSERT: resolve_assert(r, decl->assertion); break;
  case DECL_IMPORT:
    for (uint32_t i = 0; i < decl->name_count; i++)
      if (!csp_library_find(r->csp, decl->names[i]))
        csp_fail(r->csp, decl->name_places[i],
                 "see docs/csp.md for the functions there are",
                 "there is no external or transparent function %s", decl->names[i]->text);
    break;
  }
}

static void add_global(Resolver *r, const CspName *name, uint32_t decl, uint32_t index,
                       CspPlace place) {
  uint64_t found = map_find(&r->globals, map_key(name), 0);
  if (found) {
    CspDecl *old = r->script->decls[(uint32_t)found - 1];
    /* A subtype names constructors of its datatype again. */
    if (r->script->decls[decl]->kind == DECL_SUBTYPE && old->kind == DECL_DATATYPE &&
        r->script->decls[decl]->name != name)
      return;
    uint32_t which = (uint32_t)(found >> 32);
    CspPlace first = which ? old->name_places[which - 1] : old->place;
    csp_fail(r->csp, place, "rename one of them",
             "%s is defined twice; the first is at line %u", name->text, first.line);
  }
  map_put(&r->globals, map_key(name), (uint64_t)index << 32 | (decl + 1));
}

static void collect_globals(Resolver *r) {
  for (uint32_t i = 0; i < r->script->decl_count; i++) {
    CspDecl *d = r->script->decls[i];
    r->scope = d->scope;
    if (d->kind == DECL_FUNCTION || d->kind == DECL_NAMETYPE ||
        d->kind == DECL_DATATYPE || d->kind == DECL_SUBTYPE)
      add_global(r, d->name, i, 0, d->place);
    if (d->kind == DECL_CHANNEL || d->kind == DECL_DATATYPE)
      for (uint32_t k = 0; k < d->name_count; k++)
        add_global(r, d->names[k], i, k + 1, d->name_places[k]);
  }
  /* The datatype of a subtype may come after it. */
  for (uint32_t i = 0; i < r->script->decl_count; i++) {
    CspDecl *d = r->script->decls[i];
    r->scope = d->scope;
    for (uint32_t k = 0; d->kind == DECL_SUBTYPE && k < d->name_count; k++)
      add_global(r, d->names[k], i, k + 1, d->name_places[k]);
  }
  for (uint32_t i = 0; i < r->script->decl_count; i++) {
    CspDecl *d = r->script->decls[i];
    r->scope = d->scope;
    if (d->kind != DECL_PATTERN) continue;
    name_pattern(r, d, d->scope->prefix);
    for (uint32_t k = 0; k < d->name_count; k++)
      add_global(r, d->names[k], i, k + 1, d->name_places[k]);
  }
}

void csp_resolve(Csp *csp, CspScript *script) {
  Resolver *r = arena_alloc_zero(csp->arena, sizeof *r);
  jmp_buf *out = csp->out, here;
  volatile bool failed = true;
  r->csp = csp;
  r->script = script;
  /* The map of globals is the only thing here that an error would leak. */
  csp->out = &here;
  if (setjmp(here) == 0) {
    collect_globals(r);
    for (uint32_t i = 0; i < script->decl_count; i++) {
      r->scope = script->decls[i]->scope;
      resolve_decl(r, script->decls[i]);
    }
    failed = false;
  }
  csp->out = out;
  map_free(&r->globals);
  if (failed) longjmp(*out, 1);
}
