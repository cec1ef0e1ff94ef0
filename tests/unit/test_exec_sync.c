/* Threads and synchronisation: under many seeds, and step by step with a scheduler that
 * tries every order. */
#include "exec_program.h"

/* ---- building blocks ---- */

typedef struct {
  Prog g;
  ObjectId counter, lock, cond, ids[4], flag;
  uint32_t result; /* as pthread functions answer */
  LocalId status;  /* of the function under construction */
} Threads;

static Threads threads_new(void) {
  Threads t = {.g = prog_new()};
  t.counter = prog_global(&t.g, "counter", 4, NULL);
  t.lock = prog_global(&t.g, "lock", 40, NULL);
  t.cond = prog_global(&t.g, "cond", 48, NULL);
  t.flag = prog_global(&t.g, "flag", 4, NULL);
  for (int i = 0; i < 4; i++) t.ids[i] = prog_global(&t.g, "id", 8, NULL);
  SyncResult r = {
      .ok = 0, .busy = 16, .timeout = 110, .error = 22, .special = -1, .bits = 32};
  vec_push(&t.g.p->results, r);
  t.result = t.g.p->results.len - 1;
  return t;
}

static FuncId thread_begin(Threads *t, const char *name) {
  FuncId f = prog_begin(&t->g, name, 64, SORT_PTR);
  prog_param(&t->g, SORT_PTR, 64);
  t->status = prog_local(&t->g, SORT_INT, 32);
  return f;
}
static void thread_end(Threads *t) {
  prog_return(&t->g, builder_const(t->g.b, SORT_PTR, 64, 0));
  prog_end(&t->g);
}
static FuncId main_begin(Threads *t) {
  FuncId f = prog_begin(&t->g, "main", 32, SORT_INT);
  t->status = prog_local(&t->g, SORT_INT, 32);
  return f;
}

/* A synchronisation edge with its result in t->status. */
static void sync_edge(Threads *t, Edge e) {
  e.aux = t->result;
  e.dst = t->status;
  prog_edge(&t->g, e);
}
static void lock(Threads *t, ObjectId m) {
  sync_edge(t, (Edge){.op = OP_LOCK, .lock = LOCK_MUTEX, .a = prog_at(&t->g, m)});
}
static void unlock(Threads *t, ObjectId m) {
  sync_edge(t, (Edge){.op = OP_UNLOCK, .lock = LOCK_MUTEX, .a = prog_at(&t->g, m)});
}
static void increment(Threads *t, ObjectId o, uint64_t by) {
  LocalId v = prog_local(&t->g, SORT_INT, 32);
  prog_load(&t->g, v, prog_at(&t->g, o));
  prog_store(
      &t->g, prog_at(&t->g, o),
      builder_binary(t->g.b, EXPR_ADD, prog_use(&t->g, v), prog_int(&t->g, 32, by)));
}
static void create(Threads *t, int i, FuncId f) {
  sync_edge(t, (Edge){.op = OP_CREATE,
                      .a = prog_at(&t->g, t->ids[i]),
                      .b = builder_func(t->g.b, f),
                      .c = builder_const(t->g.b, SORT_PTR, 64, 0)});
}
static void join(Threads *t, int i) {
  LocalId id = prog_local(&t->g, SORT_INT, 64);
  prog_load(&t->g, id, prog_at(&t->g, t->ids[i]));
  sync_edge(t, (Edge){.op = OP_JOIN,
                      .a = prog_use(&t->g, id),
                      .b = builder_const(t->g.b, SORT_PTR, 64, 0),
                      .size = 8});
}
static void return_value(Threads *t, ObjectId o) {
  LocalId v = prog_local(&t->g, SORT_INT, 32);
  prog_load(&t->g, v, prog_at(&t->g, o));
  prog_return(&t->g, prog_use(&t->g, v));
  prog_end(&t->g);
}

/* ---- every order of steps ---- */

/* A depth-first search over the choices: the path of the last run, and how many there
 * were. */
typedef struct {
  size_t path[400], width[400];
  size_t depth, length;
} Orders;

static size_t follow(void *user, Exec *exec, const ExecChoice *choices, size_t count) {
  Orders *o = user;
  (void)exec;
  (void)choices;
  assert_true(o->depth < 400);
  if (o->depth == o->length) {
    o->path[o->length] = 0;
    o->length++;
  }
  o->width[o->depth] = count;
  return o->path[o->depth++];
}

