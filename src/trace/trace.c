/* Reading traces. See format.h for the invariants of the file and trace.h for what comes
 * out.
 *
 * The blocks are walked in the order of the file, which for each thread is the order of
 * its blocks; those that are open come in a second walk. Their events carry numbers that are nearly dense, so that sorting them is a
 * walk through a table. */
#include "trace/trace.h"

#include "base/proc.h"
#include "trace/pack.h"
#include "trace/shorten.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  const char *path;
  const uint8_t *bytes;
  size_t size;
  uint64_t *next; /* per thread: the number of its next block */
  uint32_t known; /* how many there are */
  bool packed;
  uint8_t *room;  /* for the events of a packed block */
  uint64_t block; /* where the block at hand begins */
  uint64_t last;  /* number of the last event that all threads have come to */
  Trace *trace;
  Err *err;
} Reader;

typedef struct {
  const uint8_t *at, *end;
  bool cut;
} Cursor;

static const struct {
  const char *word;
  uint8_t arguments;
} ops[TRACE_OP_COUNT] = {
#define X(name, word, args) [TRACE_##name] = {word, args},
    TRACE_OPS(X)
#undef X
};

const char *trace_op_word(TraceOp op) {
  return (unsigned)op < TRACE_OP_COUNT ? ops[op].word : "?";
}

TraceOp trace_op_of_word(const char *word, size_t length) {
  for (unsigned i = 1; i < TRACE_OP_COUNT; i++)
    if (strlen(ops[i].word) == length && memcmp(ops[i].word, word, length) == 0)
      return (TraceOp)i;
  return TRACE_NONE;
}

bool trace_op_is_turn(TraceOp op) {
  return op != TRACE_NONE && op != TRACE_ALLOC && op != TRACE_FREE &&
         op != TRACE_FORGET && op != TRACE_MODULE && op != TRACE_BARRIER_INIT &&
         op != TRACE_SEM_INIT && op != TRACE_EVENT_KIND && op != TRACE_VALUES &&
         op != TRACE_FENCE && op != TRACE_GIVE && op != TRACE_TAKE && op != TRACE_FOLD;
}

const char *trace_event_kind(const Trace *trace, const TraceEvent *event,
                             int64_t *ret_values) {
  const TraceThread *t = &trace->threads.data[event->thread];
  memset(ret_values, 0, TRACE_EVENT_VALUES * sizeof *ret_values);
  for (unsigned i = 0; i < 3; i++) ret_values[i] = (int64_t)event->arguments[i];
  if (event->place > 0) {
    const TraceEvent *before = &trace->events.data[t->events.data[event->place - 1]];
    for (unsigned i = 0; before->op == TRACE_VALUES && i < 3; i++)
      ret_values[3 + i] = (int64_t)before->arguments[i];
  }
  for (uint32_t i = 0; i < trace->kinds.len; i++)
    if (trace->kinds.data[i].address == event->object) return trace->kinds.data[i].text;
  return NULL;
}

void trace_add_event(const char *kind, uint32_t thread, const int64_t *values, Str *out) {
  unsigned value = 0;
  size_t length = strcspn(kind, " ");
  str_add_bytes(out, kind, length);
  str_addf(out, ".%u", thread);
  for (kind += length; *kind == ' '; kind += length) {
    length = strcspn(++kind, " ");
    if (*kind == '#' && value < TRACE_EVENT_VALUES)
      str_addf(out, ".%lld", (long long)values[value++]);
    else
      str_addf(out, ".%.*s", (int)length, kind);
  }
}

/* ---- numbers ---------------------------------------------------------------------- */

