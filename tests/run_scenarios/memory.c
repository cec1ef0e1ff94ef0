/* Sizes, structures, the heap, the stack, thread-local data. */
#include "scenario.h"

#include <stdint.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
SHARED union {
  uint64_t whole;
  uint32_t half[2];
  uint8_t byte[8];
} u;
SHARED struct {
  char a, b;
  short c;
  int d;
} fields;
SHARED struct {
  unsigned one : 4, two : 4;
} bits;
SHARED char text[64], copy[64];
SHARED int numbers[16];
static __thread int own;

THREAD(writes_whole) {
  u.whole = 1;
  return NULL;
}
THREAD(writes_byte) {
  later();
  u.byte[5] = 2;
  return NULL;
}
THREAD(writes_low_half) {
  u.half[0] = 3;
  return NULL;
}
SCENARIO(byte_of_word, RACE) {
  both(writes_whole, writes_byte);
}
SCENARIO(other_half, CLEAN) {
  both(writes_low_half, writes_byte);
}
THREAD(writes_byte_four) {
  later();
  u.byte[4] = 2;
  return NULL;
}
SCENARIO(neighbouring_bytes, CLEAN) {
  both(writes_byte_four, writes_byte);
}
THREAD(unaligned) {
  later();
  uint32_t value = 7;
  memcpy(&u.byte[2], &value, sizeof value);
  return NULL;
}
SCENARIO(unaligned_overlap, RACE) {
  both(writes_low_half, unaligned);
}

THREAD(field_a) {
  fields.a = 1;
  return NULL;
}
THREAD(field_b) {
  later();
  fields.b = 1;
  return NULL;
}
THREAD(all_fields) {
  later();
  memset(&fields, 0, sizeof fields);
  return NULL;
}
SCENARIO(different_fields, CLEAN) {
  both(field_a, field_b);
}
SCENARIO(field_and_memset, RACE) {
  both(field_a, all_fields);
}
THREAD(bit_one) {
  bits.one = 3;
  return NULL;
}
THREAD(bit_two) {
  later();
  bits.two = 5;
  return NULL;
}
SCENARIO(bit_fields, RACE) {
  both(bit_one, bit_two);
}

THREAD(copies_text) {
  memcpy(copy, text, sizeof copy);
  return NULL;
}
THREAD(changes_text) {
  later();
  text[40] = 'x';
  return NULL;
}
THREAD(changes_copy) {
  later();
  copy[40] = 'x';
  return NULL;
}
SCENARIO(memcpy_source, RACE) {
  both(copies_text, changes_text);
}
SCENARIO(memcpy_target, RACE) {
  both(copies_text, changes_copy);
}
SCENARIO(memcpy_twice_source, CLEAN) {
  char here[64];
  pthread_t t = start(copies_text, NULL);
  memcpy(here, text, sizeof here);
  finish(t);
}
THREAD(even) {
  for (int i = 0; i < 16; i += 2) numbers[i]++;
  return NULL;
}
THREAD(odd) {
  for (int i = 1; i < 16; i += 2) numbers[i]++;
  return NULL;
}
THREAD(third) {
  later();
  for (int i = 0; i < 16; i += 3) numbers[i]++;
  return NULL;
}
SCENARIO(even_and_odd, CLEAN) {
  both(even, odd);
}
SCENARIO(even_and_third, RACE) {
  both(even, third);
}

THREAD(own_data) {
  own++;
  return NULL;
}
SCENARIO(thread_local_data, CLEAN) {
  both(own_data, own_data);
}
SHARED int *leaked;
THREAD(leaks_own) {
  own = 1;
  leaked = &own;
  later();
  later();
  own = 2;
  return NULL;
}
SCENARIO(thread_local_leaked, RACE) {
  pthread_t t = start(leaks_own, NULL);
  later();
  *leaked = 3;
  finish(t);
}

