/* The validator: every rule of the model, in one linear pass.
 *
 * In: a program, perhaps from a broken file. Out: true, or an error that names the rule,
 * the function and the place. Rules are checked in the order of this list and may rely on
 * the ones before them.
 *
 * T: texts, places, references
 *   T1  `text` is empty, or starts and ends with NUL; so every offset inside is a text.
 *   T2  Entry 0 of every table, where there is one, is all zero (node 0: its first edge
 *       is 1).
 *   T3  Every reference of every entry (Sym, TypeId, LocId, FuncId, …) is 0 or inside its
 *       table, and every range (first, count) lies inside its table.
 * Y: types
 *   Y1  Kind and flags are known; only structs and unions have fields, and they lie
 *       inside.
 *   Y2  No type contains itself by value (through aliases, arrays, fields): walking down
 *       ends.
 * O: objects
 *   O1  Kind and flags are known; the alignment is 0 or a power of two.
 *   O2  The initial bytes lie inside `bytes` and are no more than the object holds.
 *   O3  Relocations lie inside the object, ascend without overlap, have the size of their
 *       target's value, and the target is constant: no local, no stack or thread-local
 *       object.
 *   O4  A stack object has an owner with a body; it is in the owner's list of frame
 *       objects exactly once, or is dynamic and allocated by an ALLOCA edge. A heap
 *       object is allocated by a CALL edge. Edge and object name each other (also E9).
 * F: functions
 *   F1  A function with a body (DEFINED) has nodes, one without has neither nodes nor
 *       edges. One that is UNKNOWN has neither body nor rule.
 *   F2  Locals of functions do not overlap; parameters come first and are marked.
 *   F3  Sort and width of every local and of the result are possible together.
 *   F4  Nodes belong to exactly one function, which they name; entry is one of them.
 *   F5  Edges are sorted by source node: node n has nodes[n].first_edge up to that of
 *       n+1; the extra node at the end closes the last; edge ranges of functions follow
 *       from that.
 *   F6  Every node has an edge out. Where it has several, all are ASSUME, all are GOTO or
 *       all are NOP.
 *   F7  Effects are of known kind and extent.
 * X: expressions (validate_expr.c)
 *   X1  Kind and sort are known; the width is one that the sort can have.
 *   X2  Operands exist and have smaller numbers: expressions are acyclic.
 *   X3  Leaves refer to something that exists and have its sort and width; a constant
 *       fits its width; an object made at run time has no address expression.
 *   X4  Integer and pointer operators agree in width: both sides of arithmetic,
 *       comparisons give 1 bit, ZEXT/SEXT widen, TRUNC narrows, EXTRACT/INSERT stay
 *       inside, PTRADD is pointer plus 64 bits (its third part is a number), the condition of ITE is 1 bit.
 *   X5  Float operators agree in format.
 *   X6  Operands that a kind does not use are 0.
 *   X7  An expression uses the locals and stack objects of one function only.
 * E: edges (validate_edge.c)
 *   E1  The operation is known.
 *   E2  The successor is a node of the same function; RETURN, UNREACHABLE, EXIT_THREAD,
 *       EXIT have none, and a direct call of a NORETURN function may have none.
 *   E3  Operands are there or absent as the operation says, have its sorts, and use only
 *       this function's frame. A deadline stands only on a timed attempt.
 *   E4  Destinations are locals of this function, there or absent as the operation says.
 *   E5  Memory orders are those that C11 allows for the operation; plain ones have none.
 *   E6  Lock kind, mode and attempt stand only where they mean something.
 *   E7  So do flags.
 *   E8  An access has the size of the value that it moves; others have size 0.
 *   E9  `aux` is what the operation says: RmwKind, allocated object, label at the target,
 *       result.
 *   E10 Arguments exist; a direct call of a function with a body fits its parameters and
 *       result, unless it is marked EDGE_MISMATCH. Only variadic functions get more
 *       arguments.
 *   E11 ASSIGN, RETURN, ALLOCA, STACK_SAVE and FILL have values that fit.
 * P: the program
 *   P1  `main` is 0 or has a body; errno_object exists.
 *   P2  A thread template has an entry or a site; the site is a CREATE edge. The entry
 *       exists.
 *   P3  Constructors and destructors exist. Every label is 0 or a node. */
