/* See evidence.h. The text form: one item per line, a word first.
 *
 *   heddle net certificate 1
 *   place INITIAL NAME            INITIAL is a number or `any`
 *   fire PLACE:N … -> PLACE:N … [transfer FROM>TO …]  # NAME
 *   target PLACE:N …
 *   unsafe TARGET                 then  start PLACE:N …  and  run T T …
 *   safe                          then  fuse P …, siphon P …, trap P …,
 *                                       invariant PLACE:N … [with TRAP:N …] [after I],
 *                                       basis PLACE:N …,
 *                                 or    loose P … and cover PLACE:N …, where N may be
 *                                       `any`
 *   end
 *
 * Places, transitions, targets, traps and invariants are numbered from 0 in the order of
 * their lines. An empty TO of a transfer is a reset. */
#include "net/evidence.h"

#include "base/mem.h"
#include "net/read.h"

#include <inttypes.h>
#include <string.h>

void evidence_free(NetEvidence *e) {
  vec_free(&e->start), vec_free(&e->firings), vec_free(&e->fused), vec_free(&e->siphon);
  vec_free(&e->traps.items), vec_free(&e->traps.ends);
  vec_free(&e->invariants.items), vec_free(&e->invariants.ends);
  vec_free(&e->uses.items), vec_free(&e->uses.ends), vec_free(&e->after);
  vec_free(&e->basis.items), vec_free(&e->basis.ends);
  vec_free(&e->loose), vec_free(&e->cover.items), vec_free(&e->cover.ends);
}

/* ---- writing ---------------------------------------------------------------------- */

static void put_view(Str *out, MarkingView m) {
  for (uint32_t i = 0; i < m.len; i++)
    if (m.at[i].count == NET_OMEGA)
      str_addf(out, " %u:any", m.at[i].place);
    else
      str_addf(out, " %u:%u", m.at[i].place, m.at[i].count);
}

static void put_rows(Str *out, const char *word, const TokenRows *rows) {
  for (uint32_t i = 0; i < rows->ends.len; i++) {
    str_add(out, word);
    put_view(out, token_row(rows, i));
    str_add(out, "\n");
  }
}

static void put_net(const Net *net, Str *out) {
  for (uint32_t p = 0; p < net->place_names.len; p++) {
    uint32_t initial = net->initial.data[p];
    if (initial == NET_OMEGA)
      str_addf(out, "place any %s\n", net->place_names.data[p]);
    else
      str_addf(out, "place %u %s\n", initial, net->place_names.data[p]);
  }
  for (uint32_t t = 0; t < net->transitions.len; t++) {
    const NetTransition *x = &net->transitions.data[t];
    str_add(out, "fire");
    put_view(out, net_pre(net, t));
    str_add(out, " ->");
    put_view(out, net_post(net, t));
    if (x->transfer_len) str_add(out, " transfer");
    for (uint32_t i = 0; i < x->transfer_len; i++) {
      Transfer move = net->transfers.data[x->transfer + i];
      str_addf(out, " %u>", move.from);
      if (move.to != NET_NOWHERE) str_addf(out, "%u", move.to);
    }
    if (x->name) str_addf(out, " # %s", x->name);
    str_add(out, "\n");
  }
  for (uint32_t i = 0; i < net->targets.len; i++) {
    str_add(out, "target");
    put_view(out, net_target(net, i));
    str_add(out, "\n");
  }
}

static void put_run(const NetEvidence *e, Str *out) {
  str_addf(out, "unsafe %u\nstart", e->target);
  put_view(out, (MarkingView){e->start.data, e->start.len});
  str_add(out, "\nrun");
  for (uint32_t i = 0; i < e->firings.len; i++) str_addf(out, " %u", e->firings.data[i]);
  str_add(out, "\n");
}

static void put_places(Str *out, const char *word, const Numbers *places) {
  if (places->len == 0) return;
  str_add(out, word);
  for (uint32_t i = 0; i < places->len; i++) str_addf(out, " %u", places->data[i]);
  str_add(out, "\n");
}

static void put_proof(const NetEvidence *e, Str *out) {
  str_add(out, "safe\n");
  put_places(out, "fuse", &e->fused);
  put_places(out, "siphon", &e->siphon);
  for (uint32_t i = 0, k = 0; i < e->traps.ends.len; i++) {
    str_add(out, "trap");
    for (; k < e->traps.ends.data[i]; k++) str_addf(out, " %u", e->traps.items.data[k]);
    str_add(out, "\n");
  }
  for (uint32_t i = 0; i < e->invariants.ends.len; i++) {
    MarkingView uses = token_row(&e->uses, i);
    str_add(out, "invariant");
    put_view(out, token_row(&e->invariants, i));
    if (uses.len) str_add(out, " with");
    put_view(out, uses);
    if (e->after.data[i] != NET_NONE) str_addf(out, " after %u", e->after.data[i]);
    str_add(out, "\n");
  }
  put_rows(out, "basis", &e->basis);
  put_places(out, "loose", &e->loose);
  put_rows(out, "cover", &e->cover);
}