static uint64_t number(Cursor *c) {
  enum { TAG = 3, ALL = 7 };
  uint64_t value = 0;
  size_t left = (size_t)(c->end - c->at);
  unsigned tag = left ? *c->at & ALL : 0;
  unsigned length = tag == ALL ? 1 + sizeof value : 1 + tag;
  if (length > left) {
    c->cut = true;
    return 0;
  }
  if (tag == ALL)
    memcpy(&value, c->at + 1, sizeof value);
  else
    for (unsigned i = 0; i < length; i++) value |= (uint64_t)c->at[i] << (8 * i);
  c->at += length;
  return tag == ALL ? value : value >> TAG;
}

static void difference(Cursor *c, uint64_t *last) {
  uint64_t folded = number(c);
  *last += (folded >> 1) ^ (0 - (folded & 1));
}

/* ---- blocks ----------------------------------------------------------------------- */

static TraceThread *thread_at(Trace *trace, uint32_t number) {
  while (trace->threads.len <= number) {
    TraceThread *fresh = vec_extend(&trace->threads, 1);
    fresh->number = trace->threads.len - 1;
    fresh->parent = CONTROL_NO_THREAD;
  }
  return &trace->threads.data[number];
}

/* What is inside of a packed block has no place in the file but that of the block. */
static bool damaged(Reader *r, const uint8_t *at, const char *what) {
  return err_input(
      r->err, r->path, "record it again", "the trace is damaged at byte %llu: %s",
      (unsigned long long)(r->packed ? r->block : (uint64_t)(at - r->bytes)), what);
}

static bool is_possible(const TracePending *p) {
  uint64_t length = p->step < 0 ? (uint64_t)-(int64_t)p->step : (uint64_t)p->step;
  uint64_t rest = p->step ? length * (p->count - 1) : 0; /* from the first to the last */
  if (!p->size || p->size > UINT32_MAX || p->address + p->size < p->address) return false;
  if (!p->step) return true;
  if (p->count < 2 || p->count > TRACE_MOST_STEPS || length > TRACE_LONGEST_STEP)
    return false;
  return p->step < 0 ? rest <= p->address : p->address + p->size + rest >= rest;
}

/* Steps downwards without a gap are a row, too. */
static bool add_access(Reader *r, TraceThread *t, const TracePending *p,
                       const uint8_t *at) {
  if (!is_possible(p)) return damaged(r, at, "an access of impossible size");
  TraceAccess a = {.address = p->address,
                   .pc = p->pc,
                   .size = (uint32_t)p->size,
                   .after = t->events.len,
                   .count = p->step ? (uint16_t)p->count : 1,
                   .step = (int16_t)p->step,
                   .write = p->flags & TRACE_WRITE,
                   .atomic = p->flags & TRACE_ATOMIC};
  if (p->step < 0 && (uint64_t)-(int64_t)p->step == p->size) {
    a.address -= p->size * (p->count - 1);
    a.size *= a.count;
    a.count = 1;
    a.step = 0;
  }
  assert(a.size && a.count && (a.count == 1) == !a.step);
  vec_push(&t->accesses, a);
  r->trace->access_count++;
  return true;
}

static bool read_access(Reader *r, TraceThread *t, uint8_t first, Cursor *c,
                        uint64_t *address, uint64_t *pc) {
  unsigned class = first & TRACE_SIZE_MASK;
  difference(c, address);
  difference(c, pc);
  TracePending p = {.address = *address,
                    .pc = *pc,
                    .flags = first & (TRACE_WRITE | TRACE_ATOMIC),
                    .count = 1};
  p.size = class >= TRACE_SIZE_STEPS ? number(c) : UINT64_C(1) << class;
  uint64_t step = 0;
  if (class == TRACE_SIZE_STEPS) {
    difference(c, &step);
    p.count = number(c);
  }
  if (c->cut) return true;
  p.step = (int32_t)step;
  bool possible = class == TRACE_SIZE_STEPS ? p.step && (uint64_t)(int64_t)p.step == step
                                            : class <= 4 || class == TRACE_SIZE_ANY;
  return possible ? add_access(r, t, &p, c->at)
                  : damaged(r, c->at, "an access of impossible size");
}

