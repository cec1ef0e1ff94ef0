/* Memory of the abstract machine: where addresses point, reading and writing cells.
 *
 * A write through an address whose place is not known exactly makes everything that it
 * may hit TOP; a read through one gives TOP. For an address that is TOP itself the
 * points-to analysis names the objects, and every instance of them counts. */
#include "engine/interleave/machine.h"

#include <assert.h>

enum {
  MAX_CELLS = 2048,  /* of one instance: more make all of it TOP */
  MAX_COPIED = 4096, /* bytes that are copied cell by cell */
};

/* ---- where ---- */

static Outcome add_object(Machine *m, ObjectId object) {
  for (uint32_t i = 0; i < m->s.instances.len; i++)
    if (m->s.instances.data[i].object == object)
      vec_push(&m->places, (MemPlace){i, 0, true});
  return OUTCOME_NEXT;
}

static Outcome resolve_top(Machine *m, ExprId expr) {
  Targets t = pointsto_expr(m->facts->pointsto, expr);
  bool somewhere = false;
  if (t.unknown) return il_give_up(m, "an address of unknown origin is used");
  for (uint32_t i = 0; i < t.count; i++) {
    if (t.targets[i].function) continue;
    AObject object = t.targets[i].object;
    if (i && !t.targets[i - 1].function && t.targets[i - 1].object == object) continue;
    switch (pointsto_object_kind(m->facts->pointsto, object)) {
    case AOBJECT_PROGRAM:
    case AOBJECT_CONTEXT:
      add_object(m, pointsto_object(m->facts->pointsto, object));
      break;
    case AOBJECT_VARARGS: somewhere = true; break;
    case AOBJECT_ARGUMENTS:
      if (m->t != 0) return il_give_up(m, "a thread uses the arguments of the program");
      somewhere = true;
      break;
    default: return il_give_up(m, "an address inside of a library is used");
    }
  }
  if (!m->places.len && !somewhere)
    return il_give_up(m, "an address is used that points nowhere");
  return OUTCOME_NEXT;
}

Outcome il_memory_resolve(Machine *m, AbsValue address, ExprId expr) {
  vec_clear(&m->places);
  if (abs_is_top(address)) return resolve_top(m, expr);
  if (abs_is_number(address)) {
    if (address.num < NULL_PAGE) return OUTCOME_PRUNED;
    return il_give_up(m, "a number is used as an address");
  }
  if (!abs_is_address(address)) return il_give_up(m, "a function is used as memory");
  bool within = abs_tag(address) == ABS_WITHIN;
  if (!within && address.num >= SIZE_UNKNOWN)
    return il_give_up(m, "an address lies outside of its object");
  vec_push(&m->places,
           (MemPlace){abs_id(address), within ? 0 : (uint32_t)address.num, within});
  return OUTCOME_NEXT;
}

/* The bytes of a semaphore or a once flag, or of a lock that somebody holds. */
static bool overwrites(const Machine *m, uint32_t instance, uint64_t from, uint64_t to) {
  enum { OTHER_BYTES = 32 };
  for (uint32_t i = 0; i < m->s.syncs.len; i++) {
    const Sync *y = &m->s.syncs.data[i];
    uint64_t bytes = y->kind == SYNC_ONCE ? ONCE_BYTES : OTHER_BYTES;
    if (y->instance != instance || from >= y->offset + bytes || to <= y->offset) continue;
    if (y->kind == SYNC_ONCE || y->kind == SYNC_SEM ||
        (y->kind == SYNC_LOCK && (y->owner || y->readers)))
      return true;
  }
  return false;
}

Outcome il_memory_access(Machine *m, uint32_t size, uint32_t kind) {
  for (uint32_t n = 0; n < m->places.len; n++) {
    MemPlace place = m->places.data[n];
    const Instance *i = &m->s.instances.data[place.instance];
    uint64_t from = place.within ? 0 : place.offset;
    uint64_t to = place.within || size == SIZE_UNKNOWN ? i->size : from + size;
    bool inside = i->size == SIZE_UNKNOWN || to <= i->size;
    if (!inside || to > SIZE_UNKNOWN)
      return il_give_up(m, "an access lies outside of its object");
    if (size == 0 || from >= to) continue;
    Outcome out =
        il_happens_access(m, place.instance, (uint32_t)from, (uint32_t)to, kind);
    if (out != OUTCOME_NEXT) return out;
    if ((kind & (ACCESS_WRITE | ACCESS_ATOMIC)) == ACCESS_WRITE)
      il_weak_overwritten(&m->s, place.instance, from, to);
    if ((kind & ACCESS_WRITE) && overwrites(m, place.instance, from, to))
      return il_give_up(m, "an object of synchronisation in use is written as data");
    /* others may be about to use it, whatever was seen of them so far */
    if (kind == ACCESS_WRITE && facts_is_sync(m->facts, place.instance, from, to) &&
        state_live_threads(&m->s) != UINT64_C(1) << m->t)
      return il_give_up(m, "an object of synchronisation is written as data");
    if (m->s.instances.data[place.instance].dead && m->places.len == 1)
      return il_give_up(m, "memory is used after the end of its life");
  }
  return OUTCOME_NEXT;
}

