/* PNML place/transition nets: <place> with <initialMarking>, <transition>, <arc> with
 * <inscription>, pages and reference nodes. PNML has neither targets nor places with any
 * number of tokens nor transfers; heddle keeps these in
 *
 *   <toolspecific tool="heddle" version="1">
 *     <any place="ID"/> <transfer transition="ID" from="ID" to="ID"/>
 *     <target><tokens place="ID" count="2"/></target>
 *   </toolspecific>
 *
 * (a transfer without `to` is a reset). Other tools' parts and graphics are skipped. Arcs
 * may come before their ends, so everything is collected first and built at the end. */
#include "net/read_parts.h"
#include "net/xml.h"

#include "base/mem.h"

#include <stdlib.h>

typedef enum { NODE_PLACE, NODE_TRANSITION, NODE_REFERENCE } NodeKind;

typedef struct {
  NodeKind kind;
  char *id, *name; /* name may be NULL */
  char *reference; /* of NODE_REFERENCE */
  uint32_t initial, number;
  int line;
} Node;

typedef enum { ARC_NORMAL, ARC_READ, ARC_RESET } ArcKind;

typedef struct {
  char *source, *target;
  uint32_t weight;
  ArcKind kind;
  int line, column;
} Arc;

typedef struct {
  char *transition, *from, *to; /* to may be NULL */
  int line, column;
} Move;

typedef struct {
  char *place;
  uint32_t count;
  bool first; /* of its target */
  int line, column;
} Goal;

typedef struct {
  Xml xml;
  Net *net;
  VEC(Node) nodes;
  StrMap ids; /* 1 + node */
  VEC(Arc) arcs;
  VEC(Move) moves;
  VEC(Goal) goals;
  uint32_t node, arc; /* 1 + the one being read, or 0 */
  bool new_target;
  uint32_t empty_targets;
  bool own;      /* inside our own toolspecific */
  uint32_t skip; /* depth of the element whose content is skipped, or 0 */
  Str text;      /* of the <text> being read */
} Reader;

static char *attribute(Reader *r, const char *name) {
  Str value = {0};
  if (xml_attribute(&r->xml, name, &value)) {
    if (!value.data) str_add(&value, "");
    return str_take(&value);
  }
  str_free(&value);
  return NULL;
}

static char *required(Reader *r, const char *name) {
  char *value = attribute(r, name);
  if (!value && !r->xml.failed)
    xml_fail(&r->xml, "PNML wants it", "the attribute '%s' is missing", name);
  return value;
}

/* ---- collecting ------------------------------------------------------------------- */

static bool open_node(Reader *r, NodeKind kind) {
  char *id = required(r, "id");
  if (!id) return false;
  uint64_t *slot = strmap_at(&r->ids, id, strlen(id));
  bool twice = *slot != 0;
  vec_push(&r->nodes, (Node){.kind = kind, .id = id, .line = r->xml.event_line});
  *slot = r->nodes.len;
  r->node = r->nodes.len;
  if (twice)
    return xml_fail(&r->xml, "give each node an id of its own",
                    "the id '%s' is there twice", id);
  if (kind != NODE_REFERENCE) return true;
  vec_last(&r->nodes)->reference = required(r, "ref");
  return vec_last(&r->nodes)->reference != NULL;
}

static bool open_arc(Reader *r) {
  Arc arc = {.weight = 1, .line = r->xml.event_line, .column = r->xml.event_column};
  arc.source = required(r, "source");
  arc.target = required(r, "target");
  vec_push(&r->arcs, arc);
  r->arc = r->arcs.len;
  return arc.source && arc.target;
}

static bool open_arc_type(Reader *r) {
  char *value = attribute(r, "value");
  bool ok = true;
  if (value && (str_eq(value, "test") || str_eq(value, "read")))
    vec_last(&r->arcs)->kind = ARC_READ;
  else if (value && str_eq(value, "reset"))
    vec_last(&r->arcs)->kind = ARC_RESET;
  else if (value && !str_eq(value, "normal"))
    ok = xml_fail(&r->xml, "arcs are normal, read, test or reset",
                  "arcs of type '%s' are no Petri net", value);
  mem_free(value);
  return ok;
}

static bool read_count(Reader *r, const char *text, const char *what, uint32_t *ret) {
  long long value;
  while (*text == ' ' || *text == '\n' || *text == '\t' || *text == '\r') text++;
  size_t length = strlen(text);
  while (length > 0 && (unsigned char)text[length - 1] <= ' ') length--;
  char *copy = str_ndup(text, length);
  bool number = str_to_long(copy, &value);
  mem_free(copy);
  if (!number || value < 0 || value > NET_MOST)
    return xml_fail(&r->xml, "write a number from 0 to 2147483647",
                    "%s is no number that fits", what);
  *ret = (uint32_t)value;
  return true;
}

