/* Thread automata as text. See automaton_print.h.
 *
  *   thread worker: any number
 *     locations: 24, activations: 3, steps: 27
 *     cut points: 7, blocks: 9
 *     L3  worker, line 12
 *       to L5: reads state; writes state
 *         enter fill: p := &p, v := 3
 */
#include "analysis/automaton_print.h"

#include "base/mem.h"

typedef struct {
  const Automata *all;
  const Automaton *a;
  const Program *p;
  Printer *printer;
  const Blocks *blocks;
  Str out;
} Page;

/* ---- the pieces ---- */

void automaton_frame_text(const Automata *all, const Automaton *a, uint32_t frame,
                          Str *out) {
  const AutoFrame *f = vec_at(&a->frames, frame);
  const Program *p = all->question.program;
  if (f->up) {
    automaton_frame_text(all, a, f->up, out);
    str_add(out, " > ");
  }
  str_add(out, sym_text(p, vec_at(&p->functions, f->function)->name));
}

void automaton_kind_text(const Automata *all, const Automaton *a, Str *out) {
  const Program *p = all->question.program;
  const char *name = a->entry ? sym_text(p, vec_at(&p->functions, a->entry)->name) : "?";
  str_addf(out, "%s: %s", name,
           !a->site  ? "the main thread"
           : a->many ? "any number"
                     : "one");
}

/* ".old", ".at[2]": the part of a value of the type, as far as its type names it. */
static void add_part(const Program *p, TypeId id, uint64_t offset, uint32_t bits,
                     Str *out) {
  const Type *t = vec_at(&p->types, type_resolve(p, id));
  const Type *elem = vec_at(&p->types, type_resolve(p, t->elem));
  if (t->size * 8 == bits && !offset) return;
  if (t->kind == TYPE_ARRAY && elem->size) {
    str_addf(out, "[%llu]", (unsigned long long)(offset / elem->size));
    add_part(p, t->elem, offset % elem->size, bits, out);
    return;
  }
  for (uint32_t i = 0; t->kind == TYPE_STRUCT && i < t->field_count; i++) {
    const Field *f = vec_at(&p->fields, t->first_field + i);
    if (f->is_bitfield || f->bit_offset / 8 > offset ||
        f->bit_offset + f->bit_size < offset * 8 + bits)
      continue;
    str_addf(out, ".%s", sym_text(p, f->name));
    add_part(p, f->type, offset - f->bit_offset / 8, bits, out);
    return;
  }
  str_addf(out, "+%llu", (unsigned long long)offset);
}

static void add_variable(const Automata *all, const Automaton *a, Printer *printer,
                         uint32_t number, Str *out) {
  const AutoVariable *v = vec_at(&a->variables, number);
  if (v->local) {
    printer_local(printer, v->local, out);
    return;
  }
  const Program *p = all->question.program;
  printer_object(printer, v->object, out);
  add_part(p, vec_at(&p->objects, v->object)->type, v->offset, v->bits, out);
}

static void add_set(const Automata *all, const Automaton *a, Printer *printer,
                    const AutoSet *set, Str *out) {
  add_variable(all, a, printer, set->variable, out);
  str_add(out, " := ");
  switch ((AutoSetKind)set->kind) {
  case SET_ANY: str_add(out, "any"); break;
  case SET_EXPR: printer_expr(printer, set->expr, out); break;
  case SET_VARIABLE: add_variable(all, a, printer, set->source, out); break;
  case SET_NUMBER: str_addf(out, "%lld", (long long)set->number); break;
  }
}

static void add_sets(const Automata *all, const Automaton *a, Printer *printer,
                     const AutoStep *s, const char *before, Str *out) {
  for (uint32_t i = 0; i < s->set_count; i++) {
    str_add(out, i ? ", " : before);
    add_set(all, a, printer, vec_at(&a->sets, s->first_set + i), out);
  }
}

