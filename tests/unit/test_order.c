/* Vector clocks (model/exec/clocks.h) against the graph of happens-before
 * (engine/hunt/order.h): on random runs both must call the same pairs unordered. A few
 * runs whose answer is known stand beside. */
#include "engine/hunt/order.h"
#include "model/exec/clocks.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

enum { THREADS = 4, EVENTS = 60, ROUNDS = 4000 };

static uint64_t state;

static uint32_t draw(uint32_t n) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 33) % n;
}

typedef struct {
  OrderLog log;
  Clocks *clocks;
  uint32_t next_edge;
  bool unordered[EVENTS][EVENTS]; /* as the clocks say; edges are events + 1 */
} Both;

static bool wants_all(void *user, EdgeId edge) {
  (void)user, (void)edge;
  return true;
}

static void see(void *user, const ClockAccess *before, const ExecEvent *now) {
  ((Both *)user)->unordered[before->edge - 1][now->edge - 1] = true;
}

static void add(Both *b, ExecEvent e) {
  e.edge = b->log.events.len + 1;
  order_add(&b->log, &e, b->log.events.len);
  clocks_event(b->clocks, &e, b->log.events.len - 1);
}

static void begin(Both *b) {
  memset(b, 0, sizeof *b);
  b->clocks = clocks_new(wants_all, see, b);
}

static void end(Both *b) {
  clocks_free(b->clocks);
  order_free(&b->log);
}

static uint8_t random_order(uint8_t access) {
  static const uint8_t orders[] = {ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE,
                                   ORDER_ACQ_REL, ORDER_SEQ_CST};
  uint8_t order = orders[draw(5)];
  if (access == ACCESS_READ && (order == ORDER_RELEASE || order == ORDER_ACQ_REL))
    return ORDER_RELAXED;
  if (access == ACCESS_WRITE && (order == ORDER_ACQUIRE || order == ORDER_ACQ_REL))
    return ORDER_RELAXED;
  return order;
}

static ExecEvent random_event(uint32_t thread) {
  static const uint8_t kinds[] = {ACCESS_READ, ACCESS_WRITE, ACCESS_READ | ACCESS_WRITE};
  ExecEvent e = {.thread = thread};
  switch (draw(8)) {
  case 0:
  case 1:
    e.kind = EVENT_ACCESS;
    e.access = kinds[draw(2)];
    e.address = 64 + 8 * draw(3) + draw(2) * 4;
    e.size = 4;
    break;
  case 2:
  case 3:
  case 4:
    e.kind = EVENT_ACCESS;
    e.access = kinds[draw(3)];
    e.order = random_order(e.access);
    e.access |= ACCESS_ATOMIC;
    e.address = 128 + 16 * draw(2);
    e.size = 4;
    break;
  case 5:
    e.kind = EVENT_FENCE;
    e.order = random_order(ACCESS_READ | ACCESS_WRITE);
    break;
  case 6:
    e.kind = draw(12) ? EVENT_RELEASE : EVENT_RESET;
    e.address = 256 + 8 * draw(2);
    e.channel = (uint8_t)draw(2);
    break;
  default:
    e.kind = EVENT_ACQUIRE;
    e.address = 256 + 8 * draw(2);
    e.channel = (uint8_t)draw(2);
    break;
  }
  return e;
}

static bool conflict(const ExecEvent *x, const ExecEvent *y) {
  return x->kind == EVENT_ACCESS && y->kind == EVENT_ACCESS && x->thread != y->thread &&
         ((x->access | y->access) & ACCESS_WRITE) &&
         !(x->access & y->access & ACCESS_ATOMIC) && x->address < y->address + y->size &&
         y->address < x->address + x->size;
}

static void test_random(void **unused) {
  (void)unused;
  static Both b;
  uint32_t unordered = 0, ordered = 0;
  for (uint32_t round = 0; round < ROUNDS; round++) {
    state = (round + 1) * UINT64_C(0x9e3779b97f4a7c15);
    begin(&b);
    for (uint32_t t = 2; t <= THREADS; t++) {
      if (draw(2)) add(&b, random_event(1));
      add(&b, (ExecEvent){.kind = EVENT_CREATE, .thread = 1, .other = t});
    }
    while (b.log.events.len < EVENTS - 4) add(&b, random_event(1 + draw(THREADS)));
    add(&b, (ExecEvent){.kind = EVENT_JOIN, .thread = 1, .other = 2});
    while (b.log.events.len < EVENTS) {
      uint32_t t = 1 + draw(THREADS);
      add(&b, random_event(t == 2 ? 1 : t));
    }
    for (uint32_t i = 0; i < EVENTS; i++)
      for (uint32_t k = i + 1; k < EVENTS; k++) {
        if (!conflict(&b.log.events.data[i].event, &b.log.events.data[k].event)) continue;
        bool before = order_is_before(&b.log, i, k);
        if (before == b.unordered[i][k])
          fail_msg("round %u: events %u and %u: clocks %d, graph %d", round, i, k,
                   b.unordered[i][k], before);
        ordered += before;
        unordered += !before;
      }
    end(&b);
  }
  assert_true(ordered > 1000 && unordered > 1000);
}

