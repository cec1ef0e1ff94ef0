/* The listing of a whole program: objects, threads, functions, library, assumptions.
 *
 * In: a valid program. Out: text for people, in the order of the tables, so that equal
 * programs give equal listings. Text goes to the sink function by function; nothing grows
 * with the program except the names.
 *
 * Names: a local or object keeps its source name; the second one of the same name in the
 * same scope is name.2, and so on. Temporaries are t1, t2, … in the order of their first
 * appearance in the table, skipping names that a variable has. A node is nK, K counted
 * from 1 in its function; it is shown only where a jump goes. */
#include "model/print_parts.h"

#include <inttypes.h>
#include <stdio.h>

enum { INDENT = 6, PLACE_COLUMN = 64 };

/* ---- the printer ------------------------------------------------------------------- */

/* Which locals are read: from the operands of all edges down to the leaves. */
static void find_reads(Printer *pr) {
  const Program *p = pr->program;
  uint8_t *used = mem_alloc_zero((size_t)p->exprs.len + 1);
  for (EdgeId id = 1; id < p->edges.len; id++) {
    const Edge *e = &p->edges.data[id];
    used[e->a] = used[e->b] = used[e->c] = 1;
    for (uint32_t i = 0; i < e->arg_count; i++)
      used[p->args.data[e->first_arg + i].value] = 1;
  }
  for (ExprId id = p->exprs.len; id-- > 1;) {
    const Expr *e = &p->exprs.data[id];
    if (!used[id]) continue;
    int operands = expr_operand_count((ExprKind)e->kind);
    if (operands >= 1) used[e->a] = 1;
    if (operands >= 2) used[e->b] = 1;
    if (operands >= 3) used[e->c] = 1;
    if (e->kind == EXPR_LOCAL) pr->read[e->data] = 1;
  }
  mem_free(used);
}

/* The n of "name.n" for one more thing of this name; 0 for the first. */
static uint32_t next_number(StrMap *names, const char *name) {
  uint64_t *count = strmap_at(names, name, strlen(name));
  return ++*count > 1 ? (uint32_t)*count : 0;
}

static void name_temporary(Printer *pr, LocalId id, StrMap *names, uint32_t *number) {
  const Program *p = pr->program;
  if (!id || pr->local_number[id] || is_source_variable(p, &p->locals.data[id])) return;
  char text[16];
  do {
    snprintf(text, sizeof text, "t%u", ++*number);
  } while (strmap_get(names, text, strlen(text)));
  pr->local_number[id] = *number;
}

/* In the order of the listing, so that a reader meets t1 before t2. */
static void name_temporaries(Printer *pr, const Function *f, StrMap *names) {
  const Program *p = pr->program;
  uint32_t number = 0;
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *e = &p->edges.data[f->first_edge + i];
    name_temporary(pr, e->dst, names, &number);
    name_temporary(pr, e->dst2, names, &number);
  }
  for (uint32_t i = 0; i < f->local_count; i++)
    name_temporary(pr, f->first_local + i, names, &number);
}

static void name_frame(Printer *pr, const Function *f) {
  const Program *p = pr->program;
  StrMap names = {0};
  for (uint32_t i = 0; i < f->local_count; i++) {
    const Local *local = &p->locals.data[f->first_local + i];
    if (is_source_variable(p, local))
      pr->local_number[f->first_local + i] =
          next_number(&names, sym_text(p, local->name));
  }
  for (uint32_t i = 0; i < f->object_count; i++) {
    ObjectId id = p->frame_objects.data[f->first_object + i];
    pr->object_number[id] = next_number(&names, sym_text(p, p->objects.data[id].name));
  }
  name_temporaries(pr, f, &names);
  strmap_free(&names);
}

static void name_objects(Printer *pr) {
  const Program *p = pr->program;
  StrMap names = {0};
  for (ObjectId id = 1; id < p->objects.len; id++) {
    const Object *o = &p->objects.data[id];
    if (o->kind != OBJECT_STACK || (o->flags & OBJECT_DYNAMIC))
      pr->object_number[id] = next_number(&names, sym_text(p, o->name));
  }
  strmap_free(&names);
}

