/* The address space against a naive one, and what bad accesses of programs are called. */
#include "base/map.h"
#include "exec_program.h"
#include "model/exec/memory.h"

/* ---- the heap ---- */

enum { BLOCKS = 3000 };

static void test_heap_is_exact(void **unused) {
  (void)unused;
  Memory m;
  uint64_t seed = 99;
  static struct {
    uint64_t address, size;
  } live[BLOCKS];
  uint32_t count = 0;
  Map seen = {0};
  assert_true(memory_open(&m, UINT64_C(1) << 32));
  for (int step = 0; step < 40000; step++) {
    uint64_t draw = test_random(&seed);
    if (count == BLOCKS || (count && draw % 3 == 0)) {
      uint32_t i = (uint32_t)(test_random(&seed) % count);
      HeapBlock *block = memory_heap_find(&m, live[i].address);
      assert_non_null(block);
      assert_int_equal(block->address, live[i].address);
      memory_heap_free(&m, block);
      assert_false(memory_may_read(&m, live[i].address, 1) && live[i].size);
      live[i] = live[--count];
      continue;
    }
    uint64_t size = draw % 100 == 0 ? draw >> 8 & 0xfffff : draw >> 8 & 0xff;
    uint64_t align = UINT64_C(1) << (draw >> 40) % 8;
    uint64_t at = memory_heap_alloc(&m, size, align, 0);
    assert_true(at && !map_get(&seen, at)); /* never an address twice */
    map_put(&seen, at, 1);
    assert_int_equal(at % align, 0);
    assert_true(memory_may_write(&m, at, size));
    assert_false(memory_may_read(&m, at, size + 1));
    assert_false(memory_may_read(&m, at - 1, 1));
    if (size) {
      assert_int_equal(m.bytes[at], 0);
      assert_int_equal(m.bytes[at + size - 1], 0);
      memset(m.bytes + at, 0xee, size);
      assert_false(memory_may_read(&m, at + 1, size));
      assert_true(memory_may_read(&m, at + 1, size - 1));
    }
    live[count].address = at;
    live[count++].size = size;
  }
  for (uint32_t i = 0; i < count; i++) {
    assert_true(memory_may_write(&m, live[i].address, live[i].size));
    HeapBlock *block = memory_heap_find(&m, live[i].address + live[i].size / 2);
    assert_true(block && block->live && block->size == live[i].size);
  }
  map_free(&seen);
  memory_close(&m);
}

/* Pages of freed blocks go back: a program that allocates and frees for ever fits. */
static void test_freed_pages_return(void **unused) {
  (void)unused;
  Memory m;
  assert_true(memory_open(&m, 1 << 20));
  for (int i = 0; i < 200000; i++) {
    uint64_t at = memory_heap_alloc(&m, 1000, 16, 0);
    assert_true(at);
    m.bytes[at] = 1;
    memory_heap_free(&m, memory_heap_find(&m, at));
  }
  for (int i = 0; i < 500; i++) {
    uint64_t at = memory_heap_alloc(&m, 900000, 16, 0);
    assert_true(at);
    memset(m.bytes + at, 1, 900000);
    memory_heap_free(&m, memory_heap_find(&m, at));
  }
  FILE *f = fopen("/proc/self/statm", "r");
  unsigned long total, resident = 0;
  if (f) {
    assert_int_equal(fscanf(f, "%lu %lu", &total, &resident), 2);
    fclose(f);
  }
  assert_true(resident < (300 << 20) / 4096);
  assert_int_equal(memory_heap_alloc(&m, 2 << 20, 16, 0), 0); /* beyond the limit */
  memory_close(&m);
}