static bool open_own(Reader *r) {
  int line = r->xml.event_line, column = r->xml.event_column;
  if (xml_is(&r->xml, "any")) {
    Goal goal = {.place = required(r, "place"),
                 .count = NET_OMEGA,
                 .line = line,
                 .column = column};
    vec_push(&r->goals, goal);
    return goal.place;
  }
  if (xml_is(&r->xml, "transfer")) {
    Move move = {.transition = required(r, "transition"),
                 .from = required(r, "from"),
                 .to = attribute(r, "to"),
                 .line = line,
                 .column = column};
    vec_push(&r->moves, move);
    return move.transition && move.from && !r->xml.failed;
  }
  if (xml_is(&r->xml, "target")) {
    r->new_target = true;
    return true;
  }
  if (!xml_is(&r->xml, "tokens"))
    return xml_fail(&r->xml, "heddle knows any, transfer, target and tokens",
                    "an unknown element");
  Goal goal = {.place = required(r, "place"),
               .first = r->new_target,
               .line = line,
               .column = column};
  char *count = required(r, "count");
  bool ok = count && read_count(r, count, "the count", &goal.count);
  mem_free(count);
  vec_push(&r->goals, goal);
  r->new_target = false;
  return ok && goal.place;
}

static bool open_element(Reader *r) {
  Xml *xml = &r->xml;
  if (r->skip) return true;
  if (r->own) return open_own(r);
  if (xml_is(xml, "toolspecific")) {
    char *tool = attribute(r, "tool");
    r->own = tool && str_eq(tool, "heddle");
    mem_free(tool);
    if (!r->own) r->skip = xml->open.len;
    return !xml->failed;
  }
  if (xml_is(xml, "graphics")) r->skip = xml->open.len;
  if (xml_is(xml, "place")) return open_node(r, NODE_PLACE);
  if (xml_is(xml, "transition")) return open_node(r, NODE_TRANSITION);
  if (xml_is(xml, "referencePlace") || xml_is(xml, "referenceTransition"))
    return open_node(r, NODE_REFERENCE);
  if (xml_is(xml, "arc")) return open_arc(r);
  if (xml_is(xml, "type") && r->arc) return open_arc_type(r);
  if (xml_is(xml, "text")) str_clear(&r->text);
  return true;
}

static bool parent_is(const Reader *r, const char *name) {
  if (r->xml.open.len == 0) return false;
  const XmlSpan *parent = &r->xml.open.data[r->xml.open.len - 1];
  return parent->len == strlen(name) && !memcmp(parent->at, name, parent->len);
}

static bool close_text(Reader *r) {
  if (r->node && parent_is(r, "name")) {
    Node *node = &r->nodes.data[r->node - 1];
    mem_free(node->name);
    node->name = str_dup(str_text(&r->text));
    for (char *c = node->name; *c; c++)
      if ((unsigned char)*c < ' ') *c = ' ';
  } else if (r->node && parent_is(r, "initialMarking")) {
    return read_count(r, str_text(&r->text), "the marking",
                      &r->nodes.data[r->node - 1].initial);
  } else if (r->arc && parent_is(r, "inscription")) {
    return read_count(r, str_text(&r->text), "the weight",
                      &r->arcs.data[r->arc - 1].weight);
  }
  return true;
}

static bool close_element(Reader *r) {
  const Xml *xml = &r->xml;
  if (r->skip) {
    if (xml->open.len < r->skip) r->skip = 0;
    return true;
  }
  if (xml_is(xml, "toolspecific")) r->own = false;
  if (xml_is(xml, "target") && r->new_target) {
    r->empty_targets++;
    r->new_target = false;
  }
  if (xml_is(xml, "place") || xml_is(xml, "transition")) r->node = 0;
  if (xml_is(xml, "referencePlace") || xml_is(xml, "referenceTransition")) r->node = 0;
  if (xml_is(xml, "arc")) r->arc = 0;
  return !xml_is(xml, "text") || close_text(r);
}

/* ---- building --------------------------------------------------------------------- */