/* The text behind an event; NULL when it is cut off. */
static const char *read_text(Reader *r, const TraceEvent *event, Cursor *c) {
  uint64_t length = event->arguments[0];
  if (length > (uint64_t)(c->end - c->at)) {
    c->cut = true;
    return NULL;
  }
  const char *text = arena_strndup(r->trace->arena, (const char *)c->at, (size_t)length);
  c->at += length;
  return text;
}

bool trace_is_kind(const char *text) {
  size_t length = strlen(text);
  unsigned values = 0;
  if (!length || length >= TRACE_EVENT_TEXT || text[0] == ' ') return false;
  for (size_t i = 0; i < length; i++) {
    char c = text[i];
    bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                (c >= '0' && c <= '9') || c == '_' || c == '-';
    if (c == '#')
      values++;
    else if (!word && !(c == ' ' && text[i + 1] && text[i + 1] != ' '))
      return false;
  }
  return values <= TRACE_EVENT_VALUES;
}

static bool read_kind(Reader *r, const TraceEvent *event, Cursor *c) {
  const char *text = read_text(r, event, c);
  if (!text) return true;
  if (!trace_is_kind(text)) return damaged(r, c->at, "an impossible event of the user");
  vec_push(&r->trace->kinds, (TraceKind){event->object, text});
  return true;
}

static bool read_module(Reader *r, const TraceEvent *event, Cursor *c) {
  const char *path = read_text(r, event, c);
  if (!path) return true;
  for (uint32_t i = 0; i < r->trace->modules.len; i++)
    if (r->trace->modules.data[i].base == event->object &&
        str_eq(r->trace->modules.data[i].path, path))
      return true;
  vec_push(&r->trace->modules, (TraceModule){event->object, path});
  return true;
}

static bool accept(Reader *r, TraceThread *t, TraceEvent *event, const uint8_t *at) {
  Trace *trace = r->trace;
  switch (event->op) {
  case TRACE_START:
    if (event->object >= TRACE_MOST_THREADS && event->object != CONTROL_NO_THREAD)
      return damaged(r, at, "a thread with an impossible parent");
    t->started = true;
    t->parent = (uint32_t)event->object;
    t->index = (uint32_t)event->arguments[0];
    t->routine = event->pc;
    t->stack = event->arguments[1];
    t->stack_size = event->arguments[2];
    break;
  case TRACE_CREATE:
  case TRACE_JOIN:
    if (event->object >= TRACE_MOST_THREADS || event->object == t->number)
      return damaged(r, at, "a thread with an impossible number");
    break;
  case TRACE_ATOMIC_LOAD:
  case TRACE_ATOMIC_STORE:
  case TRACE_ATOMIC_RMW:
    event->order = (uint8_t)(event->arguments[0] >> TRACE_ORDER_SHIFT);
    event->arguments[0] &= TRACE_ATOMIC_SIZE;
    break;
  case TRACE_FENCE: event->order = (uint8_t)(event->arguments[0] + 1); break;
  default: break;
  }
  if (t->events.len && trace->events.len &&
      trace->events.data[*vec_last(&t->events)].sequence >= event->sequence)
    return damaged(r, at, "events out of order");
  event->thread = t->number;
  event->place = t->events.len;
  vec_push(&t->events, trace->events.len);
  vec_push(&trace->events, *event);
  return true;
}