/* ---- cells ---- */

/* The first cell of the instance that ends behind `offset`. */
static uint32_t cell_at(const State *s, uint32_t instance, uint64_t offset) {
  uint32_t low = 0, high = s->cells.len;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    const Cell *c = &s->cells.data[middle];
    bool before = c->instance < instance ||
                  (c->instance == instance && (uint64_t)c->offset + c->size <= offset);
    if (before)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool cell_is(const State *s, uint32_t at, uint32_t instance, uint64_t end) {
  return at < s->cells.len && s->cells.data[at].instance == instance &&
         s->cells.data[at].offset < end;
}

static AbsValue part_of(Machine *m, const Cell *c, uint64_t from, uint32_t size) {
  if (from == c->offset && size == c->size) return c->value;
  if (abs_is_number(c->value)) {
    uint64_t v = c->value.num >> (8 * (from - c->offset));
    return abs_number(size >= 8 ? v : v & ((UINT64_C(1) << (8 * size)) - 1));
  }
  if (!abs_is_top(c->value)) m->s.lost = true;
  return abs_top();
}

static AbsValue default_of(Machine *m, const Instance *i, uint64_t from, uint32_t size) {
  if (i->contents == DEFAULT_TOP || size > 8) return abs_top();
  if (i->contents == DEFAULT_ZERO) return abs_number(0);
  return facts_initial(m->facts, i->object, from, size);
}

/* The contents piece by piece: from `*at` up to the next boundary, at most 8 bytes where
 * they come from an initial value. */
static uint32_t next_piece(Machine *m, uint32_t instance, uint64_t from, uint64_t end,
                           AbsValue *ret_value) {
  const State *s = &m->s;
  uint32_t at = cell_at(s, instance, from);
  assert(from < end);
  if (cell_is(s, at, instance, from + 1)) {
    Cell c = s->cells.data[at];
    uint64_t stop = (uint64_t)c.offset + c.size < end ? (uint64_t)c.offset + c.size : end;
    *ret_value = part_of(m, &c, from, (uint32_t)(stop - from));
    return (uint32_t)(stop - from);
  }
  uint64_t stop = cell_is(s, at, instance, end) ? s->cells.data[at].offset : end;
  const Instance *i = &s->instances.data[instance];
  if (i->contents != DEFAULT_TOP && stop - from > 8) stop = (from & ~UINT64_C(7)) + 8;
  *ret_value = default_of(m, i, from, (uint32_t)(stop - from));
  return (uint32_t)(stop - from);
}

AbsValue il_memory_peek(Machine *m, uint32_t instance, uint32_t offset, uint32_t size) {
  AbsValue v;
  uint32_t n = next_piece(m, instance, offset, (uint64_t)offset + size, &v);
  if (n == size) return v;
  uint64_t all = 0;
  bool known = size <= 8;
  for (uint32_t done = 0; done < size;) {
    n = next_piece(m, instance, (uint64_t)offset + done, (uint64_t)offset + size, &v);
    if (!abs_is_number(v)) {
      if (!abs_is_top(v)) m->s.lost = true;
      known = false;
    } else if (known) {
      all |= v.num << (8 * done);
    }
    done += n;
  }
  return known ? abs_number(all) : abs_top();
}

AbsValue il_memory_read(Machine *m, uint32_t size) {
  if (m->places.len == 1 && !m->places.data[0].within)
    return il_memory_peek(m, m->places.data[0].instance, m->places.data[0].offset, size);
  if (size >= 8) m->s.lost = true; /* an address may be among what is read */
  return abs_top();
}

static bool cell_is_before(const Cell *a, const Cell *b) {
  return a->instance < b->instance ||
         (a->instance == b->instance && (uint64_t)a->offset + a->size <= b->offset);
}

static void insert_cell(State *s, uint32_t at, Cell cell) {
  vec_push(&s->cells, cell);
  memmove(&s->cells.data[at + 1], &s->cells.data[at],
          (s->cells.len - 1 - at) * sizeof cell);
  s->cells.data[at] = cell;
  /* they are searched by halves */
  assert(!at || cell_is_before(&s->cells.data[at - 1], &s->cells.data[at]));
  assert(at + 1 == s->cells.len ||
         cell_is_before(&s->cells.data[at], &s->cells.data[at + 1]));
}

static void drop_cells(State *s, uint32_t from, uint32_t to) {
  assert(from <= to && to <= s->cells.len);
  if (from == to) return;
  memmove(&s->cells.data[from], &s->cells.data[to],
          (s->cells.len - to) * sizeof *s->cells.data);
  s->cells.len -= to - from;
}

/* Removes the range; what cells have on its sides stays. Returns where a cell for the
 * range belongs. */
static uint32_t cut(Machine *m, uint32_t instance, uint64_t from, uint64_t end) {
  State *s = &m->s;
  uint32_t at = cell_at(s, instance, from);
  if (cell_is(s, at, instance, from)) { /* begins before */
    Cell c = s->cells.data[at];
    Cell left = c;
    left.size = (uint32_t)(from - c.offset);
    left.value = part_of(m, &c, c.offset, left.size);
    s->cells.data[at] = left;
    at++;
    uint64_t c_end = (uint64_t)c.offset + c.size;
    if (c_end > end) {
      Cell right = {.instance = instance,
                    .offset = (uint32_t)end,
                    .size = (uint32_t)(c_end - end),
                    .value = part_of(m, &c, end, (uint32_t)(c_end - end))};
      insert_cell(s, at, right);
      return at;
    }
  }
  uint32_t stop = at;
  while (cell_is(s, stop, instance, end)) {
    Cell *c = &s->cells.data[stop];
    uint64_t c_end = (uint64_t)c->offset + c->size;
    if (c_end > end) {
      Cell old = *c;
      c->offset = (uint32_t)end;
      c->size = (uint32_t)(c_end - end);
      c->value = part_of(m, &old, end, c->size);
      break;
    }
    stop++;
  }
  drop_cells(s, at, stop);
  return at;
}

static uint32_t count_cells(const State *s, uint32_t instance) {
  return cell_at(s, instance + 1, 0) - cell_at(s, instance, 0);
}

/* Nothing is known about the contents from now on. */
static void forget_all(Machine *m, uint32_t instance) {
  State *s = &m->s;
  Instance *i = &s->instances.data[instance];
  uint32_t first = cell_at(s, instance, 0), last = first;
  for (; last < s->cells.len && s->cells.data[last].instance == instance; last++)
    s->lost = s->lost || abs_is_address(s->cells.data[last].value);
  drop_cells(s, first, last);
  if (i->contents == DEFAULT_INITIAL && vec_at(&m->p->objects, i->object)->reloc_count)
    s->lost = true;
  i->contents = DEFAULT_TOP;
}

/* Memory that races, or that code outside of the program writes as well: its contents
 * stay TOP. */
static bool is_foreign(const Machine *m, uint32_t instance) {
  ObjectId object = m->s.instances.data[instance].object;
  return (vec_at(&m->p->objects, object)->flags & OBJECT_EXTERNAL) ||
         facts_is_havocked(m->facts, object);
}

static void write_at(Machine *m, uint32_t instance, uint64_t offset, uint32_t size,
                     AbsValue value) {
  if (!size) return;
  if (is_foreign(m, instance)) {
    m->s.lost = m->s.lost || abs_is_address(value);
    return;
  }
  if (size > 8 || (!abs_is_number(value) && size != 8)) {
    if (abs_is_address(value)) m->s.lost = true;
    value = abs_top();
  }
  uint32_t at = cut(m, instance, offset, offset + size);
  Cell cell = {
      .instance = instance, .offset = (uint32_t)offset, .size = size, .value = value};
  insert_cell(&m->s, at, cell);
  if (count_cells(&m->s, instance) > MAX_CELLS) forget_all(m, instance);
}

void il_memory_write(Machine *m, uint32_t size, AbsValue value) {
  if (m->places.len == 1 && !m->places.data[0].within) {
    write_at(m, m->places.data[0].instance, m->places.data[0].offset, size, value);
    return;
  }
  if (abs_is_address(value)) m->s.lost = true;
  for (uint32_t n = 0; n < m->places.len; n++) forget_all(m, m->places.data[n].instance);
}

void il_memory_forget(Machine *m, uint32_t size) {
  bool exact = m->places.len == 1 && !m->places.data[0].within;
  const MemPlace *place = exact ? &m->places.data[0] : NULL;
  uint32_t whole = exact ? m->s.instances.data[place->instance].size : 0;
  if (exact && size == SIZE_UNKNOWN && whole != SIZE_UNKNOWN)
    size = whole > place->offset ? whole - place->offset : 0;
  if (!exact || size == SIZE_UNKNOWN) {
    for (uint32_t n = 0; n < m->places.len; n++)
      forget_all(m, m->places.data[n].instance);
    return;
  }
  /* the addresses that are overwritten are gone, not hidden */
  write_at(m, place->instance, place->offset, size, abs_top());
}

/* ---- operations ---- */

Outcome il_memory_load(Machine *m, ExprId address, uint32_t size, uint32_t kind,
                       AbsValue *ret_value) {
  Outcome out = il_memory_resolve(m, il_eval(m, address), address);
  if (out == OUTCOME_NEXT) out = il_memory_access(m, size, kind);
  if (out == OUTCOME_NEXT) *ret_value = il_memory_read(m, size);
  return out;
}

Outcome il_memory_store(Machine *m, ExprId address, uint32_t size, uint32_t kind,
                        AbsValue value) {
  Outcome out = il_memory_resolve(m, il_eval(m, address), address);
  if (out == OUTCOME_NEXT) out = il_memory_access(m, size, kind | ACCESS_WRITE);
  if (out == OUTCOME_NEXT) il_memory_write(m, size, value);
  return out;
}

static uint32_t size_of(AbsValue size) {
  return abs_is_number(size) && size.num < SIZE_UNKNOWN ? (uint32_t)size.num
                                                        : SIZE_UNKNOWN;
}

Outcome il_memory_copy(Machine *m, ExprId to, ExprId from, AbsValue bytes) {
  uint32_t size = size_of(bytes);
  if (size == 0) return OUTCOME_NEXT;
  AbsValue target = il_eval(m, to), source = il_eval(m, from);
  Outcome out = il_memory_resolve(m, source, from);
  if (out == OUTCOME_NEXT) out = il_memory_access(m, size, ACCESS_READ);
  if (out != OUTCOME_NEXT) return out;
  bool exact = m->places.len == 1 && !m->places.data[0].within && size <= MAX_COPIED;
  vec_clear(&m->scratch);
  if (exact) {
    MemPlace place = m->places.data[0];
    for (uint32_t done = 0; done < size;) {
      Cell c = {.offset = done};
      c.size = next_piece(m, place.instance, (uint64_t)place.offset + done,
                          (uint64_t)place.offset + size, &c.value);
      vec_push(&m->scratch, c);
      done += c.size;
    }
  } else {
    m->s.lost = true;
  }
  out = il_memory_resolve(m, target, to);
  if (out == OUTCOME_NEXT) out = il_memory_access(m, size, ACCESS_WRITE);
  if (out != OUTCOME_NEXT) return out;
  if (!exact || m->places.len != 1 || m->places.data[0].within) {
    m->s.lost = true;
    il_memory_forget(m, size);
    return OUTCOME_NEXT;
  }
  MemPlace place = m->places.data[0];
  for (uint32_t i = 0; i < m->scratch.len; i++) {
    const Cell *c = &m->scratch.data[i];
    write_at(m, place.instance, (uint64_t)place.offset + c->offset, c->size, c->value);
  }
  return OUTCOME_NEXT;
}

Outcome il_memory_fill(Machine *m, ExprId to, AbsValue byte, AbsValue bytes) {
  uint32_t size = size_of(bytes);
  if (size == 0) return OUTCOME_NEXT;
  Outcome out = il_memory_resolve(m, il_eval(m, to), to);
  if (out == OUTCOME_NEXT) out = il_memory_access(m, size, ACCESS_WRITE);
  if (out != OUTCOME_NEXT) return out;
  bool exact = m->places.len == 1 && !m->places.data[0].within;
  if (!exact || size > MAX_COPIED || !abs_is_number(byte)) {
    il_memory_forget(m, size);
    return OUTCOME_NEXT;
  }
  MemPlace place = m->places.data[0];
  uint64_t pattern = (byte.num & 0xff) * UINT64_C(0x0101010101010101);
  for (uint32_t done = 0; done < size;) {
    uint32_t n = 8 - (uint32_t)((place.offset + done) & 7);
    if (n > size - done) n = size - done;
    uint64_t v = n == 8 ? pattern : pattern & ((UINT64_C(1) << (8 * n)) - 1);
    write_at(m, place.instance, (uint64_t)place.offset + done, n, abs_number(v));
    done += n;
  }
  return OUTCOME_NEXT;
}

Outcome il_memory_end(Machine *m, uint32_t instance) {
  State *s = &m->s;
  Outcome out =
      il_happens_access(m, instance, 0, s->instances.data[instance].size, ACCESS_WRITE);
  if (out != OUTCOME_NEXT) return out;
  il_weak_overwritten(s, instance, 0, SIZE_UNKNOWN);
  uint32_t first = cell_at(s, instance, 0), last = first;
  while (last < s->cells.len && s->cells.data[last].instance == instance) last++;
  drop_cells(s, first, last);
  s->instances.data[instance].dead = 1;
  return OUTCOME_NEXT;
}