/* To the next order; false after the last. */
static bool next_order(Orders *o) {
  o->length = o->depth;
  while (o->length && o->path[o->length - 1] + 1 == o->width[o->length - 1]) o->length--;
  if (!o->length) return false;
  o->path[o->length - 1]++;
  o->depth = 0;
  return true;
}

typedef struct {
  unsigned statuses; /* bit n: some run ended with status n */
  unsigned ends;     /* bit n: some run ended with ExecEnd n */
  unsigned runs;
  char text[256]; /* of the last run that did not exit */
} Outcomes;

static Outcomes all_orders(const Program *p, bool spurious) {
  Outcomes found = {0};
  Orders orders = {0};
  do {
    orders.depth = 0;
    char text[256];
    ExecOptions options = {.choose = follow, .user = &orders, .spurious = spurious};
    ExecResult r = prog_run(p, options, text);
    found.ends |= 1u << r.end;
    if (r.end == EXEC_EXITED)
      found.statuses |= 1u << r.status;
    else
      memcpy(found.text, text, sizeof text);
    found.runs++;
  } while (found.runs < 200000 && next_order(&orders));
  return found;
}

/* ---- tests ---- */

/* Two increments without a lock: 1 and 2 are possible, with a lock only 2. */
static void test_every_interleaving(void **unused) {
  (void)unused;
  for (int locked = 0; locked < 2; locked++) {
    Threads t = threads_new();
    FuncId worker = thread_begin(&t, "worker");
    if (locked) lock(&t, t.lock);
    increment(&t, t.counter, 1);
    if (locked) unlock(&t, t.lock);
    thread_end(&t);
    FuncId main = main_begin(&t);
    create(&t, 0, worker);
    if (locked) lock(&t, t.lock);
    increment(&t, t.counter, 1);
    if (locked) unlock(&t, t.lock);
    join(&t, 0);
    return_value(&t, t.counter);
    const Program *p = prog_finish(&t.g, main);
    Outcomes o = all_orders(p, false);
    assert_int_equal(o.ends, 1u << EXEC_EXITED);
    assert_int_equal(o.statuses, locked ? 1u << 2 : 1u << 1 | 1u << 2);
    assert_true(o.runs > 10);
    unsigned seen = 0;
    for (uint64_t seed = 0; seed < 200; seed++)
      seen |= 1u << prog_run(p, (ExecOptions){.seed = seed}, NULL).status;
    assert_int_equal(seen, o.statuses); /* the seeded scheduler finds the same */
    prog_free(&t.g);
  }
}

/* Two locks in two orders. */
static void test_deadlock(void **unused) {
  (void)unused;
  Threads t = threads_new();
  FuncId worker = thread_begin(&t, "worker");
  lock(&t, t.lock);
  lock(&t, t.cond);
  unlock(&t, t.cond);
  unlock(&t, t.lock);
  thread_end(&t);
  FuncId main = main_begin(&t);
  create(&t, 0, worker);
  lock(&t, t.cond);
  lock(&t, t.lock);
  unlock(&t, t.lock);
  unlock(&t, t.cond);
  join(&t, 0);
  return_value(&t, t.counter);
  const Program *p = prog_finish(&t.g, main);
  Outcomes o = all_orders(p, false);
  assert_int_equal(o.ends, 1u << EXEC_EXITED | 1u << EXEC_DEADLOCK);
  assert_non_null(strstr(o.text, "thread 1 waits for the lock lock held by thread 2"));
  assert_non_null(strstr(o.text, "thread 2 waits for the lock cond held by thread 1"));
  unsigned ends = 0;
  for (uint64_t seed = 0; seed < 300; seed++)
    ends |= 1u << prog_run(p, (ExecOptions){.seed = seed}, NULL).end;
  assert_int_equal(ends, o.ends);
  prog_free(&t.g);
}

