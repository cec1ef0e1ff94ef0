/* Nets as mist .spec, LoLA and Graphviz text. See write.h. */
#include "net/write.h"

#include "base/mem.h"
#include "base/str.h"

#include <string.h>

/* ---- names ------------------------------------------------------------------------ */

static bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         c == '_';
}

static bool is_reserved(const char *name) {
  static const char *const words[] = {
      "vars",    "rules",      "init",    "target",  "invariants", "true",     "in",
      "PLACE",   "MARKING",    "SAFE",    "STRONG",  "WEAK",       "FAIR",     "CONSUME",
      "PRODUCE", "TRANSITION", "FORMULA", "ANALYSE", "ANY",        "TRANSFER", "RESET",
      "AND",     "OR",         "NOT",     "and",     "or",         "not",      "EF"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (str_eq(words[i], name)) return true;
  return false;
}

/* Names of letters, digits and underscores, different for different places. */
typedef struct {
  VEC(char *) names;
  StrMap used;
} Names;

static void add_name(Names *names, const char *from) {
  Str text = {0};
  if (!*from || (*from >= '0' && *from <= '9')) str_add_char(&text, '_');
  for (; *from; from++) str_add_char(&text, is_plain(*from) ? *from : '_');
  size_t stem = text.len;
  for (int n = 2; is_reserved(str_text(&text)) ||
                  strmap_get(&names->used, str_text(&text), text.len);
       n++) {
    text.len = stem;
    str_addf(&text, "_%d", n);
  }
  strmap_put(&names->used, str_text(&text), 1);
  vec_push(&names->names, str_take(&text));
}

static void free_names(Names *names) {
  for (uint32_t i = 0; i < names->names.len; i++) mem_free(names->names.data[i]);
  vec_free(&names->names);
  strmap_free(&names->used);
}

static void place_names(const Net *net, Names *names) {
  for (uint32_t p = 0; p < net->place_names.len; p++)
    add_name(names, net->place_names.data[p]);
}

/* ---- mist ------------------------------------------------------------------------- */

/* Where the tokens of a place go when t fires. */
static uint32_t destination(const Net *net, uint32_t t, uint32_t place) {
  const NetTransition *x = &net->transitions.data[t];
  for (uint32_t i = 0; i < x->transfer_len; i++)
    if (net->transfers.data[x->transfer + i].from == place)
      return net->transfers.data[x->transfer + i].to;
  return place;
}

/* The constant in the update of a place: post, less what the guard of each place that
 * flows into it brings along anyway. */
static long long constant_of(const Net *net, uint32_t t, uint32_t place) {
  MarkingView pre = net_pre(net, t), post = net_post(net, t);
  long long constant = 0;
  for (uint32_t i = 0; i < post.len; i++)
    if (post.at[i].place == place) constant += post.at[i].count;
  for (uint32_t i = 0; i < pre.len; i++)
    if (destination(net, t, pre.at[i].place) == place) constant -= pre.at[i].count;
  return constant;
}

static void touched_places(const Net *net, uint32_t t, Marking *out) {
  const NetTransition *x = &net->transitions.data[t];
  MarkingView pre = net_pre(net, t), post = net_post(net, t);
  vec_clear(out);
  for (uint32_t i = 0; i < pre.len; i++) vec_push(out, (Tokens){pre.at[i].place, 1});
  for (uint32_t i = 0; i < post.len; i++) vec_push(out, (Tokens){post.at[i].place, 1});
  for (uint32_t i = 0; i < x->transfer_len; i++) {
    Transfer move = net->transfers.data[x->transfer + i];
    vec_push(out, (Tokens){move.from, 1});
    if (move.to != NET_NOWHERE) vec_push(out, (Tokens){move.to, 1});
  }
  net_tidy(out->data, &out->len);
}

static void put_update(const Net *net, uint32_t t, uint32_t place, char **names,
                       Str *text) {
  const NetTransition *x = &net->transitions.data[t];
  long long constant = constant_of(net, t, place);
  bool moves = destination(net, t, place) != place, sum = false;
  for (uint32_t i = 0; i < x->transfer_len; i++)
    moves = moves || net->transfers.data[x->transfer + i].to == place;
  if (!moves && constant == 0) return;
  str_addf(text, "%s%s' =", text->len ? ",\n    " : "    ", names[place]);
  if (destination(net, t, place) == place) {
    str_addf(text, " %s", names[place]);
    sum = true;
  }
  for (uint32_t i = 0; i < x->transfer_len; i++)
    if (net->transfers.data[x->transfer + i].to == place) {
      str_addf(text, "%s %s", sum ? " +" : "",
               names[net->transfers.data[x->transfer + i].from]);
      sum = true;
    }
  if (!sum)
    str_addf(text, " %lld", constant);
  else if (constant != 0)
    str_addf(text, " %c %lld", constant < 0 ? '-' : '+',
             constant < 0 ? -constant : constant);
}

static void put_rule(const Net *net, uint32_t t, char **names, Outfile *out) {
  MarkingView pre = net_pre(net, t);
  Marking places = {0};
  Str updates = {0};
  for (uint32_t i = 0; i < pre.len; i++)
    outfile_printf(out, "%s%s >= %u", i ? ", " : "  ", names[pre.at[i].place],
                   pre.at[i].count);
  outfile_print(out, pre.len ? " ->\n" : "  true ->\n");
  touched_places(net, t, &places);
  for (uint32_t i = 0; i < places.len; i++)
    put_update(net, t, places.data[i].place, names, &updates);
  outfile_printf(out, "%s;\n", str_text(&updates));
  vec_free(&places);
  str_free(&updates);
}

void net_write_mist(const Net *net, Outfile *out) {
  Names names = {0};
  place_names(net, &names);
  outfile_print(out, "vars\n");
  for (uint32_t p = 0; p < names.names.len; p++)
    outfile_printf(out, "  %s\n", names.names.data[p]);
  outfile_print(out, "\nrules\n");
  for (uint32_t t = 0; t < net->transitions.len; t++) {
    if (net->transitions.data[t].name)
      outfile_printf(out, "  # %s\n", net->transitions.data[t].name);
    put_rule(net, t, names.names.data, out);
  }
  outfile_print(out, "\ninit\n");
  for (uint32_t p = 0; p < names.names.len; p++) {
    uint32_t initial = net->initial.data[p];
    outfile_printf(out, "%s%s %s %u", p ? ", " : "  ", names.names.data[p],
                   initial == NET_OMEGA ? ">=" : "=", initial == NET_OMEGA ? 0 : initial);
  }
  outfile_print(out, "\n\ntarget\n");
  for (uint32_t i = 0; i < net->targets.len; i++) {
    MarkingView target = net_target(net, i);
    for (uint32_t k = 0; k < target.len; k++)
      outfile_printf(out, "%s%s >= %u", k ? ", " : "  ",
                     names.names.data[target.at[k].place], target.at[k].count);
    /* What is always covered must say so of some place. */
    if (target.len == 0 && names.names.len > 0)
      outfile_printf(out, "  %s >= 0", names.names.data[0]);
    outfile_print(out, "\n");
  }
  free_names(&names);
}

/* ---- LoLA ------------------------------------------------------------------------- */

static void put_list(const char *word, MarkingView m, char **names, Outfile *out) {
  outfile_printf(out, "  %s", word);
  for (uint32_t i = 0; i < m.len; i++)
    outfile_printf(out, "%s %s: %u", i ? "," : "", names[m.at[i].place], m.at[i].count);
  outfile_print(out, ";\n");
}

static void put_transition(const Net *net, uint32_t t, const char *name, char **names,
                           Outfile *out) {
  const NetTransition *x = &net->transitions.data[t];
  outfile_printf(out, "TRANSITION %s\n", name);
  put_list("CONSUME", net_pre(net, t), names, out);
  put_list("PRODUCE", net_post(net, t), names, out);
  for (uint32_t i = 0; i < x->transfer_len; i++) {
    Transfer move = net->transfers.data[x->transfer + i];
    if (move.to == NET_NOWHERE)
      outfile_printf(out, "  RESET %s;\n", names[move.from]);
    else
      outfile_printf(out, "  TRANSFER %s: %s;\n", names[move.from], names[move.to]);
  }
}

static void put_marking(const Net *net, char **names, Outfile *out) {
  bool any = false;
  outfile_print(out, "MARKING");
  for (uint32_t p = 0; p < net->place_names.len; p++) {
    uint32_t initial = net->initial.data[p];
    if (initial == 0) continue;
    outfile_printf(out, "%s %s: ", any ? "," : "", names[p]);
    if (initial == NET_OMEGA)
      outfile_print(out, "ANY");
    else
      outfile_printf(out, "%u", initial);
    any = true;
  }
  outfile_print(out, ";\n\n");
}

void net_write_lola(const Net *net, Outfile *out) {
  Names places = {0}, transitions = {0};
  Str name = {0};
  place_names(net, &places);
  outfile_print(out, "PLACE");
  for (uint32_t p = 0; p < places.names.len; p++)
    outfile_printf(out, "%s %s", p ? "," : "", places.names.data[p]);
  outfile_print(out, ";\n\n");
  put_marking(net, places.names.data, out);
  for (uint32_t t = 0; t < net->transitions.len; t++) {
    str_clear(&name);
    net_transition_name(net, t, &name);
    add_name(&transitions, str_text(&name));
    put_transition(net, t, *vec_last(&transitions.names), places.names.data, out);
  }
  if (net->targets.len) outfile_print(out, "\nFORMULA EF (");
  for (uint32_t i = 0; i < net->targets.len; i++) {
    MarkingView target = net_target(net, i);
    outfile_print(out, i ? " OR (" : "(");
    for (uint32_t k = 0; k < target.len; k++)
      outfile_printf(out, "%s%s >= %u", k ? " AND " : "",
                     places.names.data[target.at[k].place], target.at[k].count);
    if (target.len == 0 && places.names.len > 0)
      outfile_printf(out, "%s >= 0", places.names.data[0]);
    outfile_print(out, ")");
  }
  if (net->targets.len) outfile_print(out, ")\n");
  free_names(&places);
  free_names(&transitions);
  str_free(&name);
}

/* ---- Graphviz --------------------------------------------------------------------- */

static void put_label(const char *text, Outfile *out) {
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') outfile_write(out, "\\", 1);
    outfile_write(out, text, 1);
  }
}