Printer *printer_new(const Program *p) {
  Printer *pr = mem_alloc_zero(sizeof *pr);
  pr->program = p;
  pr->read = mem_alloc_zero((size_t)p->locals.len + 1);
  pr->local_number = mem_alloc_zero(((size_t)p->locals.len + 1) * sizeof(uint32_t));
  pr->object_number = mem_alloc_zero(((size_t)p->objects.len + 1) * sizeof(uint32_t));
  find_reads(pr);
  name_objects(pr);
  for (FuncId f = 1; f < p->functions.len; f++) name_frame(pr, &p->functions.data[f]);
  return pr;
}

void printer_free(Printer *pr) {
  if (!pr) return;
  mem_free(pr->read);
  mem_free(pr->local_number);
  mem_free(pr->object_number);
  vec_free(&pr->parts);
  map_free(&pr->part_numbers);
  mem_free(pr);
}

void printer_place(Printer *pr, LocId loc, Str *out) {
  const Program *p = pr->program;
  if (!loc) return;
  const Loc *l = vec_at(&p->locs, loc);
  str_add(out, sym_text(p, l->file));
  if (l->line) str_addf(out, ":%u", l->line);
  if (l->line && l->column) str_addf(out, ":%u", l->column);
}

/* ---- lines ------------------------------------------------------------------------- */

typedef struct {
  Printer *printer;
  const PrintOptions *options;
  TextSink *sink;
  void *user;
  Str out;
  uint8_t *label; /* by node: some jump names it */
  NodeId node;    /* the one being printed */
  bool first;     /* its first line */
  Sym file;       /* of the function being printed */
} Listing;

/* How wide a text is on the screen: bytes that continue a UTF-8 character do not count.
 * */
static size_t text_width(const char *text) {
  size_t n = 0;
  for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
  return n;
}

/* Ends a line of `width` columns with the place at the right. */
static void end_with_place(Listing *l, size_t width, LocId loc, bool short_form) {
  const Program *p = l->printer->program;
  if (loc && !l->options->no_places) {
    do str_add_char(&l->out, ' ');
    while (++width < PLACE_COLUMN);
    const Loc *place = vec_at(&p->locs, loc);
    if (short_form && place->file == l->file && place->line)
      str_addf(&l->out, place->column ? "%4u:%u" : "%4u", place->line, place->column);
    else
      printer_place(l->printer, loc, &l->out);
  }
  str_add_char(&l->out, '\n');
}

static void flush(Listing *l) {
  if (l->out.len) l->sink(l->user, l->out.data, l->out.len);
  str_clear(&l->out);
}

static void add_line(Listing *l, const char *text, LocId loc) {
  str_addf(&l->out, "  %s", text);
  end_with_place(l, 2 + text_width(text), loc, false);
}

/* ---- objects ----------------------------------------------------------------------- */

static bool is_const_type(const Program *p, TypeId type) {
  while (type && (p->types.data[type].kind == TYPE_ALIAS ||
                  p->types.data[type].kind == TYPE_ARRAY)) {
    if (p->types.data[type].flags & TYPE_CONST) return true;
    type = p->types.data[type].elem;
  }
  return type && (p->types.data[type].flags & TYPE_CONST);
}

/* Zero needs no words, except for plain numbers and pointers. */
static void add_initial(Listing *l, ObjectId id, Str *text) {
  const Program *p = l->printer->program;
  TypeId type = p->objects.data[id].type;
  TypeKind kind = type ? p->types.data[type_resolve(p, type)].kind : TYPE_NONE;
  Str value = {0};
  printer_initial(l->printer, id, type, 48, &value);
  bool aggregate = kind == TYPE_STRUCT || kind == TYPE_UNION || kind == TYPE_ARRAY;
  bool zero = str_eq(str_text(&value), "0");
  if (!aggregate || !zero)
    str_addf(text, " = %s", zero && kind == TYPE_POINTER ? "NULL" : str_text(&value));
  str_free(&value);
}