static bool fail_at(Reader *r, int line, int column, const char *remedy,
                    const char *message, const char *id) {
  r->xml.event_line = line;
  r->xml.event_column = column;
  return xml_fail(&r->xml, remedy, message, id);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/* Follows references to the node itself; NULL after an error. */
static Node *resolve(Reader *r, const char *id, int line, int column) {
  for (uint32_t steps = 0; steps <= r->nodes.len; steps++) {
    const uint64_t *slot = strmap_get(&r->ids, id, strlen(id));
    if (!slot) {
      fail_at(r, line, column, "declare it", "there is no node '%s'", id);
      return NULL;
    }
    Node *node = &r->nodes.data[*slot - 1];
    if (node->kind != NODE_REFERENCE) return node;
    id = node->reference;
  }
  fail_at(r, line, column, "let references end at a node", "'%s' refers to itself", id);
  return NULL;
}

static const char *unused_name(Reader *r, const Node *node, Str *scratch) {
  const char *name = node->name && *node->name ? node->name : node->id;
  if (net_find_place(r->net, name, strlen(name)) == NET_NONE && *name) return name;
  str_clear(scratch);
  str_add(scratch, *node->id ? node->id : "p");
  for (size_t stem = scratch->len, n = 2;
       net_find_place(r->net, str_text(scratch), scratch->len) != NET_NONE; n++) {
    scratch->len = stem;
    str_addf(scratch, "_%zu", n);
  }
  return str_text(scratch);
}

static void build_nodes(Reader *r) {
  Str scratch = {0};
  for (uint32_t i = 0, transitions = 0; i < r->nodes.len; i++) {
    Node *node = &r->nodes.data[i];
    if (node->kind == NODE_PLACE)
      node->number = net_add_place(r->net, unused_name(r, node, &scratch), node->initial);
    else if (node->kind == NODE_TRANSITION)
      node->number = transitions++;
  }
  str_free(&scratch);
}

typedef struct {
  uint32_t transition, place, weight;
  bool post;
} Flat;

static int compare_flat(const void *a, const void *b) {
  const Flat *x = a, *y = b;
  return x->transition < y->transition ? -1 : x->transition > y->transition;
}

typedef struct {
  VEC(Flat) arcs;
  VEC(struct FlatMove) moves;
} FlatNet;

struct FlatMove {
  uint32_t transition, from, to;
};

static bool flatten_arcs(Reader *r, FlatNet *flat) {
  for (uint32_t i = 0; i < r->arcs.len; i++) {
    const Arc *arc = &r->arcs.data[i];
    const Node *from = resolve(r, arc->source, arc->line, arc->column);
    const Node *to = from ? resolve(r, arc->target, arc->line, arc->column) : NULL;
    if (!from || !to) return false;
    if (from->kind == to->kind)
      return fail_at(r, arc->line, arc->column, "connect a place and a transition",
                     "this arc ends at '%s', which is of the same kind as its start",
                     to->id);
    bool post = from->kind == NODE_TRANSITION;
    uint32_t t = post ? from->number : to->number, p = post ? to->number : from->number;
    if (arc->kind == ARC_RESET) {
      vec_push(&flat->moves, (struct FlatMove){t, p, NET_NOWHERE});
      continue;
    }
    vec_push(&flat->arcs, (Flat){t, p, arc->weight, post});
    if (arc->kind == ARC_READ) vec_push(&flat->arcs, (Flat){t, p, arc->weight, !post});
  }
  return true;
}

static bool flatten_moves(Reader *r, FlatNet *flat) {
  for (uint32_t i = 0; i < r->moves.len; i++) {
    const Move *move = &r->moves.data[i];
    const Node *t = resolve(r, move->transition, move->line, move->column);
    const Node *from = t ? resolve(r, move->from, move->line, move->column) : NULL;
    const Node *to =
        from && move->to ? resolve(r, move->to, move->line, move->column) : from;
    if (!t || !from || !to) return false;
    if (t->kind != NODE_TRANSITION || from->kind != NODE_PLACE || to->kind != NODE_PLACE)
      return fail_at(r, move->line, move->column, "a transfer goes from place to place",
                     "a transfer at '%s' of the wrong kind", t->id);
    vec_push(&flat->moves, (struct FlatMove){t->number, from->number,
                                             move->to ? to->number : NET_NOWHERE});
  }
  return true;
}

static int compare_moves(const void *a, const void *b) {
  const struct FlatMove *x = a, *y = b;
  if (x->transition != y->transition) return x->transition < y->transition ? -1 : 1;
  return x->from < y->from ? -1 : x->from > y->from;
}

static bool build_transitions(Reader *r, FlatNet *flat) {
  uint32_t a = 0, m = 0;
  if (flat->arcs.len) qsort(flat->arcs.data, flat->arcs.len, sizeof(Flat), compare_flat);
  if (flat->moves.len)
    qsort(flat->moves.data, flat->moves.len, sizeof(struct FlatMove), compare_moves);
  for (uint32_t i = 0; i < r->nodes.len; i++) {
    const Node *node = &r->nodes.data[i];
    if (node->kind != NODE_TRANSITION) continue;
    net_begin_transition(r->net, node->name && *node->name ? node->name : node->id,
                         (uint32_t)node->line);
    for (; a < flat->arcs.len && flat->arcs.data[a].transition == node->number; a++)
      (flat->arcs.data[a].post ? net_add_post : net_add_pre)(
          r->net, flat->arcs.data[a].place, flat->arcs.data[a].weight);
    for (; m < flat->moves.len && flat->moves.data[m].transition == node->number; m++) {
      struct FlatMove x = flat->moves.data[m];
      if (m > 0 && flat->moves.data[m - 1].transition == x.transition &&
          flat->moves.data[m - 1].from == x.from)
        return fail_at(r, node->line, 1, "transfer each place once",
                       "'%s' transfers a place twice", node->id);
      net_add_transfer(r->net, x.from, x.to);
    }
    if (!net_end_transition(r->net))
      return fail_at(r, node->line, 1, "numbers go up to 2147483647",
                     "a weight at '%s' is too large", node->id);
  }
  return true;
}

static bool build_goals(Reader *r) {
  Marking tokens = {0};
  bool ok = true, open = false;
  for (uint32_t i = 0; ok && i < r->goals.len; i++) {
    const Goal *goal = &r->goals.data[i];
    const Node *node = resolve(r, goal->place, goal->line, goal->column);
    ok = node &&
         (node->kind == NODE_PLACE || fail_at(r, goal->line, goal->column, "name a place",
                                              "'%s' is no place", node->id));
    if (!ok) break;
    if (goal->count == NET_OMEGA) {
      r->net->initial.data[node->number] = NET_OMEGA;
      continue;
    }
    if (goal->first && open) {
      net_add_target(r->net, tokens.data, tokens.len, NULL);
      vec_clear(&tokens);
    }
    open = true;
    vec_push(&tokens, (Tokens){node->number, goal->count});
  }
  if (ok && open) net_add_target(r->net, tokens.data, tokens.len, NULL);
  for (uint32_t i = 0; ok && i < r->empty_targets; i++)
    net_add_target(r->net, NULL, 0, NULL);
  vec_free(&tokens);
  return ok;
}

#pragma GCC diagnostic pop

static bool read_events(Reader *r) {
  bool pnml = false;
  while (xml_next(&r->xml)) {
    bool ok = true;
    if (r->xml.kind == XML_OPEN) {
      if (!pnml && !xml_is(&r->xml, "pnml"))
        return xml_fail(&r->xml, "PNML begins with <pnml>", "this is no PNML");
      pnml = true;
      ok = open_element(r);
    } else if (r->xml.kind == XML_CLOSE) {
      ok = close_element(r);
    } else if (!r->skip) {
      str_add_bytes(&r->text, r->xml.text.data, r->xml.text.len);
    }
    if (!ok) return false;
  }
  return !r->xml.failed &&
         (pnml || xml_fail(&r->xml, "PNML begins with <pnml>", "this is no PNML"));
}

static void free_reader(Reader *r) {
  for (uint32_t i = 0; i < r->nodes.len; i++) {
    mem_free(r->nodes.data[i].id);
    mem_free(r->nodes.data[i].name);
    mem_free(r->nodes.data[i].reference);
  }
  for (uint32_t i = 0; i < r->arcs.len; i++)
    mem_free(r->arcs.data[i].source), mem_free(r->arcs.data[i].target);
  for (uint32_t i = 0; i < r->moves.len; i++) {
    mem_free(r->moves.data[i].transition);
    mem_free(r->moves.data[i].from);
    mem_free(r->moves.data[i].to);
  }
  for (uint32_t i = 0; i < r->goals.len; i++) mem_free(r->goals.data[i].place);
  vec_free(&r->nodes), vec_free(&r->arcs), vec_free(&r->moves), vec_free(&r->goals);
  strmap_free(&r->ids);
  str_free(&r->text);
  xml_free(&r->xml);
}

bool read_pnml(Net *net, const char *text, size_t length, Err *err) {
  Reader r = {.net = net};
  FlatNet flat = {0};
  xml_start(&r.xml, net->file, text, length, err);
  bool ok = read_events(&r);
  if (ok) build_nodes(&r);
  ok = ok && flatten_arcs(&r, &flat) && flatten_moves(&r, &flat) &&
       build_transitions(&r, &flat) && build_goals(&r);
  vec_free(&flat.arcs), vec_free(&flat.moves);
  free_reader(&r);
  return ok;
}