static void put_weight(uint32_t count, Outfile *out) {
  if (count > 1) outfile_printf(out, " [label=\"%u\"]", count);
  outfile_print(out, ";\n");
}

void net_write_dot(const Net *net, Outfile *out) {
  Str name = {0};
  outfile_print(out, "digraph net {\n  node [fontsize=10];\n");
  for (uint32_t p = 0; p < net->place_names.len; p++) {
    uint32_t initial = net->initial.data[p];
    outfile_printf(out, "  p%u [shape=circle, label=\"", p);
    put_label(net->place_names.data[p], out);
    if (initial == NET_OMEGA)
      outfile_print(out, "\\nany");
    else if (initial)
      outfile_printf(out, "\\n%u", initial);
    outfile_print(out, "\"];\n");
  }
  for (uint32_t t = 0; t < net->transitions.len; t++) {
    const NetTransition *x = &net->transitions.data[t];
    MarkingView pre = net_pre(net, t), post = net_post(net, t);
    str_clear(&name);
    net_transition_name(net, t, &name);
    outfile_printf(out, "  t%u [shape=box, label=\"", t);
    put_label(str_text(&name), out);
    outfile_print(out, "\"];\n");
    for (uint32_t i = 0; i < pre.len; i++) {
      outfile_printf(out, "  p%u -> t%u", pre.at[i].place, t);
      put_weight(pre.at[i].count, out);
    }
    for (uint32_t i = 0; i < post.len; i++) {
      outfile_printf(out, "  t%u -> p%u", t, post.at[i].place);
      put_weight(post.at[i].count, out);
    }
    for (uint32_t i = 0; i < x->transfer_len; i++) {
      Transfer move = net->transfers.data[x->transfer + i];
      outfile_printf(out, "  p%u -> t%u [style=dashed, label=\"all\"];\n", move.from, t);
      if (move.to != NET_NOWHERE)
        outfile_printf(out, "  t%u -> p%u [style=dashed, label=\"all\"];\n", t, move.to);
    }
  }
  for (uint32_t i = 0; i < net->targets.len; i++) {
    Str text = {0};
    net_marking_text(net, net_target(net, i), &text);
    outfile_printf(out, "  goal%u [shape=note, label=\"target: ", i);
    put_label(str_text(&text), out);
    outfile_print(out, "\"];\n");
    str_free(&text);
  }
  outfile_print(out, "}\n");
  str_free(&name);
}