static void test_shadow_of_every_size(void **unused) {
  (void)unused;
  Memory m;
  assert_true(memory_open(&m, 1 << 20));
  for (uint64_t size = 0; size < 70; size++)
    for (int read_only = 0; read_only < 2; read_only++) {
      uint64_t at = memory_new_static(&m, 0, size, 8);
      memory_allow(&m, at, size, read_only);
      for (uint64_t from = 0; from <= size + 2; from++)
        for (uint64_t n = 1; n <= size + 3; n++) {
          bool inside = from + n <= size;
          assert_int_equal(memory_may_read(&m, at + from, n), inside);
          assert_int_equal(memory_may_write(&m, at + from, n), inside && !read_only);
        }
      assert_false(memory_may_read(&m, at - 8, 8));
    }
  assert_false(memory_may_read(&m, 0, 1));
  assert_false(memory_may_read(&m, UINT64_MAX, 1));
  assert_false(memory_may_read(&m, m.span - 1, 2));
  assert_false(memory_may_read(&m, 64, UINT64_MAX));
  memory_close(&m);
}

static void test_stack_zones(void **unused) {
  (void)unused;
  Memory m;
  StackZone a, b;
  assert_true(memory_open(&m, 1 << 30));
  assert_true(memory_new_zone(&m, &a) && memory_new_zone(&m, &b));
  uint64_t mark = a.top, x = memory_push(&m, &a, 100, 64, 7);
  uint64_t y = memory_push(&m, &a, 5, 1, 0);
  assert_true(x % 64 == 0 && y >= x + 100 + 16);
  memory_allow(&m, x, 100, false);
  memory_allow(&m, y, 5, false);
  assert_int_equal(memory_maker(&m, x, 100), 7);
  assert_int_equal(memory_maker(&m, y, 5), 0);
  memory_pop(&m, &a, mark);
  assert_false(memory_may_read(&m, x, 1));
  assert_false(memory_may_read(&m, y, 1));
  assert_int_equal(memory_push(&m, &a, UINT64_C(1) << 50, 16, 0), 0);
  memory_drop_zone(&m, &a);
  assert_true(memory_new_zone(&m, &a));
  assert_true(a.base != b.base);
  memory_close(&m);
}

/* ---- programs ---- */

typedef enum { LOAD, STORE } Access;

/* main accesses 4 bytes at the address; the run must stop there and say the words. */
static void expect_fault(Access access, ExprId (*address)(Prog *), const char *words) {
  Prog g = prog_new();
  static const char text[] = "abc";
  ObjectId counter = prog_global(&g, "counter", 4, NULL);
  ObjectId literal = prog_global(&g, "greeting", 4, text);
  ObjectId elsewhere = prog_global(&g, "elsewhere", 4, NULL);
  g.p->objects.data[literal].flags = OBJECT_CONSTANT;
  g.p->objects.data[elsewhere].flags = OBJECT_EXTERNAL;
  (void)counter;
  FuncId main = prog_begin(&g, "main", 32, SORT_INT);
  ExprId at = address(&g);
  LocalId v = prog_local(&g, SORT_INT, 32), p = prog_local(&g, SORT_PTR, 64);
  prog_assign(&g, p, at);
  for (int direct = 0; direct < 2; direct++) {
    ExprId where = direct ? at : prog_use(&g, p);
    if (access == LOAD)
      prog_load(&g, v, where);
    else
      prog_store(&g, where, prog_int(&g, 32, 1));
  }
  prog_return(&g, prog_int(&g, 32, 0));
  prog_end(&g);
  char said[256];
  ExecResult r = prog_run(prog_finish(&g, main), (ExecOptions){0}, said);
  assert_int_equal(r.end, EXEC_STOPPED);
  if (!strstr(said, words)) fail_msg("'%s' does not say '%s'", said, words);
  prog_free(&g);
}

static ExprId at_null(Prog *g) {
  return builder_const(g->b, SORT_PTR, 64, 0);
}
static ExprId at_end(Prog *g) {
  return builder_offset(g->b, prog_at(g, 1), prog_int(g, 64, 1));
}
static ExprId at_before(Prog *g) {
  return builder_offset(g->b, prog_at(g, 1), prog_int(g, 64, (uint64_t)-4));
}
static ExprId at_literal(Prog *g) {
  return prog_at(g, 2);
}
static ExprId at_external(Prog *g) {
  return prog_at(g, 3);
}
static ExprId at_nowhere(Prog *g) {
  return builder_const(g->b, SORT_PTR, 64, UINT64_C(0xdeadbeefdeadbeef));
}