static bool read_events(Reader *r, uint32_t thread_number, Cursor *c) {
  uint64_t address = 0, access_pc = 0;
  TraceEvent event = {0};
  while (c->at < c->end && !c->cut) {
    const uint8_t *begin = c->at;
    TraceThread *t = thread_at(r->trace, thread_number);
    uint8_t first = *c->at++;
    if (first & TRACE_ACCESS) {
      if (!read_access(r, t, first, c, &address, &access_pc)) return false;
      continue;
    }
    if (first == TRACE_NONE || first >= TRACE_OP_COUNT)
      return damaged(r, begin, "no event begins like this");
    event.op = (TraceOp)first;
    uint64_t step = number(c);
    if (!c->cut && (!step || event.sequence + step < event.sequence))
      return damaged(r, begin, "an event without a number");
    event.sequence += step;
    difference(c, &event.pc);
    difference(c, &event.object);
    memset(event.arguments, 0, sizeof event.arguments);
    for (unsigned i = 0; i < ops[first].arguments; i++) event.arguments[i] = number(c);
    if (c->cut) break;
    if (event.op == TRACE_MODULE) {
      if (!read_module(r, &event, c)) return false;
    } else if (event.op == TRACE_EVENT_KIND) {
      if (!read_kind(r, &event, c)) return false;
    } else if (!accept(r, t, &event, begin)) {
      return false;
    }
  }
  return true;
}

/* Every thread that recorded something has a block; only few die before. */
static uint32_t most_threads(const Reader *r) {
  size_t most = r->size / (r->packed ? sizeof(TraceBlock) : TRACE_UNIT) * 2 + 4096;
  return most < TRACE_MOST_THREADS ? (uint32_t)most : TRACE_MOST_THREADS;
}

static bool read_pending(Reader *r, const TraceBlock *block, const uint8_t *at) {
  TraceThread *t = thread_at(r->trace, block->thread);
  for (unsigned i = 0; i < TRACE_PENDING; i++) {
    const TracePending *p = &block->pending[i];
    if (p->size && !add_access(r, t, p, at)) return false;
  }
  return true;
}

/* Whether the header of a block at `at` is possible. */
static bool check_block(Reader *r, const TraceBlock *block, const uint8_t *at) {
  return (block->size % TRACE_UNIT == 0 && block->size &&
          block->size <= TRACE_LARGEST_BLOCK &&
          block->used <= block->size - sizeof *block && block->thread < most_threads(r) &&
          (!r->packed || block->packed <= block->used)) ||
         damaged(r, at, "a block of impossible size");
}

/* Whether it is the next of its thread. One that was emptied into the file, but did not
 * get its next number, was there; one that is open far behind the others tells that the
 * file was cut off. */
static bool is_next(Reader *r, const TraceBlock *block, const uint8_t *at, bool *ret) {
  if (block->thread >= r->known) {
    uint32_t wanted = block->thread + 64;
    r->next = mem_realloc(r->next, wanted * sizeof *r->next);
    memset(r->next + r->known, 0, (wanted - r->known) * sizeof *r->next);
    r->known = wanted;
  }
  assert(block->thread < r->known);
  uint64_t next = r->next[block->thread], number = block->number;
  bool open = block->magic == TRACE_OPEN_MAGIC;
  *ret = number == next;
  bool left_out = thread_at(r->trace, block->thread)->left_out;
  if (open && number > next && !left_out) r->trace->cut = true;
  if (!*ret && number + 1 != next && !(open && number > next))
    return damaged(r, at, "a block of the thread is missing");
  if (*ret) r->next[block->thread]++;
  thread_at(r->trace, block->thread)->known = true;
  return true;
}

/* The first block of a thread is short, and one that does little has no other. */
static bool is_full(const Reader *r, const TraceBlock *block) {
  const Trace *t = r->trace;
  if (t->threads.data[block->thread].left_out) return true;
  return t->memory && block->number && block->magic != TRACE_OPEN_MAGIC &&
         t->events.len * (uint64_t)TRACE_EVENT_COST +
                 t->access_count * TRACE_ACCESS_COST >
             t->memory;
}

/* From here on the thread is not known: the run ends with its last event before. */
static void leave_out(Reader *r, const TraceBlock *block) {
  TraceThread *t = thread_at(r->trace, block->thread);
  uint64_t last =
      t->events.len ? r->trace->events.data[*vec_last(&t->events)].sequence : 0;
  if (!t->left_out && last < r->last) r->last = last;
  t->left_out = r->trace->shortened = true;
}

