/* Thread automata as a Graphviz graph. See automaton_print.h. */
#include "analysis/automaton_print.h"

#include "base/mem.h"

typedef struct {
  const Automata *all;
  const Automaton *a;
  const Blocks *blocks;
  Printer *printer;
  uint32_t kind; /* its number */
  Str out;
} Drawing;

/* Inside of a quoted string of DOT; lines end at the left. */
static void add_escaped(const char *text, Str *out) {
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') str_add_char(out, '\\');
    if ((unsigned char)*text >= 0x20 && *text != 0x7f) str_add_char(out, *text);
    if (*text == '\n') str_add(out, "\\l");
  }
}

static void draw_cut(Drawing *d, uint32_t location) {
  const AutoLocation *at = &d->a->locations.data[location];
  Str text = {0};
  automaton_frame_text(d->all, d->a, at->frame, &text);
  str_addf(&d->out, "    k%ul%u [label=\"L%u\", tooltip=\"", d->kind, location, location);
  add_escaped(str_text(&text), &d->out);
  str_add(&d->out, "\"");
  if (at->depth) str_add(&d->out, ", style=filled, fillcolor=lightblue");
  if (d->blocks->cuts[location] == CUT_LOOP) str_add(&d->out, ", style=dashed");
  if (location == d->a->start) str_add(&d->out, ", penwidth=2");
  str_add(&d->out, "];\n");
  str_free(&text);
}

static void draw_block(Drawing *d, const Block *b) {
  const Program *p = d->all->question.program;
  Str text = {0};
  bool visible = false, asked = false;
  for (uint32_t i = 0; i < b->step_count; i++) {
    const AutoStep *s = &d->a->steps.data[d->blocks->steps.data[b->first_step + i]];
    visible = visible || s->visible;
    asked = asked || s->asked;
    if (s->kind == STEP_EDGE && program_edge(p, s->edge)->op == OP_NOP) continue;
    automaton_step_text(d->all, d->a, d->printer, s, &text);
    str_add_char(&text, '\n');
  }
  str_addf(&d->out, "    k%ul%u -> k%ul%u [color=%s, label=\"", d->kind, b->entry,
           d->kind, b->exit,
           asked     ? "red3"
           : visible ? "blue3"
                     : "gray40");
  add_escaped(str_text(&text), &d->out);
  str_add(&d->out, "\"];\n");
  str_free(&text);
}

static void draw_kind(Drawing *d) {
  Str text = {0};
  automaton_kind_text(d->all, d->a, &text);
  if (d->a->refused) str_addf(&text, "\nno automaton: %s", d->a->refused);
  str_addf(&d->out, "  subgraph cluster_%u {\n    label=\"", d->kind);
  add_escaped(str_text(&text), &d->out);
  str_addf(&d->out, "\";\n    k%ul0 [label=\"\", shape=doublecircle, width=0.1];\n",
           d->kind);
  str_free(&text);
  if (!d->a->refused) {
    Blocks *blocks = blocks_new(d->all, d->a);
    d->blocks = blocks;
    for (uint32_t i = 1; i < d->a->locations.len; i++)
      if (blocks->cuts[i]) draw_cut(d, i);
    for (uint32_t i = 0; i < blocks->blocks.len; i++)
      draw_block(d, &blocks->blocks.data[i]);
    blocks_free(blocks);
  }
  str_add(&d->out, "  }\n");
}

void automata_dot(const Automata *all, TextSink *sink, void *user) {
  Drawing d = {.all = all, .printer = printer_new(all->question.program)};
  str_add(&d.out,
          "digraph automata {\n"
          "  node [shape=circle, fontname=\"monospace\", fontsize=10, width=0.3];\n"
          "  edge [fontname=\"monospace\", fontsize=10];\n");
  for (uint32_t i = 0; i < all->kinds.len; i++) {
    d.a = &all->kinds.data[i];
    d.kind = i;
    draw_kind(&d);
    sink(user, d.out.data, d.out.len);
    str_clear(&d.out);
  }
  str_add(&d.out, "}\n");
  sink(user, d.out.data, d.out.len);
  str_free(&d.out);
  printer_free(d.printer);
}
