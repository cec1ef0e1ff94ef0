/* Who waits for whom, as a drawing: the graph of a deadlock as inline SVG.
 *
 * Threads and what they wait for are the nodes; a thread points to what it waits for, and
 * that to the thread that holds it. The circle, where there is one, is set as a ring of two
 * columns, so that none of its arrows cross; who merely waits for someone of it stands to the
 * left. Without a circle (a condition that nobody signals) threads stand on the left and what
 * they wait for on the right. */
#include "report/html/page.h"
#include "report/source.h"
#include "report/words.h"

#include <math.h>
#include <string.h>

enum {
  NODE_WIDTH = 156,
  NODE_HEIGHT = 46,
  COLUMN = 272, /* from one to the next */
  ROW = 96,
  MARGIN = 12,
  NAME_COLUMNS = 18, /* of a name that fit into a node */
};

typedef struct {
  const char *name, *note; /* note: what it is, or NULL */
  bool thread;
  uint32_t next; /* what it waits for, or who holds it: the first, + 1, or 0 */
  bool placed, circular;
  int column, row;
} Node;

typedef struct {
  uint32_t from, to;
  bool held; /* it is held by a thread; else a thread waits */
} Link;

typedef struct {
  Page *page;
  const Finding *finding;
  VEC(Node) nodes;
  VEC(Link) links;
  VEC(uint32_t) ring;
  int columns, rows;
} Graph;

/* ---- nodes and links ---- */

static uint32_t node_of(Graph *g, const char *name, bool thread, const char *note) {
  for (uint32_t i = 0; i < g->nodes.len; i++)
    if (g->nodes.data[i].thread == thread && str_eq(g->nodes.data[i].name, name)) {
      if (!g->nodes.data[i].note) g->nodes.data[i].note = note;
      return i;
    }
  Node node = {.name = name, .thread = thread, .note = note};
  vec_push(&g->nodes, node);
  return g->nodes.len - 1;
}

static void link_nodes(Graph *g, uint32_t from, uint32_t to, bool held) {
  for (uint32_t i = 0; i < g->links.len; i++)
    if (g->links.data[i].from == from && g->links.data[i].to == to) return;
  Link link = {from, to, held};
  vec_push(&g->links, link);
  if (!g->nodes.data[from].next) g->nodes.data[from].next = to + 1;
}

static const char *note_of(const FoundAccess *a) {
  static const struct {
    const char *kind, *note;
  } notes[] = {{"lock", "lock"},
               {"read-lock", "lock"},
               {"wait", "condition"},
               {"barrier_wait", "barrier"},
               {"barrier-enter", "barrier"},
               {"sem_wait", "semaphore"},
               {"sem-wait", "semaphore"},
               {"once", "once"}};
  for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
    if (str_eq(a->kind, notes[i].kind)) return notes[i].note;
  return NULL;
}

static bool holds(const FoundAccess *a, const char *lock) {
  for (uint32_t i = 0; i < a->lock_count; i++)
    if (str_eq(a->locks[i], lock)) return true;
  return false;
}

/* Whoever holds what this access waits for, as far as the finding tells. */
static void link_holders(Graph *g, const FoundAccess *a, uint32_t object) {
  const Finding *f = g->finding;
  const char *owner = a->recorded ? a->recorded->owner : NULL;
  if (owner) link_nodes(g, object, node_of(g, owner, true, NULL), true);
  for (uint32_t i = 0; !owner && i < f->access_count; i++)
    if (holds(&f->accesses[i], a->object))
      link_nodes(g, object, node_of(g, f->accesses[i].thread, true, NULL), true);
}

static void build(Graph *g) {
  const Finding *f = g->finding;
  for (uint32_t i = 0; i < f->access_count; i++)
    node_of(g, f->accesses[i].thread, true, NULL);
  for (uint32_t i = 0; i < f->access_count; i++) {
    const FoundAccess *a = &f->accesses[i];
    if (!a->object) continue;
    bool join = str_eq(a->kind, "join");
    uint32_t to = node_of(g, a->object, join, join ? NULL : note_of(a));
    link_nodes(g, node_of(g, a->thread, true, NULL), to, false);
    if (!join) link_holders(g, a, to);
  }
}

/* ---- places ---- */

static void find_ring(Graph *g) {
  for (uint32_t start = 0; start < g->nodes.len && !g->ring.len; start++) {
    uint32_t at = start;
    for (uint32_t i = 0; i <= g->nodes.len && g->nodes.data[at].next; i++) {
      vec_push(&g->ring, at);
      at = g->nodes.data[at].next - 1;
      if (at == start) return;
    }
    vec_clear(&g->ring);
  }
}

static void place(Graph *g, uint32_t node, int column, int row) {
  Node *n = &g->nodes.data[node];
  n->placed = true;
  n->column = column;
  n->row = row;
  if (column >= g->columns) g->columns = column + 1;
  if (row >= g->rows) g->rows = row + 1;
}

