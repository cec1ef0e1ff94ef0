/* A context as text and as a drawing. Locations are numbered within their kind, in Roman numerals as
 * in the paper's figures. A label is told by the groups that it depends on: value by value if
 * they are independent, otherwise as alternatives; when these are many, by their number. */
#include "engine/circ/context_internal.h"

enum { MOST_ALTERNATIVES = 6 };

typedef struct {
  const ContextAnswer *answer;
  const ContextNames *names;
  Str *out;
} Teller;

/* ---- names --------------------------------------------------------------------------- */

static void tell_kind(const Teller *t, uint32_t kind) {
  if (t->names && t->names->kind)
    t->names->kind(t->names->data, kind, t->out);
  else
    str_addf(t->out, "kind %u", kind);
}

static void tell_group(const Teller *t, uint32_t index) {
  uint32_t group = t->answer->space.groups.data[index];
  if (t->names && t->names->group)
    t->names->group(t->names->data, group, t->out);
  else
    str_addf(t->out, "g%u", group);
}

static void tell_value(const Teller *t, uint32_t index, uint32_t value) {
  uint32_t group = t->answer->space.groups.data[index];
  if (t->names && t->names->value)
    t->names->value(t->names->data, group, value, t->out);
  else
    str_addf(t->out, "%u", value);
}

static void tell_local(const Teller *t, uint32_t local) {
  if (t->names && t->names->local)
    t->names->local(t->names->data, local, t->out);
  else
    str_addf(t->out, "l%u", local);
}

static void tell_roman(Str *out, uint32_t number) {
  static const struct {
    uint32_t value;
    const char *digits;
  } rows[] = {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"},
              {90, "XC"},  {50, "L"},   {40, "XL"}, {10, "X"},   {9, "IX"},
              {5, "V"},    {4, "IV"},   {1, "I"}};
  for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (; number >= rows[i].value; number -= rows[i].value) str_add(out, rows[i].digits);
}

static void tell_location(const Teller *t, uint32_t number) {
  const Acfa *a = &t->answer->acfa;
  uint32_t place = 1;
  for (uint32_t i = 0; i < number; i++)
    place += a->locations.data[i].kind == a->locations.data[number].kind;
  tell_roman(t->out, place);
  if (a->locations.data[number].atomic) str_add_char(t->out, '*');
}

/* ---- labels -------------------------------------------------------------------------- */

/* Values of group `index` that occur, as bits of a set by value. */
static bool occurs(const ContextSpace *x, const uint64_t *label, uint32_t index,
                   uint32_t value) {
  for (uint32_t s = 0; s < x->count; s++)
    if (set_has(label, s) && space_value(x, s, index) == value) return true;
  return false;
}

/* Does membership depend on this group? */
static bool depends(const ContextSpace *x, const uint64_t *label, uint32_t index) {
  for (uint32_t s = 0; s < x->count; s++) {
    uint32_t value = space_value(x, s, index);
    if (value && set_has(label, s) != set_has(label, s - value * x->strides.data[index]))
      return true;
  }
  return false;
}

static bool is_product(const ContextSpace *x, const uint64_t *label) {
  for (uint32_t s = 0; s < x->count; s++) {
    bool all = true;
    for (uint32_t i = 0; i < x->groups.len && all; i++)
      all = occurs(x, label, i, space_value(x, s, i));
    if (all != set_has(label, s)) return false;
  }
  return true;
}

static void tell_product(const Teller *t, const uint64_t *label) {
  const ContextSpace *x = &t->answer->space;
  const char *between = "";
  for (uint32_t i = 0; i < x->groups.len; i++) {
    if (!depends(x, label, i)) continue;
    const char *or = "";
    str_add(t->out, between);
    tell_group(t, i);
    str_add(t->out, " = ");
    for (uint32_t value = 0; value < x->sizes.data[i]; value++) {
      if (!occurs(x, label, i, value)) continue;
      str_add(t->out, or);
      tell_value(t, i, value);
      or = " or ";
    }
    between = ", ";
  }
}