void automaton_step_text(const Automata *all, const Automaton *a, Printer *printer,
                         const AutoStep *s, Str *out) {
  const Program *p = all->question.program;
  const Edge *e = program_edge(p, s->edge);
  const char *callee =
      s->callee ? sym_text(p, vec_at(&p->functions, s->callee)->name) : "";
  switch ((AutoStepKind)s->kind) {
  case STEP_ENTER:
    str_addf(out, "enter %s", callee);
    add_sets(all, a, printer, s, ": ", out);
    break;
  case STEP_LEAVE:
    str_add(out, "leave ");
    str_add(out, sym_text(p, p->functions.data[a->frames.data[s->frame].function].name));
    add_sets(all, a, printer, s, ": ", out);
    break;
  case STEP_OVER: str_addf(out, "step over %s", callee); break;
  case STEP_SET:
    if (e->op == OP_ASSIGN || e->op == OP_HAVOC)
      printer_edge(printer, s->edge, out);
    else
      add_sets(all, a, printer, s, "", out);
    break;
  case STEP_EDGE:
  case STEP_LIBRARY:
  case STEP_END:
    if (e->op == OP_ASSUME && !(e->flags & EDGE_USER)) {
      str_add(out, e->flags & EDGE_DEFAULT ? "otherwise" : "if ");
      if (!(e->flags & EDGE_DEFAULT)) printer_expr(printer, e->a, out);
    } else {
      printer_edge(printer, s->edge, out);
    }
    break;
  }
}

/* ---- blocks ---- */

static void add_cells(Page *g, const char *verb, uint32_t first, uint32_t count,
                      bool *ret_some) {
  for (uint32_t i = 0; i < count; i++) {
    const Cell *c = vec_at(&g->blocks->cells, first + i);
    str_add(&g->out, i ? ", " : *ret_some ? "; " : ": ");
    if (!i) str_addf(&g->out, "%s ", verb);
    *ret_some = true;
    if (c->key && c->key < g->p->objects.len)
      printer_object(g->printer, c->key, &g->out);
    else
      str_add(&g->out, c->key ? "memory of the library" : "any memory");
    if (c->offset && c->offset != OFFSET_ANY) str_addf(&g->out, "+%u", c->offset);
  }
}

static void add_step(Page *g, const AutoStep *s, bool places) {
  size_t start = g->out.len;
  const Loc *loc = vec_at(&g->p->locs, program_edge(g->p, s->edge)->loc);
  str_add(&g->out, "        ");
  if (places) str_addf(&g->out, "L%u -> L%u  ", s->from, s->to);
  automaton_step_text(g->all, g->a, g->printer, s, &g->out);
  if (s->asked) str_add(&g->out, "  (asked)");
  if (loc->line) {
    str_pad(&g->out, start, 66);
    str_addf(&g->out, " %u:%u", loc->line, loc->column);
  }
  str_add_char(&g->out, '\n');
}

/* A block that is a mere sequence needs no numbers. */
static bool is_sequence(const Page *g, const Block *b) {
  for (uint32_t i = 1; i < b->step_count; i++) {
    const AutoStep *s = &g->a->steps.data[g->blocks->steps.data[b->first_step + i]];
    const AutoStep *last =
        &g->a->steps.data[g->blocks->steps.data[b->first_step + i - 1]];
    if (s->from != last->to) return false;
  }
  return true;
}

static bool is_cut_away(const Page *g, const AutoStep *s) {
  return s->kind == STEP_EDGE && program_edge(g->p, s->edge)->op == OP_NOP;
}

/* How many steps the block begins with that the one before it begins with too. */
static uint32_t shared_steps(const Page *g, const Block *b, const Block *before) {
  uint32_t n = 0;
  while (before && n < b->step_count && n < before->step_count &&
         g->blocks->steps.data[b->first_step + n] ==
             g->blocks->steps.data[before->first_step + n])
    n++;
  return n > 1 ? n : 0;
}

