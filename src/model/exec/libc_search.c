/* Tables of search.h: hash tables, binary trees, and queues.
 *
 * A hash table is an array of entries in the program's memory, in the order in which they came; a
 * search compares one key after the other, which the standard allows and which makes every use of a
 * key that the table keeps visible. A tree is not balanced: nobody is promised that it is. Each
 * comparison of a tree is a callback, and the place that it has come to is call->state. */
#include "model/exec/libc_args.h"
#include "model/exec/libc_state.h"

#include "base/mem.h"

#include <errno.h>
#include <search.h>

/* ---- hash tables: struct hsearch_data is the address of the entries, room, filled ---- */

typedef struct {
  uint64_t entries;
  uint32_t room, filled;
} HashTable;

enum { ENTRY_BYTES = 16, NODE_BYTES = 24, NODE_LEFT = 8, NODE_RIGHT = 16 };

_Static_assert(sizeof(HashTable) == sizeof(struct hsearch_data),
               "a table lies in the program's structure");

static uint64_t own_table(NativeCall *call) {
  return libc_static(call->exec, exec_libc(call->exec), STATIC_HASH_TABLE, NULL,
                     sizeof(HashTable));
}

static NativeStatus table_new(NativeCall *call, uint64_t at) {
  HashTable table;
  uint64_t room = arg_u64(call, 0);
  if (!exec_read(call->exec, at, &table, sizeof table)) return NATIVE_STOP;
  if (table.entries) return ret_int(call, 0); /* there is one already */
  if (room >= UINT32_MAX / ENTRY_BYTES) return ret_errno(call, ENOMEM, 0);
  if (room < 3) room = 3;
  table = (HashTable){.room = (uint32_t)room};
  table.entries = libc_lend(call->exec, exec_libc(call->exec), NULL, room * ENTRY_BYTES);
  if (!table.entries) return ret_errno(call, ENOMEM, 0);
  return libc_put(call, at, &table, sizeof table) ? ret_int(call, 1) : NATIVE_STOP;
}

static NativeStatus table_end(NativeCall *call, uint64_t at) {
  HashTable none = {0};
  return libc_put(call, at, &none, sizeof none) ? ret_void(call) : NATIVE_STOP;
}

/* False: stop. *ret_entry is 0 if there is none. */
static bool find_entry(NativeCall *call, const HashTable *table, uint64_t key,
                       uint64_t *ret_entry) {
  *ret_entry = 0;
  const char *wanted = libc_string(call, key, NULL);
  if (!wanted) return false;
  for (uint32_t i = 0; i < table->filled; i++) {
    uint64_t at = table->entries + (uint64_t)i * ENTRY_BYTES, kept;
    if (!exec_read(call->exec, at, &kept, sizeof kept)) return false;
    size_t length;
    const char *text = libc_string(call, kept, &length);
    if (!text) return false;
    exec_note_read(call->exec, kept, length + 1); /* nobody says how keys are compared */
    if (strcmp(text, wanted) != 0) continue;
    *ret_entry = at;
    return true;
  }
  return true;
}

/* The entry is a structure by value: one wide argument, or two words. What follows it begins at
 * *ret_next. */
static void entry_argument(const NativeCall *call, uint64_t ret_entry[2],
                           unsigned *ret_next) {
  const uint8_t *wide = arg_wide(call, 0);
  *ret_next = wide ? 1 : 2;
  ret_entry[0] = arg_u64(call, 0);
  ret_entry[1] = arg_u64(call, 1);
  if (wide) memcpy(ret_entry, wide, ENTRY_BYTES);
}

/* False: stop. */
static bool search_table(NativeCall *call, uint64_t at, const uint64_t entry[2],
                         bool enters, uint64_t *ret_entry) {
  HashTable table;
  if (!exec_read(call->exec, at, &table, sizeof table)) return false;
  if (!find_entry(call, &table, entry[0], ret_entry)) return false;
  if (*ret_entry) return true;
  if (!enters || table.filled >= table.room) {
    libc_errno(call, enters ? ENOMEM : ESRCH);
    return true;
  }
  *ret_entry = table.entries + (uint64_t)table.filled++ * ENTRY_BYTES;
  return libc_put(call, *ret_entry, entry, ENTRY_BYTES) &&
         libc_put(call, at, &table, sizeof table);
}

static NativeStatus native_hcreate(NativeCall *call) {
  uint64_t at = own_table(call);
  return at ? table_new(call, at) : ret_errno(call, ENOMEM, 0);
}

static NativeStatus native_hcreate_r(NativeCall *call) {
  return table_new(call, arg_u64(call, 1));
}

static NativeStatus native_hdestroy(NativeCall *call) {
  uint64_t at = own_table(call);
  return at ? table_end(call, at) : ret_void(call);
}

static NativeStatus native_hdestroy_r(NativeCall *call) {
  return table_end(call, arg_u64(call, 0));
}

static NativeStatus native_hsearch(NativeCall *call) {
  uint64_t item[2], entry, at = own_table(call);
  unsigned next;
  if (!at) return ret_errno(call, ENOMEM, 0);
  entry_argument(call, item, &next);
  bool enters = arg_int(call, next) == ENTER;
  return search_table(call, at, item, enters, &entry) ? ret_u64(call, entry)
                                                      : NATIVE_STOP;
}

static NativeStatus native_hsearch_r(NativeCall *call) {
  uint64_t item[2], entry;
  unsigned next;
  entry_argument(call, item, &next);
  bool enters = arg_int(call, next) == ENTER;
  if (!search_table(call, arg_u64(call, next + 2), item, enters, &entry) ||
      !libc_put_u64(call, arg_u64(call, next + 1), entry))
    return NATIVE_STOP;
  return ret_int(call, entry != 0);
}

