/* Random nets against a plain second implementation of Figure 4 of "Model Checking
 * Race-Freeness", written for dense markings and by definition only: no index, no
 * reduction, no exclusion. Wherever it ends within its bounds, both must agree, and the
 * evidence of heddle must pass its checker (net_solve turns anything else into a defect,
 * which fails here). Nets with weights, any number of tokens, transfers and resets. */
#include "net/read.h"
#include "net/solve.h"
#include "rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_PLACES = 7, MOST_ITEMS = 1500 };

typedef struct {
  uint32_t at[MOST_PLACES];
} Dense;

static uint64_t seed;

static uint32_t rnd(uint32_t below) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (uint32_t)((seed >> 20) % below);
}

/* ---- the plain implementation ----------------------------------------------------- */

typedef struct {
  const Net *net;
  uint32_t places;
  Dense items[MOST_ITEMS];
  bool done[MOST_ITEMS];
  uint32_t len;
  bool covered, full;
} Plain;

static bool below(const Plain *x, const Dense *a, const Dense *b) {
  for (uint32_t p = 0; p < x->places; p++)
    if (a->at[p] > b->at[p]) return false;
  return true;
}

static void insert(Plain *x, const Dense *m) {
  bool initial = true;
  for (uint32_t p = 0; p < x->places; p++)
    initial = initial && m->at[p] <= x->net->initial.data[p];
  if (initial) x->covered = true;
  for (uint32_t i = 0; i < x->len; i++)
    if (below(x, &x->items[i], m)) return;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < x->len; i++)
    if (!below(x, m, &x->items[i])) {
      x->items[kept] = x->items[i];
      x->done[kept++] = x->done[i];
    }
  x->len = kept;
  if (x->len == MOST_ITEMS) {
    x->full = true;
    return;
  }
  x->items[x->len] = *m;
  x->done[x->len++] = false;
}

static uint32_t goes_to(const Net *net, uint32_t t, uint32_t place) {
  const NetTransition *x = &net->transitions.data[t];
  for (uint32_t i = 0; i < x->transfer_len; i++)
    if (net->transfers.data[x->transfer + i].from == place)
      return net->transfers.data[x->transfer + i].to;
  return place;
}

/* Spreads what place p of m still demands over the places that flow into it. */
static void spread(Plain *x, uint32_t t, const Dense *m, Dense *before, uint32_t p,
                   uint32_t source, uint32_t left) {
  if (p == x->places) {
    insert(x, before);
    return;
  }
  if (source == x->places) {
    if (left > 0) return;
    uint32_t next = p + 1, got = 0;
    if (next < x->places) {
      MarkingView post = net_post(x->net, t);
      for (uint32_t i = 0; i < post.len; i++)
        if (post.at[i].place == next) got = post.at[i].count;
      left = m->at[next] > got ? m->at[next] - got : 0;
    }
    spread(x, t, m, before, next, 0, left);
    return;
  }
  if (goes_to(x->net, t, source) != p) {
    spread(x, t, m, before, p, source + 1, left);
    return;
  }
  for (uint32_t n = 0; n <= left; n++) {
    before->at[source] += n;
    spread(x, t, m, before, p, source + 1, left - n);
    before->at[source] -= n;
  }
}

static void predecessors(Plain *x, uint32_t t, Dense m) {
  Dense before = {{0}};
  MarkingView pre = net_pre(x->net, t), post = net_post(x->net, t);
  uint32_t got = 0;
  for (uint32_t i = 0; i < pre.len; i++) before.at[pre.at[i].place] = pre.at[i].count;
  for (uint32_t i = 0; i < post.len; i++)
    if (post.at[i].place == 0) got = post.at[i].count;
  spread(x, t, &m, &before, 0, 0, m.at[0] > got ? m.at[0] - got : 0);
}

static NetVerdict plain(Plain *x, const Net *net) {
  *x = (Plain){.net = net, .places = net->place_names.len};
  for (uint32_t i = 0; i < net->targets.len; i++) {
    Dense m = {{0}};
    MarkingView target = net_target(net, i);
    for (uint32_t k = 0; k < target.len; k++)
      m.at[target.at[k].place] = target.at[k].count;
    insert(x, &m);
  }
  for (bool changed = true; changed && !x->covered && !x->full;) {
    changed = false;
    for (uint32_t i = 0; i < x->len; i++) {
      if (x->done[i]) continue;
      x->done[i] = changed = true;
      Dense m = x->items[i];
      for (uint32_t t = 0; t < net->transitions.len && !x->full; t++)
        predecessors(x, t, m);
      break;
    }
  }
  return x->covered ? NET_UNSAFE : x->full ? NET_UNKNOWN : NET_SAFE;
}

/* ---- random nets ------------------------------------------------------------------ */