/* while (!flag) wait; against flag = 1; signal. Correct, and wrong without the loop. */
static void test_condition(void **unused) {
  (void)unused;
  for (int looped = 0; looped < 2; looped++) {
    for (int spurious = 0; spurious < 2; spurious++) {
      if (spurious && looped) continue; /* endless orders */
      Threads t = threads_new();
      FuncId worker = thread_begin(&t, "worker");
      lock(&t, t.lock);
      prog_store(&t.g, prog_at(&t.g, t.flag), prog_int(&t.g, 32, 1));
      sync_edge(&t, (Edge){.op = OP_SIGNAL, .a = prog_at(&t.g, t.cond)});
      unlock(&t, t.lock);
      thread_end(&t);
      FuncId main = main_begin(&t);
      LocalId v = prog_local(&t.g, SORT_INT, 32);
      create(&t, 0, worker);
      lock(&t, t.lock);
      NodeId head = t.g.node, done;
      prog_load(&t.g, v, prog_at(&t.g, t.flag));
      prog_branch(
          &t.g, builder_compare(t.g.b, EXPR_EQ, prog_use(&t.g, v), prog_int(&t.g, 32, 0)),
          &done);
      Edge wait = {.op = OP_WAIT,
                   .a = prog_at(&t.g, t.cond),
                   .b = prog_at(&t.g, t.lock),
                   .aux = t.result,
                   .dst = t.status};
      prog_edge_to(&t.g, wait, looped ? head : done);
      t.g.node = done;
      unlock(&t, t.lock);
      return_value(&t, t.flag);
      Outcomes o = all_orders(prog_finish(&t.g, main), spurious);
      assert_int_equal(o.ends, 1u << EXEC_EXITED);
      /* a wake-up without cause lets main see 0 */
      assert_int_equal(o.statuses, spurious ? 1u << 0 | 1u << 1 : 1u << 1);
      prog_free(&t.g);
    }
  }
}

/* A signal before the wait is lost: the wait never ends, unless it has a deadline. */
static void test_lost_signal_and_timeout(void **unused) {
  (void)unused;
  for (int timed = 0; timed < 2; timed++) {
    Threads t = threads_new();
    int64_t when[2] = {5, 0};
    ObjectId deadline = prog_global(&t.g, "deadline", 16, when);
    FuncId main = main_begin(&t);
    sync_edge(&t, (Edge){.op = OP_SIGNAL, .a = prog_at(&t.g, t.cond)});
    lock(&t, t.lock);
    Edge wait = {.op = OP_WAIT, .a = prog_at(&t.g, t.cond), .b = prog_at(&t.g, t.lock)};
    if (timed) {
      wait.c = prog_at(&t.g, deadline);
      wait.attempt = ATTEMPT_TIMED;
    }
    sync_edge(&t, wait);
    unlock(&t, t.lock);
    prog_return(&t.g, prog_use(&t.g, t.status));
    prog_end(&t.g);
    const Program *p = prog_finish(&t.g, main);
    for (int stepwise = 0; stepwise < 2; stepwise++) {
      ExecResult r = prog_run(p, (ExecOptions){.stepwise = stepwise}, NULL);
      assert_int_equal(r.end, timed ? EXEC_EXITED : EXEC_DEADLOCK);
    }
    prog_free(&t.g);
  }
}

/* Two waiters, one signal: the scheduler chooses which of them wakes. */
static void test_signal_chooses(void **unused) {
  (void)unused;
  Threads t = threads_new();
  FuncId workers[2];
  for (uint64_t i = 0; i < 2; i++) {
    workers[i] = thread_begin(&t, i ? "second" : "first");
    lock(&t, t.lock);
    increment(&t, t.flag, 1);
    sync_edge(
        &t,
        (Edge){.op = OP_WAIT, .a = prog_at(&t.g, t.cond), .b = prog_at(&t.g, t.lock)});
    prog_store(&t.g, prog_at(&t.g, t.counter), prog_int(&t.g, 32, i + 1));
    prog_last(&t.g, (Edge){.op = OP_EXIT, .a = prog_int(&t.g, 32, i + 1)});
    prog_end(&t.g);
  }
  FuncId main = main_begin(&t);
  LocalId v = prog_local(&t.g, SORT_INT, 32);
  create(&t, 0, workers[0]);
  create(&t, 1, workers[1]);
  NodeId head = t.g.node, both;
  lock(&t, t.lock);
  prog_load(&t.g, v, prog_at(&t.g, t.flag));
  prog_branch(&t.g,
              builder_compare(t.g.b, EXPR_NE, prog_use(&t.g, v), prog_int(&t.g, 32, 2)),
              &both);
  Edge release = {.op = OP_UNLOCK,
                  .lock = LOCK_MUTEX,
                  .a = prog_at(&t.g, t.lock),
                  .aux = t.result,
                  .dst = t.status};
  prog_edge_to(&t.g, release, head);
  t.g.node = both;
  sync_edge(&t, (Edge){.op = OP_SIGNAL, .a = prog_at(&t.g, t.cond)});
  unlock(&t, t.lock);
  join(&t, 0);
  join(&t, 1);
  return_value(&t, t.counter);
  const Program *p = prog_finish(&t.g, main);
  unsigned seen = 0;
  for (uint64_t seed = 0; seed < 100; seed++) {
    ExecResult r = prog_run(p, (ExecOptions){.seed = seed, .stepwise = seed % 2}, NULL);
    assert_int_equal(r.end, EXEC_EXITED);
    seen |= 1u << r.status;
  }
  assert_int_equal(seen, 1u << 1 | 1u << 2);
  prog_free(&t.g);
}