void evidence_print(const Net *net, const NetEvidence *evidence, Str *out) {
  str_add(out, "heddle net certificate 1\n");
  put_net(net, out);
  if (evidence->unsafe)
    put_run(evidence, out);
  else
    put_proof(evidence, out);
  str_add(out, "end\n");
}

void evidence_write(const Net *net, const NetEvidence *evidence, Outfile *out) {
  Str text = {0};
  evidence_print(net, evidence, &text);
  outfile_write(out, str_text(&text), text.len);
  str_free(&text);
}

/* ---- reading ---------------------------------------------------------------------- */

typedef struct {
  const char *file;
  const char *at, *end; /* the rest of the text */
  const char *stop;     /* the end of the line */
  const char *line_start;
  int line;
  Err *err;
  Net *net;
  NetEvidence *e;
} Reader;

static bool fail(Reader *r, const char *message) {
  return err_set(r->err, ERR_INPUT, r->file, r->line, (int)(r->at - r->line_start) + 1,
                 "give a file written by heddle net --certificate", "%s", message);
}

static void skip_spaces(Reader *r) {
  while (r->at < r->stop && *r->at == ' ') r->at++;
}

static bool at_line_end(Reader *r) {
  skip_spaces(r);
  return r->at == r->stop || *r->at == '#';
}

static bool skip_text(Reader *r, const char *text) {
  size_t length = strlen(text);
  skip_spaces(r);
  if ((size_t)(r->stop - r->at) < length || memcmp(r->at, text, length)) return false;
  if (r->at + length < r->stop && r->at[length] != ' ') return false;
  r->at += length;
  return true;
}

static bool read_number(Reader *r, uint32_t *ret) {
  uint64_t value = 0;
  const char *start = r->at;
  while (r->at < r->stop && *r->at >= '0' && *r->at <= '9') {
    value = value * 10 + (uint64_t)(*r->at++ - '0');
    if (value > NET_MOST) return fail(r, "this number is too large");
  }
  if (r->at == start) return fail(r, "a number expected");
  *ret = (uint32_t)value;
  return true;
}

static bool read_pair(Reader *r, char separator, uint32_t *ret_a, uint32_t *ret_b) {
  skip_spaces(r);
  if (!read_number(r, ret_a)) return false;
  if (r->at == r->stop || *r->at != separator) return fail(r, "two numbers expected");
  r->at++;
  return read_number(r, ret_b);
}

/* A place and a number of tokens above zero, or `any` where that is allowed. */
static bool read_tokens(Reader *r, bool any, Tokens *ret) {
  const char *start = r->at;
  if (!read_number(r, &ret->place)) return false;
  if (any && skip_text(r, ":any")) {
    ret->count = NET_OMEGA;
    return true;
  }
  r->at = start;
  return read_pair(r, ':', &ret->place, &ret->count);
}

/* Pairs up to the end of the line or a word. Numbers of places (or traps) below `limit`,
 * ascending; counts above zero. */
static bool read_any_pairs(Reader *r, uint32_t limit, bool any, Tokens **ret,
                           uint32_t *ret_len, Marking *scratch) {
  vec_clear(scratch);
  while (!at_line_end(r) && *r->at >= '0' && *r->at <= '9') {
    Tokens t;
    if (!read_tokens(r, any, &t)) return false;
    if (t.place >= limit || t.count == 0 ||
        (scratch->len > 0 && vec_last(scratch)->place >= t.place))
      return fail(r, "there is no such place here, or out of order");
    vec_push(scratch, t);
  }
  *ret = scratch->data;
  *ret_len = scratch->len;
  return true;
}

static bool read_pairs(Reader *r, uint32_t limit, Tokens **ret, uint32_t *ret_len,
                       Marking *scratch) {
  return read_any_pairs(r, limit, false, ret, ret_len, scratch);
}

static bool expect_line_end(Reader *r) {
  return at_line_end(r) || fail(r, "the line should end here");
}

static bool read_place_line(Reader *r) {
  uint32_t initial = NET_OMEGA;
  if (!skip_text(r, "any")) {
    skip_spaces(r);
    if (!read_number(r, &initial)) return false;
  }
  if (r->at < r->stop && *r->at == ' ') r->at++;
  if (r->at == r->stop) return fail(r, "the name of the place is missing");
  if (net_find_place(r->net, r->at, (size_t)(r->stop - r->at)) != NET_NONE)
    return fail(r, "this place is there twice");
  char *name = str_ndup(r->at, (size_t)(r->stop - r->at));
  if (strlen(name) != (size_t)(r->stop - r->at)) {
    mem_free(name);
    return fail(r, "a zero byte in a name");
  }
  net_add_place(r->net, name, initial);
  mem_free(name);
  r->at = r->stop;
  return true;
}