static void add_block(Page *g, const Block *b, const Block *before) {
  bool some = false, places = !is_sequence(g, b);
  uint32_t shared = shared_steps(g, b, before);
  if (b->exit)
    str_addf(&g->out, "      to L%u", b->exit);
  else
    str_add(&g->out, b->ends ? "      to the end" : "      to nowhere");
  add_cells(g, "reads", b->first_cell_read, b->cell_read_count, &some);
  add_cells(g, "writes", b->first_cell_written, b->cell_written_count, &some);
  str_add_char(&g->out, '\n');
  if (shared) str_addf(&g->out, "        the same %u steps, then\n", shared);
  for (uint32_t i = shared; i < b->step_count; i++) {
    const AutoStep *s = &g->a->steps.data[g->blocks->steps.data[b->first_step + i]];
    if (places || !is_cut_away(g, s)) add_step(g, s, places);
  }
}

static void add_cut(Page *g, uint32_t location) {
  static const char *const words[] = {
      [CUT_NONE] = "",       [CUT_VISIBLE] = "", [CUT_ASSUMPTION] = ", assumption",
      [CUT_LOOP] = ", loop", [CUT_START] = "",   [CUT_STEP] = ""};
  const AutoLocation *at = &g->a->locations.data[location];
  uint32_t first, n = blocks_from(g->blocks, location, &first);
  EdgeId edge = at->step_count ? g->a->steps.data[at->first_step].edge : 0;
  uint32_t line = g->p->locs.data[program_edge(g->p, edge)->loc].line;
  str_addf(&g->out, "    L%u  ", location);
  automaton_frame_text(g->all, g->a, at->frame, &g->out);
  if (at->inside) str_add(&g->out, " > library");
  if (line) str_addf(&g->out, ", line %u", line);
  str_add(&g->out, words[g->blocks->cuts[location]]);
  if (location == g->a->start) str_add(&g->out, ", start");
  if (at->depth) str_addf(&g->out, ", atomic");
  str_add_char(&g->out, '\n');
  for (uint32_t i = 0; i < n; i++) {
    const Block *block = &g->blocks->blocks.data[first + i];
    add_block(g, block, i ? block - 1 : NULL);
  }
}

/* ---- kinds ---- */

static void add_memory(Page *g) {
  bool some = false;
  for (uint32_t i = 1; i < g->a->variables.len; i++) {
    const AutoVariable *v = &g->a->variables.data[i], *last = v - 1;
    if (!v->object || (v->object == last->object && v->offset == last->offset)) continue;
    str_add(&g->out, some ? ", " : "    memory as variables: ");
    add_variable(g->all, g->a, g->printer, i, &g->out);
    some = true;
  }
  if (some) str_add_char(&g->out, '\n');
}

static void add_size(Page *g) {
  uint32_t cuts = 0;
  for (uint32_t i = 1; i < g->a->locations.len; i++)
    cuts += g->blocks->cuts[i] != CUT_NONE;
  str_addf(&g->out, "    locations: %u, activations: %u, steps: %u\n",
           g->a->locations.len - 1, g->a->frames.len - 1, g->a->steps.len - 1);
  str_addf(&g->out, "    cut points: %u, blocks: %u\n", cuts, g->blocks->blocks.len);
}

void automata_print(const Automata *all, TextSink *sink, void *user) {
  Page g = {.all = all, .p = all->question.program};
  g.printer = printer_new(g.p);
  for (uint32_t i = 0; i < all->kinds.len; i++) {
    Blocks *blocks = NULL;
    g.a = &all->kinds.data[i];
    str_add(&g.out, i ? "\nthread " : "thread ");
    automaton_kind_text(all, g.a, &g.out);
    str_add_char(&g.out, '\n');
    if (g.a->refused) {
      str_addf(&g.out, "    no automaton: %s\n", g.a->refused);
      continue;
    }
    g.blocks = blocks = blocks_new(all, g.a);
    add_size(&g);
    add_memory(&g);
    for (uint32_t k = 1; k < g.a->locations.len; k++)
      if (blocks->cuts[k]) add_cut(&g, k);
    printer_parts(g.printer, 4, &g.out);
    blocks_free(blocks);
    sink(user, g.out.data, g.out.len);
    str_clear(&g.out);
  }
  sink(user, str_text(&g.out), g.out.len);
  str_free(&g.out);
  printer_free(g.printer);
}