/* Is s the first of the shared states that differ in groups that do not matter? */
static bool is_first(const ContextSpace *x, const bool *matters, uint32_t s) {
  for (uint32_t i = 0; i < x->groups.len; i++)
    if (!matters[i] && space_value(x, s, i)) return false;
  return true;
}

static void tell_alternatives(const Teller *t, const uint64_t *label,
                              const bool *matters) {
  const ContextSpace *x = &t->answer->space;
  uint32_t count = 0, told = 0;
  for (uint32_t s = 0; s < x->count; s++)
    count += set_has(label, s) && is_first(x, matters, s);
  if (count > MOST_ALTERNATIVES) {
    str_addf(t->out, "one of %u combinations of", count);
    for (uint32_t i = 0; i < x->groups.len; i++) {
      if (!matters[i]) continue;
      str_add_char(t->out, ' ');
      tell_group(t, i);
    }
    return;
  }
  for (uint32_t s = 0; s < x->count; s++) {
    const char *between = "";
    if (!set_has(label, s) || !is_first(x, matters, s)) continue;
    if (told++) str_add(t->out, "; or ");
    for (uint32_t i = 0; i < x->groups.len; i++) {
      if (!matters[i]) continue;
      str_add(t->out, between);
      tell_group(t, i);
      str_add(t->out, " = ");
      tell_value(t, i, space_value(x, s, i));
      between = ", ";
    }
  }
}

static void tell_label(const Teller *t, const uint64_t *label) {
  const ContextSpace *x = &t->answer->space;
  bool matters[32], any = false;
  for (uint32_t i = 0; i < x->groups.len; i++) {
    matters[i] = depends(x, label, i);
    any = any || matters[i];
  }
  if (!any)
    str_add(t->out, set_has(label, 0) ? "true" : "false");
  else if (is_product(x, label))
    tell_product(t, label);
  else
    tell_alternatives(t, label, matters);
}

/* ---- edges --------------------------------------------------------------------------- */

/* "changes state, starts l3"; nothing for a silent edge. */
static void tell_effect(const Teller *t, const AcfaEdge *e) {
  const Acfa *a = &t->answer->acfa;
  const char *word = "changes ";
  for (uint32_t i = 0; i < t->answer->space.groups.len; i++) {
    if (!(e->havoc >> i & 1)) continue;
    str_add(t->out, word);
    tell_group(t, i);
    word = ", ";
  }
  uint32_t len;
  const uint32_t *spawns = numbers_row(&a->spawns, e->spawns, &len);
  word = e->havoc ? "; starts " : "starts ";
  for (uint32_t i = 0; i < len; i++) {
    str_add(t->out, word);
    tell_local(t, spawns[i]);
    word = ", ";
  }
}

static bool is_first_of_kind(const Acfa *a, uint32_t number) {
  for (uint32_t i = 0; i < number; i++)
    if (a->locations.data[i].kind == a->locations.data[number].kind) return false;
  return true;
}

static bool is_start(const Acfa *a, uint32_t number) {
  for (uint32_t i = 0; i < a->starts.len; i++)
    if (a->starts.data[i] == number) return true;
  return false;
}

static void print_location(const Teller *t, uint32_t number) {
  const Acfa *a = &t->answer->acfa;
  const AcfaLocation *l = &a->locations.data[number];
  str_add(t->out, "  ");
  tell_location(t, number);
  str_add(t->out, is_start(a, number) ? " (start): " : ": ");
  tell_label(t, l->label);
  str_add(t->out, " [");
  const char *between = "";
  for (uint32_t i = 0; i < l->local_count; i++) {
    uint32_t local = a->locals.data[l->first_local + i];
    if (local >= t->answer->locals) continue;
    str_add(t->out, between);
    tell_local(t, local);
    between = " ";
  }
  str_add(t->out, *between ? "]\n" : "within a step]\n");
  for (uint32_t i = 0; i < a->edges.len; i++) {
    const AcfaEdge *e = &a->edges.data[i];
    if (e->from != number) continue;
    str_add(t->out, "    -> ");
    if (e->to == TTS_NONE)
      str_add(t->out, "end");
    else
      tell_location(t, e->to);
    if (e->havoc || e->spawns) str_add(t->out, ": ");
    tell_effect(t, e);
    str_add_char(t->out, '\n');
  }
}