/* Blocks that are freed and come back are other blocks. */
SHARED int *shared;
THREAD(own_block) {
  for (int i = 0; i < 3; i++) {
    volatile int *p = malloc(sizeof *p);
    *p = i;
    free((void *)p);
  }
  return NULL;
}
THREAD(late_own_block) {
  later();
  return own_block(NULL);
}
SCENARIO(heap_own_blocks, CLEAN) {
  both(own_block, late_own_block);
}
THREAD(writes_shared) {
  later();
  *shared = 1;
  return NULL;
}
SCENARIO(heap_handed_over, CLEAN) {
  shared = malloc(sizeof *shared);
  *shared = 0;
  finish(start(writes_shared, NULL));
  free(shared);
}
SCENARIO(heap_shared, RACE) {
  shared = malloc(sizeof *shared);
  pthread_t t = start(writes_shared, NULL);
  *shared = 0;
  finish(t);
  free(shared);
}
THREAD(frees_shared) {
  later();
  later();
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  free(shared);
  return NULL;
}
THREAD(writes_then_locks) {
  *shared = 1;
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return NULL;
}
SCENARIO(heap_free_races, RACE) {
  shared = malloc(sizeof *shared);
  both(writes_then_locks, frees_shared);
}
/* Through a list under a lock: what is taken out belongs to who took it. */
SHARED struct Node {
  struct Node *next;
  int value;
} *list;
THREAD(pushes) {
  for (int i = 0; i < 3; i++) {
    struct Node *n = malloc(sizeof *n);
    n->value = i;
    pthread_mutex_lock(&m);
    n->next = list;
    list = n;
    pthread_mutex_unlock(&m);
  }
  return NULL;
}
THREAD(pops) {
  for (int i = 0; i < 3; i++) {
    later();
    pthread_mutex_lock(&m);
    struct Node *n = list;
    if (n) list = n->next;
    pthread_mutex_unlock(&m);
    if (n) {
      n->value++;
      free(n);
    }
  }
  return NULL;
}
SCENARIO(heap_list, CLEAN) {
  both(pushes, pops);
}
THREAD(pushes_then_touches) {
  struct Node *n = malloc(sizeof *n);
  n->value = 1;
  n->next = NULL;
  pthread_mutex_lock(&m);
  list = n;
  pthread_mutex_unlock(&m);
  n->value = 2;
  return NULL;
}
THREAD(late_reads_node) {
  later();
  pthread_mutex_lock(&m);
  struct Node *n = list;
  pthread_mutex_unlock(&m);
  if (n) n->value = 3;
  return NULL;
}
SCENARIO(heap_touched_after_push, RACE) {
  both(pushes_then_touches, late_reads_node);
}
SCENARIO(heap_realloc, CLEAN) {
  int *p = malloc(16);
  p[0] = 1;
  pthread_t t = start(own_block, NULL);
  p = realloc(p, 4000);
  p[0]++;
  finish(t);
  free(p);
}

/* A local of one thread that another one is given. */
THREAD(writes_argument) {
  later();
  *(int *)argument = 1;
  return NULL;
}
SCENARIO(stack_joined, CLEAN) {
  int local = 0;
  finish(start(writes_argument, &local));
  local++;
  if (local > 5) abort();
}
SCENARIO(stack_shared, RACE) {
  int local = 0;
  pthread_t t = start(writes_argument, &local);
  local = 2;
  finish(t);
  if (local > 5) abort();
}
SCENARIO(stack_one_each, CLEAN) {
  int locals[2] = {0, 0};
  pthread_t t = start(writes_argument, &locals[0]),
            v = start(writes_argument, &locals[1]);
  finish(t);
  finish(v);
  if (locals[0] + locals[1] > 5) abort();
}
static pthread_key_t key;
SHARED int destroyed;
static void destroy(void *data) {
  (void)data;
  destroyed++;
}
THREAD(sets_key) {
  later();
  pthread_setspecific(key, &destroyed);
  return NULL;
}
SCENARIO(destructors, RACE) {
  pthread_key_create(&key, destroy);
  both(sets_key, sets_key);
}
SCENARIO(destructor_then_join, CLEAN) {
  pthread_key_create(&key, destroy);
  finish(start(sets_key, NULL));
  destroyed++;
}