static bool read_transfers(Reader *r) {
  uint32_t places = r->net->place_names.len, last = NET_NONE;
  while (!at_line_end(r)) {
    uint32_t from, to = NET_NOWHERE;
    if (!read_number(r, &from)) return false;
    if (r->at == r->stop || *r->at != '>') return fail(r, "'>' expected");
    r->at++;
    if (r->at < r->stop && *r->at >= '0' && *r->at <= '9' && !read_number(r, &to))
      return false;
    if (from >= places || (to != NET_NOWHERE && to >= places) || from == to ||
        (last != NET_NONE && from <= last))
      return fail(r, "no such transfer");
    net_add_transfer(r->net, from, to);
    last = from;
  }
  return true;
}

static bool read_fire_line(Reader *r, Marking *scratch) {
  uint32_t places = r->net->place_names.len, len;
  Tokens *arcs;
  net_begin_transition(r->net, NULL, (uint32_t)r->line);
  if (!read_pairs(r, places, &arcs, &len, scratch)) return false;
  for (uint32_t i = 0; i < len; i++) net_add_pre(r->net, arcs[i].place, arcs[i].count);
  if (!skip_text(r, "->")) return fail(r, "'->' expected");
  if (!read_pairs(r, places, &arcs, &len, scratch)) return false;
  for (uint32_t i = 0; i < len; i++) net_add_post(r->net, arcs[i].place, arcs[i].count);
  if (skip_text(r, "transfer") && !read_transfers(r)) return false;
  if (!expect_line_end(r)) return false;
  net_end_transition(r->net);
  if (r->stop - r->at > 2) {
    const char *name = r->at + 2;
    vec_last(&r->net->transitions)->name =
        arena_strndup(r->net->arena, name, (size_t)(r->stop - name));
  }
  r->at = r->stop;
  return true;
}

static bool read_numbers(Reader *r, uint32_t limit, bool ascending, Numbers *out) {
  uint32_t first = out->len;
  while (!at_line_end(r)) {
    uint32_t n;
    if (!read_number(r, &n)) return false;
    if (n >= limit) return fail(r, "there is no such thing");
    if (ascending && out->len > first && *vec_last(out) >= n)
      return fail(r, "out of order");
    vec_push(out, n);
  }
  return true;
}

static bool add_row(Reader *r, uint32_t limit, bool any, TokenRows *rows,
                    Marking *scratch) {
  Tokens *row;
  uint32_t len;
  if (!read_any_pairs(r, limit, any, &row, &len, scratch)) return false;
  for (uint32_t i = 0; i < len; i++) vec_push(&rows->items, row[i]);
  vec_push(&rows->ends, rows->items.len);
  return true;
}

static bool read_net_line(Reader *r, Marking *scratch) {
  Tokens *row;
  uint32_t len;
  if (skip_text(r, "place"))
    return r->net->transitions.len + r->net->targets.len == 0
               ? read_place_line(r)
               : fail(r, "too late a place");
  if (skip_text(r, "fire")) return read_fire_line(r, scratch);
  if (!skip_text(r, "target"))
    return fail(r, "place, fire, target or a verdict expected");
  if (!read_pairs(r, r->net->place_names.len, &row, &len, scratch)) return false;
  net_add_target(r->net, row, len, NULL);
  return expect_line_end(r);
}

static bool read_invariant_line(Reader *r, Marking *scratch) {
  NetEvidence *e = r->e;
  uint32_t number = e->invariants.ends.len, after = NET_NONE;
  if (!add_row(r, r->net->place_names.len, false, &e->invariants, scratch)) return false;
  if (!skip_text(r, "with"))
    vec_push(&e->uses.ends, e->uses.items.len);
  else if (!add_row(r, e->traps.ends.len, false, &e->uses, scratch))
    return false;
  if (skip_text(r, "after")) {
    skip_spaces(r);
    if (!read_number(r, &after)) return false;
    if (after >= number) return fail(r, "an earlier invariant expected");
  }
  vec_push(&e->after, after);
  return expect_line_end(r);
}