static void add_object(Listing *l, ObjectId id, Str *text) {
  Printer *pr = l->printer;
  const Program *p = pr->program;
  const Object *o = &p->objects.data[id];
  Str name = {0};
  printer_object(pr, id, &name);
  if (o->flags & OBJECT_EXTERNAL) str_add(text, "extern ");
  if (o->flags & OBJECT_INTERNAL) str_add(text, "static ");
  if (o->kind == OBJECT_TLS) str_add(text, "thread_local ");
  if (o->kind == OBJECT_HEAP) str_add(text, "heap ");
  if (o->kind == OBJECT_LIBRARY) str_add(text, "library ");
  if ((o->flags & OBJECT_CONSTANT) && !is_const_type(p, o->type)) str_add(text, "const ");
  if (o->type)
    printer_type(pr, o->type, str_text(&name), text);
  else
    str_add(text, str_text(&name));
  if (!o->type && o->size && o->kind != OBJECT_LIBRARY)
    str_addf(text, " (%" PRIu64 " byte%s)", o->size, o->size == 1 ? "" : "s");
  bool has_value = o->kind == OBJECT_GLOBAL || o->kind == OBJECT_TLS;
  if (has_value && !(o->flags & OBJECT_EXTERNAL) && o->size) add_initial(l, id, text);
  if (o->owner && o->kind != OBJECT_STACK)
    str_addf(text, ", in %s", sym_text(p, p->functions.data[o->owner].name));
  if (o->flags & OBJECT_SYNCED) str_add(text, ", locked by the library");
  if (o->flags & OBJECT_PLACED) str_add(text, ", placed by the linker");
  str_free(&name);
}

/* The program's own objects first, then the state inside the library. */
static void list_objects(Listing *l) {
  const Program *p = l->printer->program;
  bool any = false;
  for (int library = 0; library < 2; library++) {
    for (ObjectId id = 1; id < p->objects.len; id++) {
      const Object *o = &p->objects.data[id];
      if (o->kind == OBJECT_STACK || (o->flags & OBJECT_LITERAL) ||
          (o->kind == OBJECT_LIBRARY) != library)
        continue;
      if (!any) str_add(&l->out, "objects\n");
      any = true;
      Str text = {0};
      add_object(l, id, &text);
      LocId made = o->site ? p->edges.data[o->site].loc : 0;
      add_line(l, str_text(&text), o->loc ? o->loc : made);
      str_free(&text);
      if (l->out.len > 1 << 16) flush(l);
    }
  }
  if (any) str_add_char(&l->out, '\n');
  printer_parts(l->printer, INDENT, &l->out);
  flush(l);
}

/* ---- threads and start-up ---------------------------------------------------------- */

static void list_threads(Listing *l) {
  const Program *p = l->printer->program;
  if (p->templates.len > 1) str_add(&l->out, "threads\n");
  for (uint32_t i = 1; i < p->templates.len; i++) {
    const ThreadTemplate *t = &p->templates.data[i];
    Str text = {0};
    const char *entry = t->entry ? sym_text(p, p->functions.data[t->entry].name) : "?";
    str_addf(&text, "%s: %s", entry,
             t->multiplicity == MULTIPLICITY_ONE ? "one" : "any number");
    if (t->site) {
      FuncId creator = p->nodes.data[p->edges.data[t->site].from].function;
      str_addf(&text, ", created in %s", sym_text(p, p->functions.data[creator].name));
    }
    if (!t->entry) str_add(&text, ", entry known only at run time");
    add_line(l, str_text(&text), t->site ? p->edges.data[t->site].loc : 0);
    str_free(&text);
  }
  for (uint32_t i = 1; i < p->constructors.len; i++)
    str_addf(&l->out, "  before main: %s\n",
             sym_text(p, p->functions.data[p->constructors.data[i].function].name));
  for (uint32_t i = 1; i < p->destructors.len; i++)
    str_addf(&l->out, "  after main: %s\n",
             sym_text(p, p->functions.data[p->destructors.data[i].function].name));
  if (l->out.len) str_add_char(&l->out, '\n');
  flush(l);
}