/* The block at `at`, which takes `step` bytes of the file. */
static bool read_block(Reader *r, const TraceBlock *block, const uint8_t *at,
                       size_t step) {
  const uint8_t *end = r->bytes + r->size;
  Cursor c = {.at = at + sizeof *block, .end = at + sizeof *block + block->used};
  bool whole = step <= (size_t)(end - at), next;
  if (!is_next(r, block, at, &next)) return false;
  if (!next) return true;
  if (is_full(r, block)) {
    leave_out(r, block);
    return true;
  }
  r->trace->cut |= !whole;
  if (r->packed && !whole) return true;
  if (r->packed && !trace_unpack(block, c.at, r->room))
    return damaged(r, at, "a block that cannot be unpacked");
  if (r->packed) c = (Cursor){.at = r->room, .end = r->room + block->used};
  if (!r->packed && c.end > end) c.end = end;
  bool ok = read_events(r, block->thread, &c) && read_pending(r, block, at);
  r->trace->cut |= c.cut;
  return ok;
}

/* The blocks with this magic. */
static bool walk(Reader *r, uint32_t magic, Progress *progress) {
  bool ok = true;
  size_t offset = r->packed ? TRACE_PAGE : TRACE_UNIT, told = 0;
  progress_phase(progress, "reading the trace", r->size / TRACE_UNIT);
  while (ok && offset + sizeof(TraceBlock) <= r->size) {
    TraceBlock block;
    size_t step = TRACE_UNIT;
    const uint8_t *at = r->bytes + offset;
    memcpy(&block, at, sizeof block);
    r->block = offset;
    bool any = block.magic == magic || (!r->packed && (block.magic == TRACE_BLOCK_MAGIC ||
                                                       block.magic == TRACE_OPEN_MAGIC));
    if (any) ok = check_block(r, &block, at);
    if (any) step = r->packed ? sizeof block + block.packed : block.size;
    if (ok && block.magic == magic)
      ok = read_block(r, &block, at, step);
    else if (r->packed)
      ok = damaged(r, at, "no block begins here");
    offset += step;
    progress_step(progress, offset / TRACE_UNIT - told, NULL);
    told = offset / TRACE_UNIT;
  }
  r->trace->cut |= r->packed && offset != r->size;
  return ok;
}

static bool read_blocks(Reader *r, Progress *progress) {
  if (r->packed) return walk(r, TRACE_PACKED_MAGIC, progress);
  return walk(r, TRACE_BLOCK_MAGIC, progress) && walk(r, TRACE_OPEN_MAGIC, progress);
}

/* ---- order ------------------------------------------------------------------------ */

static int by_sequence(const void *x, const void *y) {
  const TraceEvent *a = x, *b = y;
  return a->sequence < b->sequence ? -1 : a->sequence > b->sequence;
}

/* Puts the events into the order of their numbers. */
static bool sort_events(Reader *r) {
  Trace *trace = r->trace;
  uint32_t count = trace->events.len;
  uint64_t most = 0;
  for (uint32_t i = 0; i < count; i++)
    if (trace->events.data[i].sequence > most) most = trace->events.data[i].sequence;
  if (!count) return true;
  if (most <= (uint64_t)count * 4 + 4096) {
    uint32_t *at = mem_alloc_zero((size_t)(most + 1) * sizeof *at), placed = 0;
    TraceEvent *sorted = mem_alloc((size_t)count * sizeof *sorted);
    for (uint32_t i = 0; i < count; i++) at[trace->events.data[i].sequence] = i + 1;
    for (uint64_t s = 0; s <= most; s++)
      if (at[s]) sorted[placed++] = trace->events.data[at[s] - 1];
    mem_free(at);
    mem_free(trace->events.data);
    trace->events.data = sorted;
    trace->events.cap = count;
    trace->events.len = placed;
    if (placed != count) return damaged(r, r->bytes, "two events have the same number");
  } else {
    qsort(trace->events.data, count, sizeof(TraceEvent), by_sequence);
  }
  for (uint32_t i = 0; i < count; i++) {
    TraceEvent *e = &trace->events.data[i];
    assert(e->place < trace->threads.data[e->thread].events.len);
    trace->threads.data[e->thread].events.data[e->place] = i;
  }
  return true;
}