/* ---- runs with known answers ---- */

static ExecEvent data(uint32_t thread, uint8_t access) {
  return (ExecEvent){
      .kind = EVENT_ACCESS, .thread = thread, .access = access, .address = 64, .size = 4};
}

static ExecEvent flag(uint32_t thread, uint8_t access, MemoryOrder order) {
  return (ExecEvent){.kind = EVENT_ACCESS,
                     .thread = thread,
                     .access = access | ACCESS_ATOMIC,
                     .order = (uint8_t)order,
                     .address = 128,
                     .size = 4};
}

static ExecEvent fence(uint32_t thread, MemoryOrder order) {
  return (ExecEvent){.kind = EVENT_FENCE, .thread = thread, .order = (uint8_t)order};
}

static ExecEvent make(uint32_t other) {
  return (ExecEvent){.kind = EVENT_CREATE, .thread = 1, .other = other};
}

/* Data is written, `n` events pass it on, data is read by thread `reader`. */
static bool passes(const ExecEvent *events, uint32_t n, uint32_t reader) {
  static Both b;
  begin(&b);
  for (uint32_t t = 2; t <= 3; t++) add(&b, make(t));
  uint32_t first = b.log.events.len;
  add(&b, data(1, ACCESS_WRITE));
  for (uint32_t i = 0; i < n; i++) add(&b, events[i]);
  uint32_t last = b.log.events.len;
  add(&b, data(reader, ACCESS_READ));
  bool before = order_is_before(&b.log, first, last);
  assert_int_equal(before, !b.unordered[first][last]);
  end(&b);
  return before;
}
#define PASSES(reader, ...)                                                              \
  passes((const ExecEvent[]){__VA_ARGS__},                                               \
         sizeof((const ExecEvent[]){__VA_ARGS__}) / sizeof(ExecEvent), reader)

enum { R = ACCESS_READ, W = ACCESS_WRITE, RW = ACCESS_READ | ACCESS_WRITE };

static void test_flags(void **unused) {
  (void)unused;
  assert_true(PASSES(2, flag(1, W, ORDER_RELEASE), flag(2, R, ORDER_ACQUIRE)));
  assert_true(PASSES(2, flag(1, W, ORDER_SEQ_CST), flag(2, R, ORDER_SEQ_CST)));
  assert_false(PASSES(2, flag(1, W, ORDER_RELAXED), flag(2, R, ORDER_ACQUIRE)));
  assert_false(PASSES(2, flag(1, W, ORDER_RELEASE), flag(2, R, ORDER_RELAXED)));
}

static void test_fences(void **unused) {
  (void)unused;
  assert_true(PASSES(2, fence(1, ORDER_RELEASE), flag(1, W, ORDER_RELAXED),
                     flag(2, R, ORDER_RELAXED), fence(2, ORDER_ACQUIRE)));
  assert_false(PASSES(2, flag(1, W, ORDER_RELAXED), fence(1, ORDER_RELEASE),
                      flag(2, R, ORDER_RELAXED), fence(2, ORDER_ACQUIRE)));
  assert_false(PASSES(2, fence(1, ORDER_RELEASE), flag(1, W, ORDER_RELAXED),
                      fence(2, ORDER_ACQUIRE), flag(2, R, ORDER_RELAXED)));
}

static void test_release_sequences(void **unused) {
  (void)unused;
  assert_true(PASSES(2, flag(1, W, ORDER_RELEASE), flag(3, RW, ORDER_RELAXED),
                     flag(2, R, ORDER_ACQUIRE)));
  assert_true(PASSES(2, flag(1, W, ORDER_RELEASE), flag(1, W, ORDER_RELAXED),
                     flag(2, R, ORDER_ACQUIRE)));
  assert_false(PASSES(2, flag(1, W, ORDER_RELEASE), flag(3, W, ORDER_RELAXED),
                      flag(2, R, ORDER_ACQUIRE)));
}