/* ---- functions --------------------------------------------------------------------- */

/* A sort and width where no C type is known: ptr, i32, f64. */
static void add_shape(uint8_t sort, uint32_t bits, Str *text) {
  if (sort == SORT_PTR)
    str_add(text, "ptr");
  else
    str_addf(text, "%s%u",
             sort == SORT_INT     ? "i"
             : sort == SORT_FLOAT ? "f"
                                  : "bf",
             bits);
}

static void add_local_declaration(Listing *l, LocalId id, Str *text) {
  const Local *local = vec_at(&l->printer->program->locals, id);
  Str name = {0};
  printer_local(l->printer, id, &name);
  if (local->type) {
    printer_type(l->printer, local->type, str_text(&name), text);
  } else {
    add_shape(local->sort, local->bits, text);
    str_addf(text, " %s", str_text(&name));
  }
  str_free(&name);
}

static void add_signature(Listing *l, FuncId f, Str *text) {
  const Program *p = l->printer->program;
  const Function *fn = &p->functions.data[f];
  Str head = {0};
  str_addf(&head, "%s(", sym_text(p, fn->name));
  for (uint32_t i = 0; i < fn->param_count && i < fn->local_count; i++) {
    str_add(&head, i ? ", " : "");
    add_local_declaration(l, fn->first_local + i, &head);
  }
  if (fn->flags & FUNCTION_VARARGS) str_add(&head, fn->param_count ? ", ..." : "...");
  str_add(&head, fn->param_count || (fn->flags & FUNCTION_VARARGS) ? ")" : "void)");
  if (fn->flags & FUNCTION_INTERNAL) str_add(text, "static ");
  if (fn->flags & FUNCTION_NORETURN) str_add(text, "_Noreturn ");
  if (fn->flags & FUNCTION_ATOMIC) str_add(text, "atomic ");
  TypeId result = fn->type ? p->types.data[fn->type].elem : 0;
  if (result) {
    printer_type(l->printer, result, str_text(&head), text);
  } else {
    if (fn->return_bits)
      add_shape(fn->return_sort, fn->return_bits, text);
    else
      str_add(text, "void");
    str_addf(text, " %s", str_text(&head));
  }
  str_free(&head);
}

/* Variables of the source in one paragraph, stack objects one a line. */
static void list_frame(Listing *l, const Function *fn) {
  const Program *p = l->printer->program;
  size_t start = l->out.len, line = start;
  for (uint32_t i = fn->param_count; i < fn->local_count; i++) {
    LocalId id = fn->first_local + i;
    if (!is_source_variable(p, &p->locals.data[id])) continue;
    Str text = {0};
    add_local_declaration(l, id, &text);
    if (l->out.len == start) {
      str_add(&l->out, "  var ");
    } else if (l->out.len - line + text.len > 76) {
      line = l->out.len + 1;
      str_add(&l->out, ";\n      ");
    } else {
      str_add(&l->out, "; ");
    }
    str_add(&l->out, str_text(&text));
    str_free(&text);
  }
  if (l->out.len > start) str_add_char(&l->out, '\n');
  for (uint32_t i = 0; i < fn->object_count; i++) {
    ObjectId id = p->frame_objects.data[fn->first_object + i];
    Str text = {0};
    str_add(&text, "stack ");
    add_object(l, id, &text);
    add_line(l, str_text(&text), p->objects.data[id].loc);
    str_free(&text);
  }
}

static void print_line(void *user, EdgeId edge, const char *text) {
  Listing *l = user;
  Printer *pr = l->printer;
  size_t start = l->out.len;
  if (l->first && l->label[l->node])
    str_addf(&l->out, "n%u:", printer_node_number(pr, l->node));
  l->first = false;
  str_pad(&l->out, start, INDENT);
  if (l->out.data[l->out.len - 1] != ' ') str_add_char(&l->out, ' ');
  size_t width = l->out.len - start + text_width(text);
  str_add(&l->out, text);
  end_with_place(l, width, pr->program->edges.data[edge].loc, true);
}

