/* Nets as PNML. See write.h and read_pnml.c. */
#include "net/write.h"

#include "base/str.h"

static void put_text(const char *text, Outfile *out) {
  for (; *text; text++) {
    if (*text == '<')
      outfile_print(out, "&lt;");
    else if (*text == '>')
      outfile_print(out, "&gt;");
    else if (*text == '&')
      outfile_print(out, "&amp;");
    else if (*text == '"')
      outfile_print(out, "&quot;");
    else
      outfile_write(out, text, 1);
  }
}

static void put_name(const char *name, Outfile *out) {
  outfile_print(out, "<name><text>");
  put_text(name, out);
  outfile_print(out, "</text></name>");
}

static void put_arc(uint32_t *arcs, const char *from, uint32_t a, const char *to,
                    uint32_t b, uint32_t weight, Outfile *out) {
  outfile_printf(out, "      <arc id=\"a%u\" source=\"%s%u\" target=\"%s%u\">", (*arcs)++,
                 from, a, to, b);
  if (weight != 1)
    outfile_printf(out, "<inscription><text>%u</text></inscription>", weight);
  outfile_print(out, "</arc>\n");
}

static void put_places(const Net *net, Outfile *out) {
  for (uint32_t p = 0; p < net->place_names.len; p++) {
    uint32_t initial = net->initial.data[p];
    outfile_printf(out, "      <place id=\"p%u\">", p);
    put_name(net->place_names.data[p], out);
    if (initial > 0 && initial != NET_OMEGA)
      outfile_printf(out, "<initialMarking><text>%u</text></initialMarking>", initial);
    outfile_print(out, "</place>\n");
  }
}

static void put_transitions(const Net *net, Outfile *out) {
  Str name = {0};
  uint32_t arcs = 0;
  for (uint32_t t = 0; t < net->transitions.len; t++) {
    MarkingView pre = net_pre(net, t), post = net_post(net, t);
    str_clear(&name);
    net_transition_name(net, t, &name);
    outfile_printf(out, "      <transition id=\"t%u\">", t);
    put_name(str_text(&name), out);
    outfile_print(out, "</transition>\n");
    for (uint32_t i = 0; i < pre.len; i++)
      put_arc(&arcs, "p", pre.at[i].place, "t", t, pre.at[i].count, out);
    for (uint32_t i = 0; i < post.len; i++)
      put_arc(&arcs, "t", t, "p", post.at[i].place, post.at[i].count, out);
  }
  str_free(&name);
}

static void put_own(const Net *net, Outfile *out) {
  outfile_print(out, "    <toolspecific tool=\"heddle\" version=\"1\">\n");
  for (uint32_t p = 0; p < net->place_names.len; p++)
    if (net->initial.data[p] == NET_OMEGA)
      outfile_printf(out, "      <any place=\"p%u\"/>\n", p);
  for (uint32_t t = 0; t < net->transitions.len; t++)
    for (uint32_t i = 0; i < net->transitions.data[t].transfer_len; i++) {
      Transfer move = net->transfers.data[net->transitions.data[t].transfer + i];
      outfile_printf(out, "      <transfer transition=\"t%u\" from=\"p%u\"", t,
                     move.from);
      if (move.to != NET_NOWHERE) outfile_printf(out, " to=\"p%u\"", move.to);
      outfile_print(out, "/>\n");
    }
  for (uint32_t i = 0; i < net->targets.len; i++) {
    MarkingView target = net_target(net, i);
    outfile_print(out, "      <target>");
    for (uint32_t k = 0; k < target.len; k++)
      outfile_printf(out, "<tokens place=\"p%u\" count=\"%u\"/>", target.at[k].place,
                     target.at[k].count);
    outfile_print(out, "</target>\n");
  }
  outfile_print(out, "    </toolspecific>\n");
}

void net_write_pnml(const Net *net, Outfile *out) {
  outfile_print(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n"
                     "  <net id=\"net\" "
                     "type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n");
  put_own(net, out);
  outfile_print(out, "    <page id=\"page\">\n");
  put_places(net, out);
  put_transitions(net, out);
  outfile_print(out, "    </page>\n  </net>\n</pnml>\n");
}