static ExecEvent channel(ExecEventKind kind, uint32_t thread, ExecChannel channel) {
  return (ExecEvent){.kind = (uint8_t)kind,
                     .thread = thread,
                     .channel = (uint8_t)channel,
                     .address = 256};
}

static void test_channels(void **unused) {
  (void)unused;
  assert_true(PASSES(2, channel(EVENT_RELEASE, 1, CHANNEL_LOCK),
                     channel(EVENT_ACQUIRE, 2, CHANNEL_LOCK)));
  assert_false(PASSES(2, channel(EVENT_RELEASE, 1, CHANNEL_READERS),
                      channel(EVENT_ACQUIRE, 2, CHANNEL_LOCK)));
  assert_false(PASSES(2, channel(EVENT_RELEASE, 1, CHANNEL_LOCK),
                      channel(EVENT_RESET, 2, CHANNEL_LOCK),
                      channel(EVENT_ACQUIRE, 2, CHANNEL_LOCK)));
}

/* A place on a stack that another frame had before. */
static void test_fresh(void **unused) {
  (void)unused;
  static Both b;
  begin(&b);
  add(&b, make(2));
  add(&b, data(1, W));
  add(&b, (ExecEvent){.kind = EVENT_FRESH, .thread = 2, .address = 64, .size = 16});
  add(&b, data(2, W));
  assert_false(b.unordered[1][3]);
  uint32_t pair[2];
  assert_false(order_find_race(&b.log, (const uint32_t[]){1, 2}, (const EdgeId[]){2, 4},
                               (const uint32_t[]){1, 3}, pair));
  end(&b);
}

static void test_gap(void **unused) {
  (void)unused;
  static Both b;
  OrderGap gap;
  begin(&b);
  add(&b, make(2));
  add(&b, data(1, W));
  add(&b, flag(1, W, ORDER_RELAXED));
  add(&b, flag(2, R, ORDER_ACQUIRE));
  add(&b, data(2, R));
  assert_true(order_find_gap(&b.log, 1, 4, &gap));
  assert_int_equal(gap.kind, GAP_STORE);
  assert_int_equal(gap.write, 2);
  assert_int_equal(gap.read, 3);
  end(&b);
}

/* A lock of one's own that spins long: the search must neither give up nor miss the release. */
static bool spins(MemoryOrder spin, MemoryOrder clear, MemoryOrder after) {
  enum { LONG = 20000 };
  OrderLog log = {0};
  order_add(&log, &(ExecEvent){.kind = EVENT_CREATE, .thread = 1, .other = 2}, 0);
  ExecEvent first = data(1, W), last = data(2, W), lock = flag(2, RW, spin);
  order_add(&log, &first, 1);
  for (uint32_t i = 0; i < LONG; i++) order_add(&log, &lock, 2 + i);
  order_add(&log,
            &(ExecEvent){.kind = EVENT_ACCESS,
                         .thread = 1,
                         .access = ACCESS_WRITE | ACCESS_ATOMIC,
                         .order = (uint8_t)clear,
                         .address = 128,
                         .size = 4},
            LONG + 2);
  for (uint32_t i = 0; i < LONG; i++) order_add(&log, &lock, LONG + 3 + i);
  if (after != ORDER_NONE)
    order_add(&log,
              &(ExecEvent){.kind = EVENT_FENCE, .thread = 2, .order = (uint8_t)after},
              2 * LONG + 3);
  order_add(&log, &last, 2 * LONG + 4);
  bool before = order_is_before(&log, 1, log.events.len - 1);
  order_free(&log);
  return before;
}

static void test_long_spin(void **unused) {
  (void)unused;
  assert_true(spins(ORDER_ACQUIRE, ORDER_RELEASE, ORDER_NONE));
  assert_false(spins(ORDER_ACQUIRE, ORDER_RELAXED, ORDER_NONE));
  assert_true(spins(ORDER_SEQ_CST, ORDER_SEQ_CST, ORDER_NONE));
  assert_false(spins(ORDER_RELAXED, ORDER_RELEASE, ORDER_NONE));
  assert_true(spins(ORDER_RELAXED, ORDER_RELEASE, ORDER_ACQUIRE));
  assert_false(spins(ORDER_RELAXED, ORDER_RELAXED, ORDER_ACQUIRE));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),   cmocka_unit_test(test_flags),
      cmocka_unit_test(test_fences),   cmocka_unit_test(test_release_sequences),
      cmocka_unit_test(test_channels), cmocka_unit_test(test_fresh),
      cmocka_unit_test(test_gap),      cmocka_unit_test(test_long_spin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