static void test_faults(void **unused) {
  (void)unused;
  expect_fault(LOAD, at_null, "load of 4 bytes at null");
  expect_fault(STORE, at_null, "prog.c:2:1: store of 4 bytes at null");
  expect_fault(LOAD, at_end, "1 bytes into counter, past its end");
  expect_fault(STORE, at_before, "in no live object");
  expect_fault(STORE, at_literal, "greeting, which is read-only");
  expect_fault(LOAD, at_external, "elsewhere, an external object that is not modelled");
  expect_fault(STORE, at_nowhere, "0xdeadbeefdeadbeef, in no live object");
}

/* A relocated initialiser, a copy, a fill and a stack object of variable size. */
static void test_block_operations(void **unused) {
  (void)unused;
  Prog g = prog_new();
  uint32_t numbers[4] = {1, 2, 3, 4};
  ObjectId array = prog_global(&g, "array", 16, numbers),
           pointer = prog_global(&g, "p", 8, NULL);
  Object *o = &g.p->objects.data[pointer];
  o->first_reloc = g.p->relocs.len;
  o->reloc_count = 1;
  ExprId third = builder_offset(g.b, prog_at(&g, array), prog_int(&g, 64, 8));
  vec_push(&g.p->relocs, (Reloc){.offset = 0, .target = third, .size = 8});
  FuncId main = prog_begin(&g, "main", 32, SORT_INT);
  Object dynamic = {.kind = OBJECT_STACK,
                    .flags = OBJECT_DYNAMIC,
                    .owner = main,
                    .align = 16,
                    .name = builder_sym(g.b, "vla")};
  dynamic.site =
      g.p->edges.len + 1; /* the second edge of main; bodies are appended in order */
  vec_push(&g.p->objects, dynamic);
  ObjectId vla = g.p->objects.len - 1;
  LocalId p = prog_local(&g, SORT_PTR, 64), q = prog_local(&g, SORT_PTR, 64);
  LocalId v = prog_local(&g, SORT_INT, 32), n = prog_local(&g, SORT_INT, 64);
  prog_assign(&g, n, prog_int(&g, 64, 16));
  prog_edge(&g, (Edge){.op = OP_ALLOCA, .dst = q, .a = prog_use(&g, n), .aux = vla});
  prog_edge(&g, (Edge){.op = OP_COPY,
                       .a = prog_use(&g, q),
                       .b = prog_at(&g, array),
                       .c = prog_use(&g, n)});
  prog_edge(&g, (Edge){.op = OP_FILL,
                       .a = prog_use(&g, q),
                       .b = prog_int(&g, 8, 7),
                       .c = prog_int(&g, 64, 1)});
  prog_load(&g, p, prog_at(&g, pointer));
  prog_load(&g, v, prog_use(&g, p));
  prog_assert(&g, builder_compare(g.b, EXPR_EQ, prog_use(&g, v), prog_int(&g, 32, 3)));
  prog_load(&g, v, prog_use(&g, q));
  prog_return(&g, prog_use(&g, v));
  prog_end(&g);
  char text[256];
  ExecResult r = prog_run(prog_finish(&g, main), (ExecOptions){0}, text);
  if (r.end != EXEC_EXITED) fail_msg("%s", text);
  assert_int_equal(r.status, 7);
  prog_free(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_heap_is_exact),
      cmocka_unit_test(test_freed_pages_return),
      cmocka_unit_test(test_shadow_of_every_size),
      cmocka_unit_test(test_stack_zones),
      cmocka_unit_test(test_faults),
      cmocka_unit_test(test_block_operations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