#include "model/validate.h"
#include "model/validate_parts.h"

#include <stdarg.h>

/* ---- failing ----------------------------------------------------------------------- */

static bool fail_with(Check *check, const char *rule, LocId loc, const char *who,
                      const char *format, va_list args) {
  const Program *p = check->program;
  Str text = {0};
  str_vaddf(&text, format, args);
  const char *file = NULL;
  int line = 0, column = 0;
  if (loc && loc < p->locs.len && p->locs.data[loc].file < p->text.len) {
    const Loc *place = &p->locs.data[loc];
    file = sym_text(p, place->file);
    line = place->line > INT32_MAX ? 0 : (int)place->line;
    column = place->column > INT32_MAX ? 0 : (int)place->column;
  }
  err_set(check->err, ERR_INTERNAL, file && *file ? file : NULL, line, column, NULL,
          "the program model breaks rule %s: %s: %s", rule, who, str_text(&text));
  str_free(&text);
  return false;
}

bool fail_at(Check *check, const char *rule, const char *table, uint64_t entry,
             const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *who = str_printf("%s[%llu]", table, (unsigned long long)entry);
  fail_with(check, rule, 0, who, format, args);
  mem_free(who);
  va_end(args);
  return false;
}

static const char *function_name(const Check *check, FuncId f) {
  const Program *p = check->program;
  Sym name = f < p->functions.len ? p->functions.data[f].name : 0;
  return name < p->text.len ? sym_text(p, name) : "";
}

bool fail_function(Check *check, const char *rule, FuncId f, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *who = str_printf("function %s", function_name(check, f));
  fail_with(check, rule, check->program->functions.data[f].loc, who, format, args);
  mem_free(who);
  va_end(args);
  return false;
}

bool fail_edge(Check *check, const char *rule, EdgeId id, const char *format, ...) {
  const Program *p = check->program;
  const Edge *e = &p->edges.data[id];
  FuncId f = e->from < p->nodes.len ? p->nodes.data[e->from].function : 0;
  va_list args;
  va_start(args, format);
  char *who = str_printf("function %s, edge %u (%s)", function_name(check, f), id,
                         e->op < OP_COUNT ? op_text((OpKind)e->op) : "?");
  fail_with(check, rule, e->loc, who, format, args);
  mem_free(who);
  va_end(args);
  return false;
}

/* ---- T: references of the plain tables --------------------------------------------- */

#define SYM_OK(s) ((s) == 0 || (s) < p->text.len)

static bool check_text(Check *check) {
  const Program *p = check->program;
  if (p->text.len && (p->text.data[0] != 0 || p->text.data[p->text.len - 1] != 0))
    return fail_at(check, "T1", "text", 0, "it does not start and end with NUL");
  return true;
}

static bool all_zero(const void *bytes, size_t n) {
  const char *p = bytes;
  for (size_t i = 0; i < n; i++)
    if (p[i]) return false;
  return true;
}

/* `text` and `bytes` hold no entries, and node 0 marks where the edges of node 1 start.
 * */