/* Where a jump goes: to the targets of every choice, and of single edges that do not just
 * continue with the next node. */
static void find_labels(Listing *l, const Function *fn) {
  const Program *p = l->printer->program;
  if (fn->entry != fn->first_node) l->label[fn->entry] = 1;
  for (uint32_t i = 0; i < fn->node_count; i++) {
    NodeId n = fn->first_node + i;
    EdgeId first = node_first_edge(p, n), end = node_end_edge(p, n);
    for (EdgeId e = first; e < end; e++) {
      NodeId to = p->edges.data[e].to;
      if (to && (end - first > 1 || to != n + 1)) l->label[to] = 1;
    }
  }
}

static void list_function(Listing *l, FuncId f) {
  const Program *p = l->printer->program;
  const Function *fn = &p->functions.data[f];
  Str text = {0};
  str_add(&text, "function ");
  add_signature(l, f, &text);
  str_add(&l->out, str_text(&text));
  end_with_place(l, text_width(str_text(&text)), fn->loc, false);
  str_free(&text);
  l->file = fn->loc ? p->locs.data[fn->loc].file : 0;
  list_frame(l, fn);
  find_labels(l, fn);
  if (fn->entry != fn->first_node)
    str_addf(&l->out, "%*sgoto n%u\n", INDENT, "",
             printer_node_number(l->printer, fn->entry));
  for (uint32_t i = 0; i < fn->node_count; i++) {
    l->node = fn->first_node + i;
    l->first = true;
    NodeId next = i + 1 < fn->node_count ? l->node + 1 : 0;
    printer_node(l->printer, l->node, next, print_line, l);
    printer_parts(l->printer, INDENT + 2, &l->out);
    if (l->out.len > 1 << 16) flush(l);
  }
  str_add_char(&l->out, '\n');
  flush(l);
}

/* ---- what is outside of the program ------------------------------------------------ */

/* Effects with the same verb stand together: "reads *1, *...; writes stdout, errno". */
static const char *effect_verb(const Effect *e) {
  switch ((EffectKind)e->kind) {
  case EFFECT_READ:
  case EFFECT_HIDDEN_READ: return "reads";
  case EFFECT_WRITE:
  case EFFECT_HIDDEN_WRITE: return "writes";
  case EFFECT_FREE: return "frees";
  case EFFECT_ALLOC: return "allocates";
  case EFFECT_RETURN_ARG:
  case EFFECT_RETURN_HIDDEN:
  case EFFECT_RETURN_KEPT: return "returns";
  case EFFECT_STORE: return "stores a pointer in";
  case EFFECT_KEEP: return "keeps";
  case EFFECT_CALL: return "calls";
  case EFFECT_CALL_LATER: return "later calls";
  case EFFECT_NONE:
  case EFFECT_KIND_COUNT: break;
  }
  return "does nothing";
}

/* What the effect is about: *2 is what the second argument points to. */
static void add_effect_object(const Program *p, const Effect *e, Str *text) {
  const char *name = sym_text(p, e->name);
  bool through = e->kind == EFFECT_READ || e->kind == EFFECT_WRITE ||
                 e->kind == EFFECT_FREE || e->kind == EFFECT_STORE ||
                 (e->kind == EFFECT_ALLOC && e->arg != ARG_NONE);
  bool hidden = e->kind == EFFECT_HIDDEN_READ || e->kind == EFFECT_HIDDEN_WRITE;
  if (e->kind == EFFECT_RETURN_HIDDEN) str_add_char(text, '&');
  if (through) str_add_char(text, '*');
  if (!hidden && e->arg < ARG_KEPT)
    str_addf(text, through ? "%u" : "argument %u", e->arg + 1u);
  else if (!hidden && e->arg == ARG_VARARGS)
    str_add(text, "...");
  else if (e->kind == EFFECT_ALLOC || e->arg == ARG_RETURN)
    str_add(text, "its result");
  else if (e->kind == EFFECT_RETURN_KEPT || e->arg == ARG_KEPT)
    str_addf(text, "what was kept%s", *name ? " in " : "");
  if (e->kind == EFFECT_KEEP) str_add(text, *name ? " in " : "");
  str_add(text, name);
}

