/* The automata as a Graphviz graph.
 *
 * In: a valid program. Out: one cluster per function; nodes are numbered as in the
 * listing, edges carry their operation as the listing writes it. Colours: blue for locks
 * and other synchronisation, green for threads, red for writes to memory, orange for
 * reads, grey for branches. A node where execution ends is a double circle. Labels are
 * escaped, so any name in the program is drawn as it is. */
#include "model/dot.h"
#include "model/print_parts.h"

typedef struct {
  Printer *printer;
  TextSink *sink;
  void *user;
  Str out;
} Drawing;

/* Inside a quoted DOT string: quotes and backslashes are escaped, line breaks become
 * spaces and other control characters vanish. */
static void add_escaped(const char *text, Str *out) {
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') str_add_char(out, '\\');
    if ((unsigned char)*text >= 0x20 && *text != 0x7f)
      str_add_char(out, *text);
    else if (*text == '\n' || *text == '\t')
      str_add_char(out, ' ');
  }
}

static const char *edge_colour(const Edge *e) {
  switch ((OpKind)e->op) {
  case OP_ASSUME:
  case OP_NOP:
  case OP_GOTO: return "gray40";
  case OP_LOAD: return e->order ? "darkviolet" : "darkorange3";
  case OP_STORE: return e->order ? "darkviolet" : "red3";
  case OP_COPY:
  case OP_FILL: return "red3";
  case OP_RMW:
  case OP_CMPXCHG:
  case OP_FENCE: return "darkviolet";
  case OP_ASSERT:
  case OP_EXIT:
  case OP_UNREACHABLE: return "deeppink3";
  case OPS_SET:
  case OP_CALL:
  case OP_RETURN:
  case OPS_STACK:
  case OPS_VA:
  case OPS_THREAD:
  case OPS_SYNC: break;
  }
  if (e->op >= OP_CREATE && e->op <= OP_CANCEL_POINT) return "forestgreen";
  if ((e->op >= OP_LOCK_INIT && e->op <= OP_ACQUIRE) || e->op == OP_ATOMIC_BEGIN ||
      e->op == OP_ATOMIC_END)
    return "blue3";
  return "black";
}

static void draw_edge(Drawing *d, EdgeId id) {
  const Program *p = d->printer->program;
  const Edge *e = program_edge(p, id);
  Str text = {0};
  if (e->op == OP_ASSUME && !(e->flags & EDGE_USER)) {
    if (e->flags & EDGE_DEFAULT)
      str_add(&text, "default");
    else
      printer_expr(d->printer, e->a, &text);
  } else if (e->op != OP_NOP) {
    printer_edge(d->printer, id, &text);
  }
  if (e->to)
    str_addf(&d->out, "    n%u -> n%u", e->from, e->to);
  else /* where execution ends has no node of its own in the model */
    str_addf(&d->out,
             "    end%u [label=\"\", shape=doublecircle, width=0.1];\n    n%u -> end%u",
             id, e->from, id);
  const char *colour = edge_colour(e);
  str_addf(&d->out, " [color=%s, fontcolor=%s, label=\"", colour, colour);
  add_escaped(str_text(&text), &d->out);
  str_add(&d->out, "\"");
  if (e->loc) {
    Str place = {0};
    printer_place(d->printer, e->loc, &place);
    str_add(&d->out, ", tooltip=\"");
    add_escaped(str_text(&place), &d->out);
    str_add(&d->out, "\"");
    str_free(&place);
  }
  str_add(&d->out, "];\n");
  str_clear(&text);
  printer_parts(d->printer, 0, &text); /* too large for a drawing: a comment */
  for (char *line = text.data; line && *line;) {
    char *end = strchr(line, '\n');
    str_addf(&d->out, "    // %.*s\n", (int)(end - line), line);
    line = end + 1;
  }
  str_free(&text);
}

static void draw_function(Drawing *d, FuncId f) {
  const Program *p = d->printer->program;
  const Function *fn = &p->functions.data[f];
  str_addf(&d->out, "  subgraph cluster_%u {\n    label=\"", f);
  add_escaped(sym_text(p, fn->name), &d->out);
  str_add(&d->out, "\";\n");
  for (uint32_t i = 0; i < fn->node_count; i++) {
    NodeId n = fn->first_node + i;
    str_addf(&d->out, "    n%u [label=\"%u\"%s];\n", n, i + 1,
             n == fn->entry ? ", style=filled, fillcolor=lightgrey" : "");
  }
  for (uint32_t i = 0; i < fn->edge_count; i++) {
    draw_edge(d, fn->first_edge + i);
    if (d->out.len > 1 << 16) {
      d->sink(d->user, d->out.data, d->out.len);
      str_clear(&d->out);
    }
  }
  str_add(&d->out, "  }\n");
}

uint32_t program_dot(const Program *program, const char *function, TextSink *sink,
                     void *user) {
  Drawing d = {.printer = printer_new(program), .sink = sink, .user = user};
  uint32_t drawn = 0;
  str_add(&d.out,
          "digraph program {\n"
          "  node [shape=circle, fontname=\"monospace\", fontsize=10, width=0.3];\n"
          "  edge [fontname=\"monospace\", fontsize=10];\n");
  for (FuncId f = 1; f < program->functions.len; f++) {
    const Function *fn = &program->functions.data[f];
    if (!(fn->flags & FUNCTION_DEFINED) ||
        (function && !program_function_is(program, f, function)))
      continue;
    draw_function(&d, f);
    drawn++;
  }
  str_add(&d.out, "}\n");
  sink(user, d.out.data, d.out.len);
  str_free(&d.out);
  printer_free(d.printer);
  return drawn;
}