static bool check_zero_entries(Check *check) {
  const Program *p = check->program;
#define TABLE(name)                                                                      \
  if ((const void *)&p->name != (const void *)&p->text &&                                \
      (const void *)&p->name != (const void *)&p->bytes &&                               \
      (const void *)&p->name != (const void *)&p->nodes && p->name.len &&                \
      !all_zero(p->name.data, sizeof *p->name.data))                                     \
    return fail_at(check, "T2", #name, 0, "the reserved entry is not empty");
  PROGRAM_TABLES(TABLE)
#undef TABLE
  return true;
}

static bool check_small_tables(Check *check) {
  const Program *p = check->program;
  for (uint32_t i = 0; i < p->locs.len; i++)
    if (!SYM_OK(p->locs.data[i].file))
      return fail_at(check, "T3", "locs", i, "its file lies outside of the text");
  for (uint32_t i = 0; i < p->fields.len; i++)
    if (!SYM_OK(p->fields.data[i].name) || !id_inside(&p->types, p->fields.data[i].type))
      return fail_at(check, "T3", "fields", i, "its name or type does not exist");
  for (uint32_t i = 0; i < p->locals.len; i++) {
    const Local *l = &p->locals.data[i];
    if (!SYM_OK(l->name) || !id_inside(&p->types, l->type) ||
        !id_inside(&p->locs, l->loc))
      return fail_at(check, "T3", "locals", i, "its name, type or place does not exist");
  }
  for (uint32_t i = 0; i < p->effects.len; i++) {
    const Effect *e = &p->effects.data[i];
    if (!SYM_OK(e->name))
      return fail_at(check, "T3", "effects", i, "its name lies outside of the text");
    if (e->kind >= EFFECT_KIND_COUNT || e->extent > EXTENT_VARARGS)
      return fail_at(check, "F7", "effects", i, "unknown kind or extent");
    bool hidden = e->kind == EFFECT_HIDDEN_READ || e->kind == EFFECT_HIDDEN_WRITE;
    if (hidden && (e->flags & EFFECT_VARIABLE) && (!e->size || e->size >= p->objects.len))
      return fail_at(check, "F7", "effects", i, "its variable does not exist");
  }
  for (uint32_t i = 0; i < p->accepts.len; i++)
    if (!SYM_OK(p->accepts.data[i].name) || p->accepts.data[i].function > 1)
      return fail_at(check, "T3", "accepts", i, "its text does not exist");
  for (uint32_t i = 0; i < p->assumptions.len; i++) {
    const Assumption *a = &p->assumptions.data[i];
    if (!SYM_OK(a->what) || !id_inside(&p->locs, a->loc))
      return fail_at(check, "T3", "assumptions", i, "its text or place does not exist");
  }
  return true;
}

/* ---- Y: types ---------------------------------------------------------------------- */

static bool check_type(Check *check, TypeId id) {
  const Program *p = check->program;
  const Type *t = &p->types.data[id];
  if (!SYM_OK(t->name) || !id_inside(&p->types, t->elem) ||
      (t->field_count && !range_inside(t->first_field, t->field_count, p->fields.len)))
    return fail_at(check, "T3", "types", id, "its name, element or fields do not exist");
  if (t->kind > TYPE_ALIAS ||
      (t->flags & ~(TYPE_CONST | TYPE_VOLATILE | TYPE_ATOMIC | TYPE_INCOMPLETE)))
    return fail_at(check, "Y1", "types", id, "unknown kind or flags");
  if (t->field_count && t->kind != TYPE_STRUCT && t->kind != TYPE_UNION)
    return fail_at(check, "Y1", "types", id, "fields outside of a struct or union");
  for (uint32_t i = 0; i < t->field_count; i++) {
    const Field *field = &p->fields.data[t->first_field + i];
    if (t->size > UINT64_MAX / 8 ||
        !range_inside(field->bit_offset, field->bit_size, t->size * 8))
      return fail_at(check, "Y1", "types", id, "field %u lies outside of its type",
                     i + 1);
  }
  return true;
}

/* The i-th type that `id` contains by value; false when there is none. */
static bool type_part(const Program *p, TypeId id, uint32_t i, TypeId *ret_part) {
  const Type *t = &p->types.data[id];
  if (t->kind == TYPE_ALIAS || t->kind == TYPE_ARRAY) {
    *ret_part = t->elem;
    return i == 0;
  }
  if (i >= t->field_count) return false;
  *ret_part = p->fields.data[t->first_field + i].type;
  return true;
}

/* Y2, by a depth-first search with its own stack. Fields of several types may be the same
 * range of the table, so a broken file could make the work quadratic: the ranges must not
 * overlap. */
static bool check_containment(Check *check) {
  const Program *p = check->program;
  uint32_t n = p->types.len;
  uint64_t fields = 0;
  for (TypeId id = 0; id < n; id++) fields += p->types.data[id].field_count;
  if (fields > p->fields.len)
    return fail_at(check, "Y1", "types", 0, "types share fields");
  enum { NEW, OPEN, DONE };
  uint8_t *state = mem_alloc_zero((size_t)n + 1);
  uint32_t *next = mem_alloc_zero(((size_t)n + 1) * sizeof *next);
  VEC(TypeId) stack = {0};
  bool ok = true;
  for (TypeId root = 1; root < n && ok; root++) {
    if (state[root] != NEW) continue;
    state[root] = OPEN;
    vec_push(&stack, root);
    while (stack.len && ok) {
      TypeId id = *vec_last(&stack), part;
      if (!type_part(p, id, next[id]++, &part)) {
        state[id] = DONE;
        (void)vec_pop(&stack);
      } else if (state[part] == OPEN) {
        ok = fail_at(check, "Y2", "types", id, "it contains itself");
      } else if (state[part] == NEW && part != 0) {
        state[part] = OPEN;
        vec_push(&stack, part);
      }
    }
  }
  vec_free(&stack);
  mem_free(state);
  mem_free(next);
  return ok;
}

static bool check_types(Check *check) {
  for (TypeId id = 1; id < check->program->types.len; id++)
    if (!check_type(check, id)) return false;
  return check_containment(check);
}

/* ---- O: objects -------------------------------------------------------------------- */

static bool check_object(Check *check, ObjectId id) {
  const Program *p = check->program;
  const Object *o = &p->objects.data[id];
  if (!SYM_OK(o->name) || !id_inside(&p->types, o->type) ||
      !id_inside(&p->functions, o->owner) || !id_inside(&p->edges, o->site) ||
      !id_inside(&p->locs, o->loc) ||
      (o->reloc_count && !range_inside(o->first_reloc, o->reloc_count, p->relocs.len)))
    return fail_at(check, "T3", "objects", id,
                   "it refers to something that does not exist");
  if (o->kind == OBJECT_NONE || o->kind > OBJECT_LIBRARY ||
      (o->flags & ~(OBJECT_PLACED * 2 - 1)) || (o->align & (o->align - 1)))
    return fail_at(check, "O1", "objects", id, "unknown kind, flags or alignment");
  if (o->init_size > o->size ||
      (o->init_size && !range_inside(o->init, o->init_size, p->bytes.len)))
    return fail_at(check, "O2", "objects", id,
                   "its initial bytes do not exist or do not fit");
  if (o->kind == OBJECT_STACK) {
    if (!o->owner || !(p->functions.data[o->owner].flags & FUNCTION_DEFINED))
      return fail_at(check, "O4", "objects", id, "a stack object without a function");
    if (o->flags & OBJECT_DYNAMIC) {
      const Edge *e = &p->edges.data[o->site];
      if (o->site == 0 || e->op != OP_ALLOCA || e->aux != id)
        return fail_at(check, "O4", "objects", id, "no ALLOCA edge makes it");
    }
  }
  if (o->kind == OBJECT_HEAP) {
    const Edge *e = &p->edges.data[o->site];
    if (o->site == 0 || e->op != OP_CALL || e->aux != id)
      return fail_at(check, "O4", "objects", id, "no CALL edge makes it");
  }
  return true;
}

static bool check_relocs(Check *check, ObjectId id) {
  const Program *p = check->program;
  const Object *o = &p->objects.data[id];
  uint64_t end = 0;
  check->relocs_seen += o->reloc_count;
  if (check->relocs_seen > p->relocs.len)
    return fail_at(check, "O3", "objects", id,
                   "it shares relocations with another object");
  for (uint32_t i = 0; i < o->reloc_count; i++) {
    const Reloc *r = &p->relocs.data[o->first_reloc + i];
    if (!range_inside(r->offset, r->size, o->size) || r->offset < end)
      return fail_at(check, "O3", "objects", id, "relocation %u overlaps or lies outside",
                     i + 1);
    end = r->offset + r->size;
    if (r->target == 0 || r->target >= p->exprs.len)
      return fail_at(check, "O3", "objects", id,
                     "the target of relocation %u does not exist", i + 1);
    if (bits_to_bytes(p->exprs.data[r->target].bits) != r->size)
      return fail_at(check, "O3", "objects", id,
                     "relocation %u has not its target's size", i + 1);
    if (!check->expr_fixed[r->target])
      return fail_at(check, "O3", "objects", id,
                     "the target of relocation %u is not constant", i + 1);
  }
  return true;
}

static bool check_frames(Check *check) {
  const Program *p = check->program;
  for (FuncId f = 1; f < p->functions.len; f++) {
    const Function *function = &p->functions.data[f];
    for (uint32_t i = 0; i < function->object_count; i++) {
      ObjectId id = p->frame_objects.data[function->first_object + i];
      if (id == 0 || id >= p->objects.len || p->objects.data[id].kind != OBJECT_STACK ||
          p->objects.data[id].owner != f || (p->objects.data[id].flags & OBJECT_DYNAMIC))
        return fail_function(check, "O4", f, "frame object %u is not its own", i + 1);
      if (check->framed[id]++)
        return fail_function(check, "O4", f, "frame object %u is listed twice", i + 1);
    }
  }
  for (ObjectId id = 1; id < p->objects.len; id++) {
    const Object *o = &p->objects.data[id];
    if (o->kind == OBJECT_STACK && !(o->flags & OBJECT_DYNAMIC) && !check->framed[id])
      return fail_at(check, "O4", "objects", id,
                     "it is not in the frame of its function");
  }
  return true;
}

/* ---- F: functions and their automata ----------------------------------------------- */

static bool check_function(Check *check, FuncId f) {
  const Program *p = check->program;
  const Function *fn = &p->functions.data[f];
  bool defined = fn->flags & FUNCTION_DEFINED;
  uint32_t node_limit = p->nodes.len ? p->nodes.len - 1 : 0;
  if (!SYM_OK(fn->name) || !id_inside(&p->types, fn->type) ||
      !id_inside(&p->locs, fn->loc) ||
      (fn->local_count &&
       !range_inside(fn->first_local, fn->local_count, p->locals.len)) ||
      (fn->effect_count &&
       !range_inside(fn->first_effect, fn->effect_count, p->effects.len)) ||
      (fn->object_count &&
       !range_inside(fn->first_object, fn->object_count, p->frame_objects.len)) ||
      (fn->node_count && !range_inside(fn->first_node, fn->node_count, node_limit)) ||
      (fn->edge_count && !range_inside(fn->first_edge, fn->edge_count, p->edges.len)))
    return fail_at(check, "T3", "functions", f,
                   "it refers to something that does not exist");
  if (defined && fn->param_count &&
      !range_inside(fn->first_passing, fn->param_count, p->passings.len))
    return fail_function(check, "T3", f, "the passing of its parameters does not exist");
  if (fn->flags & ~(FUNCTION_FORKS * 2 - 1))
    return fail_function(check, "F1", f, "unknown flags");
  if (defined != (fn->node_count > 0) ||
      (!defined && (fn->edge_count || fn->object_count)))
    return fail_function(check, "F1", f, "body and flags disagree");
  if ((fn->flags & FUNCTION_UNKNOWN) && (fn->flags & (FUNCTION_DEFINED | FUNCTION_RULE)))
    return fail_function(check, "F1", f, "it is known and unknown");
  if (fn->return_bits ? !width_fits_sort(fn->return_sort, fn->return_bits)
                      : fn->return_sort != SORT_NONE)
    return fail_function(check, "F3", f, "its result has an impossible width");
  if (defined && fn->param_count > fn->local_count)
    return fail_function(check, "F2", f, "it has more parameters than locals");
  for (uint32_t i = 0; i < fn->local_count; i++) {
    LocalId id = fn->first_local + i;
    const Local *local = &p->locals.data[id];
    if (id == 0 || check->local_owner[id])
      return fail_function(check, "F2", f, "local %u belongs to another function", i + 1);
    check->local_owner[id] = f;
    if (defined && (i < fn->param_count) != !!(local->flags & LOCAL_PARAM))
      return fail_function(
          check, "F2", f, "local %u is a parameter or is marked as one, not both", i + 1);
    if (!width_fits_sort(local->sort, local->bits))
      return fail_function(check, "F3", f, "local %u has an impossible width", i + 1);
  }
  return true;
}

/* F4: gives every node of the range its function, or finds that it has another. */
static bool check_nodes(Check *check) {
  const Program *p = check->program;
  uint64_t owned = 0;
  for (FuncId f = 1; f < p->functions.len; f++) {
    const Function *fn = &p->functions.data[f];
    for (uint32_t i = 0; i < fn->node_count; i++)
      if (fn->first_node == 0 || p->nodes.data[fn->first_node + i].function != f)
        return fail_function(check, "F4", f, "node %u belongs to another function", i);
    owned += fn->node_count;
    if (fn->node_count &&
        (fn->entry < fn->first_node || fn->entry - fn->first_node >= fn->node_count))
      return fail_function(check, "F4", f, "its entry is not one of its nodes");
    if (fn->node_count && (p->nodes.data[fn->first_node].first_edge != fn->first_edge ||
                           p->nodes.data[fn->first_node + fn->node_count].first_edge !=
                               (uint64_t)fn->first_edge + fn->edge_count))
      return fail_function(check, "F5", f, "its edges are not those of its nodes");
  }
  if (p->nodes.len && owned != p->nodes.len - 2)
    return fail_at(check, "F4", "nodes", 0, "some nodes belong to no function");
  return true;
}

/* F5 for the whole table: node 0, the nodes, the closing node. */
static bool check_node_table(Check *check) {
  const Program *p = check->program;
  if (p->nodes.len == 0)
    return p->edges.len <= 1 || fail_at(check, "F5", "edges", 1, "edges without nodes");
  if (p->nodes.len < 2 || p->edges.len < 1)
    return fail_at(check, "F5", "nodes", 0, "the closing node is missing");
  const Node *last = &p->nodes.data[p->nodes.len - 1];
  if (p->nodes.data[0].first_edge != 1 || p->nodes.data[0].function != 0 ||
      p->nodes.data[1].first_edge != 1 || last->first_edge != p->edges.len ||
      last->function != 0)
    return fail_at(check, "F5", "nodes", 0, "first or closing node is wrong");
  for (NodeId n = 1; n + 1 < p->nodes.len; n++) {
    EdgeId first = node_first_edge(p, n), end = node_end_edge(p, n);
    if (first > end || end > p->edges.len)
      return fail_at(check, "F5", "nodes", n, "its edges do not ascend");
    if (first == end) return fail_at(check, "F6", "nodes", n, "no edge leaves it");
    for (EdgeId e = first; e < end; e++)
      if (p->edges.data[e].from != n)
        return fail_at(check, "F5", "edges", e, "it is not stored with its source node");
    if (end - first == 1) continue;
    uint8_t op = p->edges.data[first].op;
    for (EdgeId e = first; e < end; e++)
      if (p->edges.data[e].op != op || (op != OP_ASSUME && op != OP_GOTO && op != OP_NOP))
        return fail_edge(check, "F6", e, "several operations leave one node");
  }
  return true;
}

static bool check_edges(Check *check) {
  const Program *p = check->program;
  for (EdgeId e = 1; e < p->edges.len; e++) {
    const Edge *edge = &p->edges.data[e];
    if (!SYM_OK(edge->path) || !id_inside(&p->locs, edge->loc))
      return fail_at(check, "T3", "edges", e, "its path or place does not exist");
    if (!check_edge(check, p->nodes.data[edge->from].function, e)) return false;
  }
  return true;
}

/* ---- P: the program ---------------------------------------------------------------- */

static bool check_program(Check *check) {
  const Program *p = check->program;
  if (!id_inside(&p->functions, p->main) ||
      (p->main && !(p->functions.data[p->main].flags & FUNCTION_DEFINED)))
    return fail_at(check, "P1", "program", 0, "main does not exist or has no body");
  if (!id_inside(&p->objects, p->errno_object))
    return fail_at(check, "P1", "program", 0, "the object of errno does not exist");
  for (uint32_t i = 1; i < p->templates.len; i++) {
    const ThreadTemplate *t = &p->templates.data[i];
    if (!id_inside(&p->functions, t->entry) || !id_inside(&p->edges, t->site) ||
        t->multiplicity > MULTIPLICITY_MANY || (t->entry == 0 && t->site == 0) ||
        (t->site && p->edges.data[t->site].op != OP_CREATE))
      return fail_at(check, "P2", "templates", i, "its entry or its site is wrong");
  }
  for (uint32_t i = 1; i < p->constructors.len; i++)
    if (!p->constructors.data[i].function ||
        !id_inside(&p->functions, p->constructors.data[i].function))
      return fail_at(check, "P3", "constructors", i, "no such function");
  for (uint32_t i = 1; i < p->destructors.len; i++)
    if (!p->destructors.data[i].function ||
        !id_inside(&p->functions, p->destructors.data[i].function))
      return fail_at(check, "P3", "destructors", i, "no such function");
  for (uint32_t i = 0; i < p->labels.len; i++)
    if (p->labels.data[i] && (uint64_t)p->labels.data[i] + 1 >= p->nodes.len)
      return fail_at(check, "P3", "labels", i, "no such node");
  return true;
}

/* Functions first without their automata, since objects and expressions refer to both. */
static bool check_all(Check *check) {
  const Program *p = check->program;
  if (!check_text(check) || !check_zero_entries(check) || !check_small_tables(check) ||
      !check_types(check) || !check_node_table(check))
    return false;
  for (FuncId f = 1; f < p->functions.len; f++)
    if (!check_function(check, f)) return false;
  if (!check_nodes(check)) return false;
  for (ObjectId id = 1; id < p->objects.len; id++)
    if (!check_object(check, id)) return false;
  if (!check_frames(check) || !check_exprs(check)) return false;
  for (ObjectId id = 1; id < p->objects.len; id++)
    if (!check_relocs(check, id)) return false;
  return check_edges(check) && check_program(check);
}

bool program_validate(const Program *program, Err *err) {
  Check check = {
      .program = program,
      .err = err,
      .local_owner = mem_alloc_zero(((size_t)program->locals.len + 1) * sizeof(FuncId)),
      .expr_owner = mem_alloc_zero(((size_t)program->exprs.len + 1) * sizeof(FuncId)),
      .expr_fixed = mem_alloc_zero((size_t)program->exprs.len + 1),
      .framed = mem_alloc_zero((size_t)program->objects.len + 1),
  };
  bool ok = check_all(&check);
  mem_free(check.local_owner);
  mem_free(check.expr_owner);
  mem_free(check.expr_fixed);
  mem_free(check.framed);
  return ok;
}