void context_print(const ContextAnswer *answer, const ContextNames *names, Str *out) {
  Teller t = {answer, names, out};
  const Acfa *a = &answer->acfa;
  for (uint32_t i = 0; i < a->locations.len; i++) {
    if (!is_first_of_kind(a, i)) continue;
    tell_kind(&t, a->locations.data[i].kind);
    str_add(out, ":\n");
    for (uint32_t k = i; k < a->locations.len; k++)
      if (a->locations.data[k].kind == a->locations.data[i].kind) print_location(&t, k);
  }
}

void context_print_label(const ContextAnswer *answer, const ContextNames *names,
                         uint32_t location, Str *out) {
  Teller t = {answer, names, out};
  tell_label(&t, answer->acfa.locations.data[location].label);
}

/* ---- drawing ------------------------------------------------------------------------- */

/* What was told since `start` becomes the inside of a quoted string. */
static void escape_from(Str *out, size_t start) {
  char *text = str_dup(out->len > start ? out->data + start : "");
  out->len = start;
  for (const char *c = text; *c; c++) {
    if (*c == '"' || *c == '\\') str_add_char(out, '\\');
    str_add_char(out, (unsigned char)*c < 0x20 ? ' ' : *c);
  }
  mem_free(text);
}

static void draw_location(const Teller *t, uint32_t number) {
  const Acfa *a = &t->answer->acfa;
  const AcfaLocation *l = &a->locations.data[number];
  str_addf(t->out, "    n%u [label=\"", number);
  tell_location(t, number);
  str_add(t->out, "\\n");
  size_t start = t->out->len;
  tell_label(t, l->label);
  escape_from(t->out, start);
  str_addf(t->out, "\"%s%s];\n", is_start(a, number) ? ", penwidth=2" : "",
           l->atomic ? ", style=filled, fillcolor=lightgrey" : "");
}

static void draw_edge(const Teller *t, uint32_t number) {
  const AcfaEdge *e = &t->answer->acfa.edges.data[number];
  if (e->to == TTS_NONE)
    str_addf(t->out, "  e%u [shape=point];\n  n%u -> e%u [label=\"", number, e->from,
             number);
  else
    str_addf(t->out, "  n%u -> n%u [label=\"", e->from, e->to);
  size_t start = t->out->len;
  tell_effect(t, e);
  escape_from(t->out, start);
  str_add(t->out, "\"];\n");
}

void context_dot(const ContextAnswer *answer, const ContextNames *names, Str *out) {
  Teller t = {answer, names, out};
  const Acfa *a = &answer->acfa;
  str_add(out, "digraph context {\n  node [shape=box, fontname=\"sans\"];\n"
               "  edge [fontname=\"sans\"];\n");
  for (uint32_t i = 0; i < a->locations.len; i++) {
    if (!is_first_of_kind(a, i)) continue;
    str_addf(out, "  subgraph cluster_%u {\n    label=\"", a->locations.data[i].kind);
    size_t start = out->len;
    tell_kind(&t, a->locations.data[i].kind);
    escape_from(out, start);
    str_add(out, "\";\n");
    for (uint32_t k = i; k < a->locations.len; k++)
      if (a->locations.data[k].kind == a->locations.data[i].kind) draw_location(&t, k);
    str_add(out, "  }\n");
  }
  for (uint32_t i = 0; i < a->edges.len; i++) draw_edge(&t, i);
  str_add(out, "}\n");
}
