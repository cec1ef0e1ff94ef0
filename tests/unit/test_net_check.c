/* The checker of proofs must refuse whatever is offered for a net whose target can be
 * covered. Proofs are made of nets that differ a little and are safe, so that they are
 * nearly right; and the checker of runs must agree with a second one on changed runs. */
#include "net/check.h"
#include "net/solve.h"
#include "rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PLACES = 6 };

static uint64_t seed;

static uint32_t rnd(uint32_t below) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (uint32_t)((seed >> 20) % below);
}

/* The net of a seed; `change` empties a transition (below 7), takes the tokens of a
 * place away (below 16), or changes nothing. */
static Net *make(uint64_t from, uint32_t change) {
  Net *net = net_new(NULL);
  seed = from * 0x9e3779b97f4a7c15u + 7;
  bool transfers = rnd(3) == 0;
  for (uint32_t p = 0; p < PLACES; p++) {
    char name[8];
    snprintf(name, sizeof name, "p%u", p);
    uint32_t initial = rnd(6) == 0 ? NET_OMEGA : rnd(2) * rnd(3);
    net_add_place(net, name, change == 8 + p ? 0 : initial);
  }
  for (uint32_t t = 0; t < 7; t++) {
    uint32_t a = rnd(PLACES), b = rnd(PLACES), c = rnd(PLACES), d = rnd(PLACES);
    uint32_t weight = 1 + (rnd(4) == 0), kind = rnd(4), from_place = rnd(PLACES);
    uint32_t to = rnd(4) ? rnd(PLACES) : NET_NOWHERE;
    bool moves = transfers && rnd(3) == 0;
    net_begin_transition(net, NULL, 0);
    if (change != t) {
      net_add_pre(net, a, weight);
      if (kind > 1) net_add_pre(net, b, 1);
      net_add_post(net, c, 1);
      if (kind % 2) net_add_post(net, d, weight);
      if (moves) net_add_transfer(net, from_place, to);
    }
    net_end_transition(net);
  }
  Tokens target[] = {{rnd(PLACES), 1 + rnd(2)}, {rnd(PLACES), 1}};
  net_add_target(net, target, 2, NULL);
  net_index(net);
  return net;
}

static void solve_within(const Net *net, NetResult *r, NetSearch search,
                         uint64_t milliseconds) {
  NetOptions options = {.limits = {.deadline = net_clock() + milliseconds * 1000000u},
                        .search = search};
  net_solve(net, &options, r);
}

static void solve(const Net *net, NetResult *r, NetSearch search) {
  solve_within(net, r, search, 500);
}

static CheckResult check(const Net *net, const NetEvidence *e) {
  NetLimits limits = {0};
  Str why = {0};
  CheckResult result = check_evidence(net, e, &limits, &why);
  str_free(&why);
  return result;
}

static void test_false_proofs(void **state) {
  (void)state;
  uint32_t offered = 0, covers = 0;
  for (uint64_t n = 0; n < rounds(600); n++) {
    Net *net = make(n, 99);
    NetResult truth;
    solve(net, &truth, NET_ALL);
    for (uint32_t change = 0; truth.verdict == NET_UNSAFE && change < 8 + PLACES;
         change++) {
      Net *other = make(n, change);
      NetResult claim;
      solve(other, &claim, (NetSearch)(change % 3));
      if (claim.verdict == NET_SAFE) {
        assert_int_equal(check(other, &claim.evidence), CHECK_HOLDS);
        assert_int_equal(check(net, &claim.evidence), CHECK_FAILS);
        offered++;
        covers += claim.evidence.cover.ends.len > 0;
      }
      net_result_free(&claim);
      net_free(other);
    }
    net_result_free(&truth);
    net_free(net);
  }
  assert_true(offered > rounds(600) / 3 && covers > rounds(600) / 30);
}

/* ---- proofs in stages ------------------------------------------------------------- */

enum { PROCESSES = 3, LOCATIONS = 8, KINDS = 3 };

static void add_hop(Net *net, uint32_t process, uint32_t from, uint32_t to,
                    bool dropped) {
  uint32_t kind = rnd(20), message = PROCESSES * LOCATIONS + rnd(KINDS);
  net_begin_transition(net, NULL, 0);
  if (!dropped) {
    net_add_pre(net, process * LOCATIONS + from, 1);
    net_add_post(net, process * LOCATIONS + to, 1);
    if (kind < 9) net_add_pre(net, message, 1);
    if (kind > 10) net_add_post(net, message, 1);
  }
  net_end_transition(net);
}