/* Mutex kinds: what a second lock, and an unlock without one, answer. */
static void test_mutex_kinds(void **unused) {
  (void)unused;
  static const struct {
    uint32_t kind;
    int relock, unlock_free; /* -1: the run does not come back */
  } cases[] = {{0, -1, -1}, {1, 0, 1}, {2, 35, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int again = 0; again < 2; again++) {
      Threads t = threads_new();
      FuncId main = main_begin(&t);
      sync_edge(&t, (Edge){.op = OP_LOCK_INIT,
                           .lock = LOCK_MUTEX,
                           .a = prog_at(&t.g, t.lock),
                           .b = prog_int(&t.g, 32, cases[i].kind)});
      if (again) {
        lock(&t, t.lock);
        lock(&t, t.lock);
      } else {
        unlock(&t, t.lock);
      }
      prog_return(&t.g, prog_use(&t.g, t.status));
      prog_end(&t.g);
      ExecResult r = prog_run(prog_finish(&t.g, main), (ExecOptions){0}, NULL);
      int want = again ? cases[i].relock : cases[i].unlock_free;
      if (want < 0)
        assert_int_equal(r.end, again ? EXEC_DEADLOCK : EXEC_STOPPED);
      else
        assert_int_equal(r.status, want);
      prog_free(&t.g);
    }
}

/* Three threads at a barrier: exactly one gets the special answer. */
static void test_barrier_and_semaphore(void **unused) {
  (void)unused;
  Threads t = threads_new();
  FuncId worker = thread_begin(&t, "worker");
  NodeId other;
  sync_edge(&t, (Edge){.op = OP_BARRIER_WAIT, .a = prog_at(&t.g, t.cond)});
  prog_branch(&t.g,
              builder_compare(t.g.b, EXPR_EQ, prog_use(&t.g, t.status),
                              prog_int(&t.g, 32, (uint32_t)-1)),
              &other);
  prog_store(&t.g, prog_at(&t.g, t.counter), prog_int(&t.g, 32, 9));
  prog_edge_to(&t.g, (Edge){.op = OP_NOP}, other);
  sync_edge(&t, (Edge){.op = OP_SEM_POST, .a = prog_at(&t.g, t.lock)});
  thread_end(&t);
  FuncId main = main_begin(&t);
  sync_edge(
      &t,
      (Edge){.op = OP_SEM_INIT, .a = prog_at(&t.g, t.lock), .b = prog_int(&t.g, 32, 0)});
  sync_edge(&t, (Edge){.op = OP_BARRIER_INIT,
                       .a = prog_at(&t.g, t.cond),
                       .b = prog_int(&t.g, 32, 3)});
  for (int i = 0; i < 3; i++) create(&t, i, worker);
  for (int i = 0; i < 3; i++)
    sync_edge(&t, (Edge){.op = OP_SEM_WAIT, .a = prog_at(&t.g, t.lock)});
  return_value(&t, t.counter);
  const Program *p = prog_finish(&t.g, main);
  for (uint64_t seed = 0; seed < 60; seed++) {
    char text[256];
    ExecResult r = prog_run(p, (ExecOptions){.seed = seed, .stepwise = seed % 2}, text);
    if (r.end != EXEC_EXITED || r.status != 9) fail_msg("seed %d: %s", (int)seed, text);
  }
  prog_free(&t.g);
}

/* An atomic section is one step to the others. */
static void test_atomic_section(void **unused) {
  (void)unused;
  Threads t = threads_new();
  FuncId worker = thread_begin(&t, "worker");
  prog_edge(&t.g, (Edge){.op = OP_ATOMIC_BEGIN});
  increment(&t, t.counter, 1);
  prog_edge(&t.g, (Edge){.op = OP_ATOMIC_END});
  thread_end(&t);
  FuncId main = main_begin(&t);
  create(&t, 0, worker);
  prog_edge(&t.g, (Edge){.op = OP_ATOMIC_BEGIN});
  increment(&t, t.counter, 1);
  prog_edge(&t.g, (Edge){.op = OP_ATOMIC_END});
  join(&t, 0);
  return_value(&t, t.counter);
  Outcomes o = all_orders(prog_finish(&t.g, main), false);
  assert_int_equal(o.ends, 1u << EXEC_EXITED);
  assert_int_equal(o.statuses, 1u << 2);
  prog_free(&t.g);
}

/* Once: the function runs once, and nobody comes back before it has. */
static void test_once(void **unused) {
  (void)unused;
  Threads t = threads_new();
  FuncId init = prog_begin(&t.g, "init", 0, SORT_NONE);
  increment(&t, t.counter, 3);
  prog_last(&t.g, (Edge){.op = OP_RETURN});
  prog_end(&t.g);
  FuncId worker = thread_begin(&t, "worker");
  sync_edge(
      &t,
      (Edge){.op = OP_ONCE, .a = prog_at(&t.g, t.flag), .b = builder_func(t.g.b, init)});
  thread_end(&t);
  FuncId main = main_begin(&t);
  create(&t, 0, worker);
  sync_edge(
      &t,
      (Edge){.op = OP_ONCE, .a = prog_at(&t.g, t.flag), .b = builder_func(t.g.b, init)});
  return_value(&t, t.counter);
  Outcomes o = all_orders(prog_finish(&t.g, main), false);
  assert_int_equal(o.ends, 1u << EXEC_EXITED);
  assert_int_equal(o.statuses, 1u << 3);
  prog_free(&t.g);
}

/* Same seed, same run; and what a stepwise machine shows of the next access. */
static void test_determinism_and_inspection(void **unused) {
  (void)unused;
  Threads t = threads_new();
  FuncId worker = thread_begin(&t, "worker");
  increment(&t, t.counter, 1);
  thread_end(&t);
  FuncId main = main_begin(&t);
  create(&t, 0, worker);
  increment(&t, t.counter, 1);
  join(&t, 0);
  return_value(&t, t.counter);
  const Program *p = prog_finish(&t.g, main);
  for (uint64_t seed = 0; seed < 50; seed++) {
    ExecResult a = prog_run(p, (ExecOptions){.seed = seed}, NULL);
    ExecResult b = prog_run(p, (ExecOptions){.seed = seed}, NULL);
    assert_memory_equal(&a, &b, sizeof a);
  }
  Exec *x = exec_new(p, &(ExecOptions){.stepwise = true});
  const ExecChoice *choices;
  unsigned reads = 0, writes = 0;
  for (size_t n; (n = exec_choices(x, &choices)) > 0;) {
    EdgeId edge;
    ExecAccess access[EXEC_ACCESS_MAX];
    assert_int_equal(exec_next_edges(x, choices[0].thread, &edge, 1), 1);
    assert_int_equal(edge, choices[0].edge);
    if (exec_next_access(x, choices[0].thread, edge, access) == 1 &&
        access[0].has_object && access[0].object.id == t.counter) {
      assert_int_equal(access[0].size, 4);
      assert_int_equal(access[0].address, access[0].object.address);
      reads += (access[0].kind & ACCESS_READ) != 0;
      writes += (access[0].kind & ACCESS_WRITE) != 0;
    }
    exec_step(x, 0);
  }
  assert_int_equal(exec_result(x)->end, EXEC_EXITED);
  assert_int_equal(exec_result(x)->status, 2);
  assert_true(reads == 3 && writes == 2);
  assert_int_equal(exec_thread_count(x), 2);
  assert_int_equal(exec_thread_state(x, 2), THREAD_ENDED);
  exec_free(x);
  prog_free(&t.g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_interleaving),
      cmocka_unit_test(test_deadlock),
      cmocka_unit_test(test_condition),
      cmocka_unit_test(test_lost_signal_and_timeout),
      cmocka_unit_test(test_signal_chooses),
      cmocka_unit_test(test_mutex_kinds),
      cmocka_unit_test(test_barrier_and_semaphore),
      cmocka_unit_test(test_atomic_section),
      cmocka_unit_test(test_once),
      cmocka_unit_test(test_determinism_and_inspection),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