/* ---- trees: a node is the key, then its children ---- */

typedef struct {
  uint64_t slot;  /* where the address of the present node is kept */
  uint64_t above; /* the node that the slot lies in, 0: none */
} TreePlace;

static bool load(NativeCall *call, uint64_t at, uint64_t *ret) {
  return exec_read(call->exec, at, ret, sizeof *ret);
}

/* Goes on to the next comparison. NATIVE_DONE: *ret_node is the node that was found, or 0; *place
 * is where it hangs. */
static NativeStatus descend(NativeCall *call, TreePlace **ret_place, uint64_t *ret_node) {
  TreePlace *place = call->state;
  uint64_t node, key;
  if (call->stage == 0) {
    place = mem_alloc_zero(sizeof *place);
    place->slot = arg_u64(call, 1);
    call->state = place;
    call->drop = mem_free;
  }
  *ret_place = place;
  *ret_node = 0;
  if (!load(call, place->slot, &node)) return NATIVE_STOP;
  if (call->stage) {
    int32_t order = (int32_t)call->returned;
    *ret_node = node;
    if (order == 0) return NATIVE_DONE;
    place->above = node;
    place->slot = node + (order < 0 ? NODE_LEFT : NODE_RIGHT);
    if (!load(call, place->slot, &node)) return NATIVE_STOP;
  }
  *ret_node = node;
  if (!node) return NATIVE_DONE;
  if (!load(call, node, &key)) return NATIVE_STOP;
  call->callback = arg_u64(call, 2);
  call->callback_args[0] = arg_u64(call, 0);
  call->callback_args[1] = key;
  call->callback_argc = 2;
  return NATIVE_CALL;
}

static NativeStatus native_tfind(NativeCall *call) {
  TreePlace *place;
  uint64_t node;
  if (!arg_u64(call, 1)) return ret_u64(call, 0);
  NativeStatus status = descend(call, &place, &node);
  return status == NATIVE_DONE ? ret_u64(call, node) : status;
}

static NativeStatus native_tsearch(NativeCall *call) {
  TreePlace *place;
  uint64_t node;
  if (!arg_u64(call, 1)) return ret_u64(call, 0);
  NativeStatus status = descend(call, &place, &node);
  if (status != NATIVE_DONE || node) {
    if (status == NATIVE_DONE) call->result = node;
    return status;
  }
  uint64_t fields[3] = {arg_u64(call, 0), 0, 0};
  node = libc_new_bytes(call, fields, NODE_BYTES);
  if (!node) return ret_u64(call, 0);
  return libc_put_u64(call, place->slot, node) ? ret_u64(call, node) : NATIVE_STOP;
}

/* Takes the node out: the smallest of its right side comes in its place. */
static bool take_out(NativeCall *call, uint64_t slot, uint64_t node) {
  uint64_t left, right;
  if (!load(call, node + NODE_LEFT, &left) || !load(call, node + NODE_RIGHT, &right))
    return false;
  if (!left || !right) {
    if (!libc_put_u64(call, slot, left ? left : right)) return false;
    return exec_heap_free(call->exec, node);
  }
  uint64_t from = node + NODE_RIGHT, next = right, below, key;
  for (;;) {
    if (!load(call, next + NODE_LEFT, &below)) return false;
    if (!below) break;
    from = next + NODE_LEFT;
    next = below;
  }
  return load(call, next, &key) && libc_put_u64(call, node, key) &&
         take_out(call, from, next);
}

static NativeStatus native_tdelete(NativeCall *call) {
  TreePlace *place;
  uint64_t node;
  if (!arg_u64(call, 1)) return ret_u64(call, 0);
  NativeStatus status = descend(call, &place, &node);
  if (status != NATIVE_DONE || !node) {
    if (status == NATIVE_DONE) call->result = 0;
    return status;
  }
  /* the node above, or, at the root, something that is not null */
  uint64_t above = place->above ? place->above : arg_u64(call, 1);
  return take_out(call, place->slot, node) ? ret_u64(call, above) : NATIVE_STOP;
}

/* ---- queues: the next element, then the one before ---- */

static NativeStatus native_insque(NativeCall *call) {
  uint64_t element = arg_u64(call, 0), before = arg_u64(call, 1), next = 0;
  if (before && !load(call, before, &next)) return NATIVE_STOP;
  bool ok = libc_put_u64(call, element, next) && libc_put_u64(call, element + 8, before);
  if (ok && before) ok = libc_put_u64(call, before, element);
  if (ok && next) ok = libc_put_u64(call, next + 8, element);
  return ok ? ret_void(call) : NATIVE_STOP;
}

static NativeStatus native_remque(NativeCall *call) {
  uint64_t element = arg_u64(call, 0), next, before;
  if (!load(call, element, &next) || !load(call, element + 8, &before))
    return NATIVE_STOP;
  bool ok = !before || libc_put_u64(call, before, next);
  if (ok && next) ok = libc_put_u64(call, next + 8, before);
  return ok ? ret_void(call) : NATIVE_STOP;
}

static const Native natives[] = {
    {"hcreate", native_hcreate, 1},   {"hcreate_r", native_hcreate_r, 2},
    {"hdestroy", native_hdestroy, 0}, {"hdestroy_r", native_hdestroy_r, 1},
    {"hsearch", native_hsearch, 2},   {"hsearch_r", native_hsearch_r, 4},
    {"insque", native_insque, 2},     {"remque", native_remque, 1},
    {"tdelete", native_tdelete, 3},   {"tfind", native_tfind, 3},
    {"tsearch", native_tsearch, 3},
};
NATIVE_TABLE(search, natives);