static bool read_proof_line(Reader *r, Marking *scratch) {
  NetEvidence *e = r->e;
  uint32_t places = r->net->place_names.len;
  if (skip_text(r, "fuse")) return read_numbers(r, places, false, &e->fused);
  if (skip_text(r, "siphon")) return read_numbers(r, places, true, &e->siphon);
  if (skip_text(r, "trap")) {
    if (!read_numbers(r, places, true, &e->traps.items)) return false;
    vec_push(&e->traps.ends, e->traps.items.len);
    return true;
  }
  if (skip_text(r, "invariant")) return read_invariant_line(r, scratch);
  if (skip_text(r, "basis"))
    return add_row(r, places, false, &e->basis, scratch) && expect_line_end(r);
  if (skip_text(r, "loose")) return read_numbers(r, places, true, &e->loose);
  if (skip_text(r, "cover"))
    return add_row(r, places, true, &e->cover, scratch) && expect_line_end(r);
  return fail(r, "fuse, siphon, trap, invariant, basis, loose, cover or end expected");
}

static bool read_run_line(Reader *r, Marking *scratch) {
  Tokens *row;
  uint32_t len;
  if (skip_text(r, "run"))
    return read_numbers(r, r->net->transitions.len, false, &r->e->firings);
  if (!skip_text(r, "start")) return fail(r, "start, run or end expected");
  if (!read_pairs(r, r->net->place_names.len, &row, &len, scratch)) return false;
  for (uint32_t i = 0; i < len; i++) vec_push(&r->e->start, row[i]);
  return expect_line_end(r);
}

static bool next_line(Reader *r) {
  if (r->line > 0) r->at = r->stop + (r->stop < r->end);
  if (r->at >= r->end) return false;
  const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
  r->stop = newline ? newline : r->end;
  r->line_start = r->at;
  r->line++;
  return true;
}

static bool read_lines(Reader *r, Marking *scratch) {
  bool verdict = false;
  if (!next_line(r) || !skip_text(r, "heddle net certificate 1") || r->at != r->stop)
    return fail(r, "this is no certificate of heddle net");
  while (next_line(r)) {
    if (skip_text(r, "end")) return verdict || fail(r, "a certificate without a verdict");
    if (!verdict && skip_text(r, "safe")) {
      verdict = true;
    } else if (!verdict && skip_text(r, "unsafe")) {
      verdict = r->e->unsafe = true;
      skip_spaces(r);
      if (!read_number(r, &r->e->target)) return false;
      if (r->e->target >= r->net->targets.len) return fail(r, "there is no such target");
    } else if (!(!verdict       ? read_net_line(r, scratch)
                 : r->e->unsafe ? read_run_line(r, scratch)
                                : read_proof_line(r, scratch))) {
      return false;
    }
  }
  return fail(r, "the certificate has no end");
}

bool evidence_read_text(const char *file, const char *text, size_t length, Net **ret_net,
                        NetEvidence *ret_evidence, Err *err) {
  Marking scratch = {0};
  *ret_evidence = (NetEvidence){0};
  *ret_net = net_new(file);
  Reader r = {.file = file,
              .at = text,
              .end = text + length,
              .stop = text,
              .line_start = text,
              .err = err,
              .net = *ret_net,
              .e = ret_evidence};
  bool ok = read_lines(&r, &scratch);
  if (ok) net_index(*ret_net);
  vec_free(&scratch);
  return ok;
}

bool evidence_read(const char *path, Net **ret_net, NetEvidence *ret_evidence, Err *err) {
  size_t length;
  *ret_net = NULL;
  *ret_evidence = (NetEvidence){0};
  char *text = net_slurp(path, &length, err);
  if (!text) return false;
  bool ok = evidence_read_text(path, text, length, ret_net, ret_evidence, err);
  mem_free(text);
  return ok;
}

/* ---- comparing -------------------------------------------------------------------- */

static bool same(MarkingView a, MarkingView b) {
  return a.len == b.len && (a.len == 0 || !memcmp(a.at, b.at, a.len * sizeof *a.at));
}

static bool same_transition(const Net *a, const Net *b, uint32_t t) {
  const NetTransition *x = &a->transitions.data[t], *y = &b->transitions.data[t];
  return same(net_pre(a, t), net_pre(b, t)) && same(net_post(a, t), net_post(b, t)) &&
         x->transfer_len == y->transfer_len &&
         (x->transfer_len == 0 ||
          !memcmp(a->transfers.data + x->transfer, b->transfers.data + y->transfer,
                  x->transfer_len * sizeof(Transfer)));
}

bool evidence_same_net(const Net *a, const Net *b) {
  if (a->place_names.len != b->place_names.len ||
      a->transitions.len != b->transitions.len || a->targets.len != b->targets.len)
    return false;
  for (uint32_t p = 0; p < a->place_names.len; p++)
    if (!str_eq(a->place_names.data[p], b->place_names.data[p]) ||
        a->initial.data[p] != b->initial.data[p])
      return false;
  for (uint32_t t = 0; t < a->transitions.len; t++)
    if (!same_transition(a, b, t)) return false;
  for (uint32_t i = 0; i < a->targets.len; i++)
    if (!same(net_target(a, i), net_target(b, i))) return false;
  return true;
}