enum { DEEPEST_NAME = 64 };

/* "main.1.2": the path of creations; children count from 1. */
static const char *name_of(Trace *trace, uint32_t number, unsigned depth) {
  TraceThread *t = &trace->threads.data[number];
  if (t->name) return t->name;
  char text[512];
  const TraceThread *parent = t->started && t->parent < trace->threads.len &&
                                      t->parent < number && depth < DEEPEST_NAME
                                  ? &trace->threads.data[t->parent]
                                  : NULL;
  if (number == 0)
    strcpy(text, "main");
  else if (parent)
    snprintf(text, sizeof text, "%.480s.%u", name_of(trace, t->parent, depth + 1),
             t->index + 1);
  else
    snprintf(text, sizeof text, "thread%u", number);
  return t->name = arena_strdup(trace->arena, text);
}

/* ---- the whole -------------------------------------------------------------------- */

bool trace_read_bytes(const char *path, const void *bytes, size_t size,
                      Progress *progress, Trace *ret, Err *err) {
  Reader r = {.path = path, .bytes = bytes, .size = size, .trace = ret, .err = err};
  TraceHeader header = {0};
  ret->arena = arena_new();
  memcpy(&header, bytes, size < sizeof header ? size : sizeof header);
  if (memcmp(header.magic, TRACE_MAGIC, 8) != 0)
    return err_input(err, path, "give a file written by `heddle record`",
                     "this is no trace");
  if (size < sizeof header)
    return err_input(err, path, "record it again", "the trace ends inside of its header");
  if (header.version < TRACE_OLDEST_VERSION || header.version > TRACE_VERSION)
    return err_input(err, path, "record it again with this heddle",
                     "the trace has version %u, this heddle reads version %u",
                     header.version, (unsigned)TRACE_VERSION);
  ret->state = header.state;
  ret->lost_errno = header.lost_errno;
  ret->peak_kib = header.peak_kib;
  r.packed = header.state & TRACE_PACKED;
  if (r.packed) r.room = mem_alloc(TRACE_LARGEST_BLOCK);
  r.last = UINT64_MAX;
  bool ok = read_blocks(&r, progress) && sort_events(&r);
  if (ok && ret->shortened) trace_shorten(ret, r.last);
  mem_free(r.next);
  mem_free(r.room);
  for (uint32_t i = 0; ok && i < ret->threads.len; i++) name_of(ret, i, 0);
  return ok;
}

bool trace_read(const char *path, Progress *progress, Trace *ret, Err *err) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  struct stat info;
  const void *bytes;
  size_t size;
  if (fd < 0) return err_input(err, path, "check the name", "%s", strerror(errno));
  if (fstat(fd, &info) == 0 && !S_ISREG(info.st_mode)) {
    close(fd);
    return err_input(err, path, "name a file written by `heddle record`",
                     "this is not a regular file");
  }
  bool mapped = proc_map_fd(fd, &bytes, &size);
  int why = errno;
  close(fd);
  if (!mapped) return err_input(err, path, "check the file", "%s", strerror(why));
  bool ok = trace_read_bytes(path, bytes, size, progress, ret, err);
  proc_unmap(bytes, size);
  return ok;
}

void trace_free(Trace *trace) {
  for (uint32_t i = 0; i < trace->threads.len; i++) {
    vec_free(&trace->threads.data[i].events);
    vec_free(&trace->threads.data[i].accesses);
  }
  vec_free(&trace->threads);
  vec_free(&trace->events);
  vec_free(&trace->modules);
  vec_free(&trace->kinds);
  arena_free(trace->arena);
  *trace = (Trace){0};
}