static void random_transition(Net *net, uint32_t places, bool transfers) {
  net_begin_transition(net, NULL, 0);
  for (uint32_t n = rnd(3) + (rnd(4) > 0); n > 0; n--)
    net_add_pre(net, rnd(places), 1 + (rnd(5) == 0));
  for (uint32_t n = rnd(3) + (rnd(4) > 0); n > 0; n--)
    net_add_post(net, rnd(places), 1 + (rnd(5) == 0));
  if (transfers && rnd(3) == 0) {
    uint32_t first = rnd(places);
    net_add_transfer(net, first, rnd(4) ? rnd(places) : NET_NOWHERE);
    uint32_t second = rnd(places);
    if (second != first && rnd(2))
      net_add_transfer(net, second, rnd(4) ? rnd(places) : NET_NOWHERE);
  }
  net_end_transition(net);
}

/* One place to another, mostly: chains and repetitions, as sequential programs have. */
static void random_step(Net *net, uint32_t places) {
  uint32_t from = rnd(places), to = (from + 1 + rnd(2)) % places;
  net_begin_transition(net, NULL, 0);
  net_add_pre(net, from, 1);
  net_add_post(net, to, 1);
  if (rnd(5) == 0) net_add_pre(net, rnd(places), 1);
  if (rnd(5) == 0) net_add_post(net, rnd(places), 1);
  net_end_transition(net);
}

static Net *random_net(void) {
  Net *net = net_new(NULL);
  uint32_t places = 2 + rnd(MOST_PLACES - 1);
  bool transfers = rnd(3) == 0, omegas = rnd(2), chains = rnd(3) == 0;
  for (uint32_t p = 0; p < places; p++) {
    char name[8];
    snprintf(name, sizeof name, "p%u", p);
    uint32_t initial = rnd(2) ? 0 : rnd(3);
    net_add_place(net, name, omegas && rnd(5) == 0 ? NET_OMEGA : initial);
  }
  for (uint32_t n = 2 + rnd(10); chains && n > 0; n--) random_step(net, places);
  for (uint32_t n = rnd(8) + !chains; n > 2 * chains; n--)
    random_transition(net, places, transfers);
  for (uint32_t n = 1 + rnd(2); n > 0; n--) {
    Tokens tokens[3];
    uint32_t len = 1 + rnd(3);
    for (uint32_t i = 0; i < len; i++) tokens[i] = (Tokens){rnd(places), 1 + rnd(2)};
    net_add_target(net, tokens, len, NULL);
  }
  net_index(net);
  return net;
}

/* ---- the comparison --------------------------------------------------------------- */

static void dump(const Net *net, uint64_t from, NetVerdict wanted, const NetResult *got) {
  Outfile *out = outfile_open("-", NULL);
  NetEvidence none = {0};
  evidence_write(net, &none, out);
  outfile_commit(out, NULL);
  print_error("seed %llu: plain %d, heddle %d, %s\n", (unsigned long long)from, wanted,
              got->verdict, got->reason ? got->reason : "");
}

static void compare(uint64_t start, uint32_t count, NetSearch search) {
  Plain *x = malloc(sizeof *x);
  uint32_t compared = 0, unsafe = 0, open = 0;
  for (uint32_t i = 0; i < count; i++) {
    seed = (start + i) * 0x9e3779b97f4a7c15u + 1;
    Net *net = random_net();
    NetVerdict wanted = plain(x, net);
    /* with transfers the coverability set may have no end */
    uint64_t seconds = search == NET_COVER ? 2 : 20;
    NetOptions options = {.limits = {.deadline = net_clock() + seconds * 1000000000u},
                          .search = search};
    NetResult got;
    net_solve(net, &options, &got);
    bool left = search == NET_COVER && got.verdict == NET_UNKNOWN;
    bool wrong = got.defect || (wanted != NET_UNKNOWN && got.verdict != wanted && !left);
    if (wrong) dump(net, start + i, wanted, &got);
    assert_false(wrong);
    compared += wanted != NET_UNKNOWN;
    open += left;
    unsafe += got.verdict == NET_UNSAFE;
    net_result_free(&got);
    net_free(net);
  }
  free(x);
  assert_true(compared * 10 > count * 9);
  assert_true((count - open) * 4 > count);
  assert_true(unsafe * 10 > count && unsafe * 10 < count * 9);
}

static void test_search(void **state) {
  (void)state;
  compare(1, rounds(250), NET_ALL);
}

static void test_plain(void **state) {
  (void)state;
  compare(1000000, rounds(60), NET_PLAIN);
}

static void test_cover(void **state) {
  (void)state;
  compare(2000000, rounds(150), NET_COVER);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_search),
                                     cmocka_unit_test(test_plain),
                                     cmocka_unit_test(test_cover)};
  if (argc == 3) { /* more of them, by hand: FIRST COUNT */
    uint64_t first = strtoull(argv[1], NULL, 10);
    uint32_t count = (uint32_t)strtoul(argv[2], NULL, 10);
    compare(first, count, NET_ALL);
    compare(first, count, NET_COVER);
    return 0;
  }
  return cmocka_run_group_tests(tests, NULL, NULL);
}