/* Processes that pass messages in bags; `change` leaves out a transition. */
static Net *make_messages(uint64_t from, uint32_t change) {
  Net *net = net_new(NULL);
  uint32_t t = 0;
  seed = from * 0x9e3779b97f4a7c15u + 11;
  for (uint32_t p = 0; p < PROCESSES * LOCATIONS + KINDS; p++) {
    char name[8];
    snprintf(name, sizeof name, "p%u", p);
    net_add_place(net, name, p % LOCATIONS == 0 && p < PROCESSES * LOCATIONS);
  }
  for (uint32_t i = 0; i < PROCESSES; i++) {
    for (uint32_t k = 0; k + 1 < LOCATIONS; k++, t++)
      add_hop(net, i, k > 1 && rnd(3) == 0 ? k - 1 : k, k + 1, t == change);
    for (uint32_t k = 0; k < 3; k++, t++)
      add_hop(net, i, rnd(LOCATIONS), rnd(LOCATIONS), t == change);
  }
  Tokens target[3];
  for (uint32_t i = 0; i < 3; i++)
    target[i] = (Tokens){i * LOCATIONS + 2 + rnd(LOCATIONS - 2), 1};
  net_add_target(net, target, 3, NULL);
  net_index(net);
  return net;
}

static bool has_stages(const NetEvidence *e) {
  for (uint32_t i = 0; i < e->after.len; i++)
    if (e->after.data[i] != NET_NONE) return true;
  return false;
}

/* The claims of two searches about one net do not contradict each other. The second one
 * ends soon or not at all, so that it gets little time. */
static void agree(const Net *net, const NetResult *claim) {
  NetResult other;
  solve_within(net, &other, NET_COVER, 40);
  if (other.verdict != NET_UNKNOWN && claim->verdict != NET_UNKNOWN)
    assert_int_equal(other.verdict, claim->verdict);
  net_result_free(&other);
}

static void test_stages(void **state) {
  (void)state;
  uint32_t staged = 0, offered = 0;
  for (uint64_t n = 0; n < rounds(150); n++) {
    Net *net = make_messages(n, NET_NONE);
    NetResult truth;
    solve_within(net, &truth, NET_BACKWARD, 5000);
    assert_false(truth.defect);
    agree(net, &truth);
    for (uint32_t change = 0; truth.verdict == NET_UNSAFE && change < 32; change += 3) {
      Net *other = make_messages(n, change);
      NetResult claim;
      solve_within(other, &claim, NET_BACKWARD, 5000);
      assert_false(claim.defect);
      if (claim.verdict == NET_SAFE && has_stages(&claim.evidence)) {
        agree(other, &claim);
        assert_int_equal(check(net, &claim.evidence), CHECK_FAILS);
        offered++;
      }
      net_result_free(&claim);
      net_free(other);
    }
    staged += truth.verdict == NET_SAFE && has_stages(&truth.evidence);
    net_result_free(&truth);
    net_free(net);
  }
  assert_true(staged + offered > rounds(150) / 15);
}

/* ---- runs ------------------------------------------------------------------------- */

/* Firing by definition, on signed counters. */
static bool replay(const Net *net, const NetEvidence *e) {
  int64_t m[PLACES];
  for (uint32_t p = 0; p < PLACES; p++)
    m[p] = net->initial.data[p] == NET_OMEGA ? 0 : net->initial.data[p];
  for (uint32_t i = 0; i < e->start.len; i++)
    m[e->start.data[i].place] += e->start.data[i].count;
  for (uint32_t i = 0; i < e->firings.len; i++) {
    uint32_t t = e->firings.data[i];
    const NetTransition *x = &net->transitions.data[t];
    MarkingView pre = net_pre(net, t), post = net_post(net, t);
    for (uint32_t k = 0; k < pre.len; k++)
      if ((m[pre.at[k].place] -= pre.at[k].count) < 0) return false;
    int64_t after[PLACES];
    memcpy(after, m, sizeof m);
    for (uint32_t k = 0; k < x->transfer_len; k++) {
      Transfer move = net->transfers.data[x->transfer + k];
      after[move.from] -= m[move.from];
      if (move.to != NET_NOWHERE) after[move.to] += m[move.from];
    }
    memcpy(m, after, sizeof m);
    for (uint32_t k = 0; k < post.len; k++) m[post.at[k].place] += post.at[k].count;
  }
  MarkingView target = net_target(net, e->target);
  for (uint32_t k = 0; k < target.len; k++)
    if (m[target.at[k].place] < target.at[k].count) return false;
  return true;
}

/* Runs with two steps exchanged, or one replaced: the checker says what firing says. */
static void test_false_runs(void **state) {
  (void)state;
  uint32_t refused = 0;
  for (uint64_t n = 5000; n < 5000 + rounds(600); n++) {
    Net *net = make(n, 99);
    NetResult r;
    solve(net, &r, (NetSearch)(n % 3));
    for (uint32_t i = 0; r.verdict == NET_UNSAFE && i < r.evidence.firings.len; i++) {
      NetEvidence *e = &r.evidence;
      uint32_t step = e->firings.data[i], j = rnd(e->firings.len);
      e->firings.data[i] = rnd(net->transitions.len);
      assert_int_equal(check(net, e) == CHECK_HOLDS, replay(net, e));
      refused += !replay(net, e);
      e->firings.data[i] = e->firings.data[j];
      e->firings.data[j] = step;
      assert_int_equal(check(net, e) == CHECK_HOLDS, replay(net, e));
      refused += !replay(net, e);
    }
    net_result_free(&r);
    net_free(net);
  }
  assert_true(refused > rounds(600) / 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_false_proofs),
                                     cmocka_unit_test(test_stages),
                                     cmocka_unit_test(test_false_runs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