static void place_ring(Graph *g) {
  uint32_t m = g->ring.len, right = (m + 1) / 2;
  int first = m < g->nodes.len; /* a column for the others */
  for (uint32_t i = 0; i < m; i++) {
    bool on_right = i && i <= right;
    place(g, g->ring.data[i], first + on_right, (int)(!i ? 0 : on_right ? i - 1 : m - i));
    g->nodes.data[g->ring.data[i]].circular = true;
  }
  int row = 0;
  for (uint32_t i = 0; i < g->nodes.len; i++)
    if (!g->nodes.data[i].placed) place(g, i, 0, row++);
}

static void place_pairs(Graph *g) {
  int row = 0, last = 0;
  for (uint32_t i = 0; i < g->nodes.len; i++)
    if (g->nodes.data[i].thread) place(g, i, 0, row++);
  for (uint32_t i = 0; i < g->links.len; i++) {
    uint32_t to = g->links.data[i].to;
    if (!g->nodes.data[to].placed) place(g, to, 1, last++);
  }
}

/* ---- drawing ---- */

static double x_of(const Node *n) {
  return MARGIN + n->column * COLUMN + NODE_WIDTH / 2.0;
}
static double y_of(const Node *n) {
  return MARGIN + n->row * ROW + NODE_HEIGHT / 2.0;
}

static bool has_link(const Graph *g, uint32_t from, uint32_t to) {
  for (uint32_t i = 0; i < g->links.len; i++)
    if (g->links.data[i].from == from && g->links.data[i].to == to) return true;
  return false;
}

static void put_link(Graph *g, const Link *link) {
  const Node *a = &g->nodes.data[link->from], *b = &g->nodes.data[link->to];
  double x = x_of(a), y = y_of(a), dx = x_of(b) - x, dy = y_of(b) - y;
  if (link->from == link->to) return;
  /* both ways between two nodes: one above the other */
  double shift = !has_link(g, link->to, link->from) ? 0 : link->held ? 12 : -12;
  double across = fabs(dx) > 0 ? NODE_WIDTH / 2.0 / fabs(dx) : 2;
  double down = fabs(dy) > 0 ? NODE_HEIGHT / 2.0 / fabs(dy) : 2;
  double t = fmin(across, down);
  double x0 = x + dx * t, y0 = y + dy * t + shift;
  double x1 = x + dx * (1 - t), y1 = y + dy * (1 - t) + shift;
  const char *class = link->held ? "held" : "waits";
  page_putf(g->page,
            "<path class=\"%s\" d=\"M%.0f %.0fL%.0f %.0f\" marker-end=\"url(#tip-%s)\"/>"
            "<text class=\"%s\" x=\"%.0f\" y=\"%.0f\">%s</text>\n",
            class, x0, y0, x1, y1, class, class, (x0 + x1) / 2, (y0 + y1) / 2 - 5,
            link->held  ? "held by"
            : b->thread ? "waits for its end"
                        : "waits for");
}

static void put_node(Graph *g, const Node *n) {
  Page *p = g->page;
  double x = x_of(n), y = y_of(n);
  const char *note = n->thread ? "thread" : n->note ? n->note : "";
  size_t fit = text_fit(n->name, NAME_COLUMNS);
  page_putf(p, "<g class=\"%s%s\"><title>", n->thread ? "thread" : "object",
            n->circular ? " circular" : "");
  page_text(p, n->name);
  page_putf(p,
            "</title><rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" rx=\"%d\"/>",
            x - NODE_WIDTH / 2.0, y - NODE_HEIGHT / 2.0, NODE_WIDTH, NODE_HEIGHT,
            n->thread ? NODE_HEIGHT / 2 : 6);
  page_putf(p, "<text x=\"%.0f\" y=\"%.0f\">", x, y - 1);
  page_text_bytes(p, n->name, fit);
  page_put(p, n->name[fit] ? "\xe2\x80\xa6</text>" : "</text>");
  page_putf(p, "<text class=\"note\" x=\"%.0f\" y=\"%.0f\">%s</text></g>\n", x, y + 14,
            note);
}

void page_waits(Page *p, const Finding *f) {
  Graph g = {.page = p, .finding = f};
  build(&g);
  find_ring(&g);
  if (g.ring.len)
    place_ring(&g);
  else
    place_pairs(&g);
  int width = 2 * MARGIN + (g.columns - 1) * COLUMN + NODE_WIDTH;
  int height = 2 * MARGIN + (g.rows - 1) * ROW + NODE_HEIGHT;
  if (g.links.len) {
    page_putf(
        p,
        "<figure class=\"waits\"><div class=\"scroll\" tabindex=\"0\" role=\"region\" "
        "aria-label=\"Drawing of who waits for whom\"><svg viewBox=\"0 0 %d %d\" "
        "width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"",
        width, height, width, height);
    page_text(p, f->why);
    page_put(p, "\">\n");
    for (uint32_t i = 0; i < g.links.len; i++) put_link(&g, &g.links.data[i]);
    for (uint32_t i = 0; i < g.nodes.len; i++) put_node(&g, &g.nodes.data[i]);
    page_put(p, "</svg></div><figcaption>Who waits for whom</figcaption></figure>\n");
  }
  vec_free(&g.nodes);
  vec_free(&g.links);
  vec_free(&g.ring);
}