static void add_effects(const Program *p, const Function *fn, Str *text) {
  const char *before = "";
  for (uint32_t i = 0; i < fn->effect_count; i++) {
    const Effect *e = &p->effects.data[fn->first_effect + i];
    const char *verb = effect_verb(e);
    bool same = i && str_eq(verb, before);
    str_add(text, i == 0 ? "" : same ? ", " : "; ");
    if (!same) str_addf(text, "%s ", verb);
    add_effect_object(p, e, text);
    before = verb;
  }
  if (fn->flags & FUNCTION_NORETURN)
    str_addf(text, "%sdoes not return", fn->effect_count ? "; " : "");
  else if (fn->effect_count == 0)
    str_add(text, "touches no memory of the program");
}

/* Functions without a body that the program still refers to: a call that became an
 * operation of the model needs no mention. */
static void list_declared(Listing *l) {
  const Program *p = l->printer->program;
  uint8_t *mentioned = mem_alloc_zero((size_t)p->functions.len + 1);
  for (ExprId id = 1; id < p->exprs.len; id++)
    if (p->exprs.data[id].kind == EXPR_FUNC) mentioned[p->exprs.data[id].data] = 1;
  for (int unknown = 0; unknown < 2; unknown++) {
    bool any = false;
    for (FuncId f = 1; f < p->functions.len; f++) {
      const Function *fn = &p->functions.data[f];
      if (!mentioned[f] || (fn->flags & FUNCTION_DEFINED) ||
          !!(fn->flags & FUNCTION_UNKNOWN) != unknown)
        continue;
      if (!any) str_add(&l->out, unknown ? "unknown functions\n" : "library functions\n");
      any = true;
      Str text = {0};
      str_add(&text, sym_text(p, fn->name));
      if (!unknown) {
        str_add(&text, ": ");
        add_effects(p, fn, &text);
      }
      add_line(l, str_text(&text), unknown ? fn->loc : 0);
      str_free(&text);
    }
    if (any) str_add_char(&l->out, '\n');
  }
  mem_free(mentioned);
  flush(l);
}

static void list_assumptions(Listing *l) {
  const Program *p = l->printer->program;
  if (p->assumptions.len > 1) str_add(&l->out, "assumptions\n");
  for (uint32_t i = 1; i < p->assumptions.len; i++) {
    const Assumption *a = &p->assumptions.data[i];
    Str text = {0};
    str_add(&text, sym_text(p, a->what));
    if (a->count > 1) str_addf(&text, " (%u places)", a->count);
    add_line(l, str_text(&text), a->loc);
    str_free(&text);
  }
  flush(l);
}

uint32_t program_print(const Program *p, const PrintOptions *options, TextSink *sink,
                       void *user) {
  static const PrintOptions defaults = {0};
  Listing l = {.printer = printer_new(p),
               .options = options ? options : &defaults,
               .sink = sink,
               .user = user,
               .label = mem_alloc_zero((size_t)p->nodes.len + 1)};
  const char *only = l.options->function;
  if (!only) {
    list_objects(&l);
    list_threads(&l);
  }
  uint32_t printed = 0;
  for (FuncId f = 1; f < p->functions.len; f++) {
    const Function *fn = &p->functions.data[f];
    if (!(fn->flags & FUNCTION_DEFINED) || (only && !program_function_is(p, f, only)))
      continue;
    list_function(&l, f);
    printed++;
  }
  if (!only) {
    list_declared(&l);
    list_assumptions(&l);
  }
  str_free(&l.out);
  mem_free(l.label);
  printer_free(l.printer);
  return printed;
}
