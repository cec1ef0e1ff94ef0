/* Contents of instances as terms. See internal.h.
 *
 * The bytes of an instance are a sorted list of pieces that do not overlap, each with a term for its
 * bytes; what no piece covers is as it was in the beginning. A read that fits a piece is that
 * piece's term; any other is put together from parts of pieces. So the partition of an object is
 * that of the accesses to it, and bytes appear only where accesses overlap. */
#include "engine/seq/internal.h"

#include "base/mem.h"

#include <assert.h>

typedef struct {
  uint64_t offset;
  uint32_t size;
  Term value;
} Piece;

typedef struct {
  uint32_t shares;
  VEC(Piece) pieces;
} Contents;

struct SeqMemory {
  uint32_t shares;
  VEC(Contents *) of; /* by instance; NULL: never written */
};

static Contents *contents_share(Contents *c) {
  if (c) c->shares++;
  return c;
}

static void contents_drop(Contents *c) {
  assert(!c || c->shares > 0);
  if (!c || --c->shares) return;
  vec_free(&c->pieces);
  mem_free(c);
}

SeqMemory *seq_memory_share(SeqMemory *m) {
  if (m) m->shares++;
  return m;
}

void seq_memory_drop(SeqMemory *m) {
  assert(!m || m->shares > 0);
  if (!m || --m->shares) return;
  for (uint32_t i = 0; i < m->of.len; i++) contents_drop(m->of.data[i]);
  vec_free(&m->of);
  mem_free(m);
}

static const Contents *find(const SeqMemory *m, uint32_t instance) {
  return m && instance < m->of.len ? m->of.data[instance] : NULL;
}

/* The first piece that ends behind the offset. */
static uint32_t first_piece(const Contents *c, uint64_t offset) {
  uint32_t low = 0, high = c ? c->pieces.len : 0;
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    const Piece *p = &c->pieces.data[mid];
    if (p->offset + p->size <= offset)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

static Term join(SeqProgram *seq, Term low, Term high) {
  return low ? term_concat(seq->terms, high, low) : high;
}

static Term read_contents(SeqProgram *seq, const Contents *c, uint32_t instance,
                          uint64_t offset, uint32_t size) {
  Term value = 0;
  uint64_t at = offset, end = offset + size;
  for (uint32_t i = first_piece(c, offset); at < end; i++) {
    const Piece *p = c && i < c->pieces.len ? &c->pieces.data[i] : NULL;
    uint64_t next = p && p->offset < end ? p->offset : end;
    if (at < next)
      value = join(seq, value, seq_initial(seq, instance, at, (uint32_t)(next - at)));
    if (next == end) break;
    uint64_t from = at > p->offset ? at - p->offset : 0;
    uint64_t to = p->offset + p->size < end ? p->size : end - p->offset;
    Term part =
        term_extract(seq->terms, p->value, (uint32_t)from * 8, (uint32_t)(to - from) * 8);
    value = join(seq, value, part);
    at = p->offset + to;
  }
  assert(!size || term_bits(seq->terms, value) == size * 8);
  return value;
}

Term seq_memory_read(SeqProgram *seq, const SeqMemory *m, uint32_t instance,
                     uint64_t offset, uint32_t size) {
  return read_contents(seq, find(m, instance), instance, offset, size);
}

Term seq_start(SeqProgram *seq, uint32_t instance, uint64_t offset, uint32_t size) {
  return seq_memory_read(seq, seq->start, instance, offset, size);
}

/* The list without the bytes of [offset, offset + size), with the new piece in their place. */
static void write_contents(SeqProgram *seq, Contents *c, uint64_t offset, Term value) {
  assert(term_bits(seq->terms, value) % 8 == 0);
  uint32_t size = term_bits(seq->terms, value) / 8;
  uint64_t end = offset + size;
  uint32_t i = first_piece(c, offset);
  if (i < c->pieces.len && c->pieces.data[i].offset == offset &&
      c->pieces.data[i].size == size) {
    c->pieces.data[i].value = value;
    return;
  }
  VEC(Piece) pieces = {0};
  bool put = false;
  Piece mine = {offset, size, value};
  for (uint32_t k = 0; k < c->pieces.len; k++) {
    Piece p = c->pieces.data[k];
    assert(!k || c->pieces.data[k - 1].offset + c->pieces.data[k - 1].size <= p.offset);
    uint64_t p_end = p.offset + p.size;
    if (p_end <= offset) {
      vec_push(&pieces, p);
      continue;
    }
    if (p.offset < offset) {
      uint32_t kept = (uint32_t)(offset - p.offset);
      vec_push(&pieces,
               (Piece){p.offset, kept, term_extract(seq->terms, p.value, 0, kept * 8)});
    }
    if (!put) vec_push(&pieces, mine);
    put = true;
    if (p.offset >= end) {
      vec_push(&pieces, p);
    } else if (p_end > end) {
      uint32_t cut = (uint32_t)(end - p.offset), kept = p.size - cut;
      vec_push(&pieces,
               (Piece){end, kept, term_extract(seq->terms, p.value, cut * 8, kept * 8)});
    }
  }
  if (!put) vec_push(&pieces, mine);
  vec_free(&c->pieces);
  memcpy(&c->pieces, &pieces, sizeof pieces);
}

/* A memory that nobody else has a share of. */
static SeqMemory *own(SeqMemory *m) {
  if (m && m->shares == 1) return m;
  SeqMemory *copy = mem_alloc_zero(sizeof *copy);
  copy->shares = 1;
  if (m && m->of.len) {
    memcpy(vec_extend(&copy->of, m->of.len), m->of.data, m->of.len * sizeof *m->of.data);
    for (uint32_t i = 0; i < m->of.len; i++) contents_share(m->of.data[i]);
  }
  seq_memory_drop(m);
  return copy;
}

static Contents *own_contents(SeqMemory *m, uint32_t instance) {
  if (instance >= m->of.len) (void)vec_extend(&m->of, instance + 1 - m->of.len);
  Contents *c = m->of.data[instance];
  if (c && c->shares == 1) return c;
  Contents *copy = mem_alloc_zero(sizeof *copy);
  copy->shares = 1;
  if (c && c->pieces.len)
    memcpy(vec_extend(&copy->pieces, c->pieces.len), c->pieces.data,
           c->pieces.len * sizeof *c->pieces.data);
  contents_drop(c);
  m->of.data[instance] = copy;
  return copy;
}

void seq_memory_write(SeqProgram *seq, SeqMemory **memory, uint32_t instance,
                      uint64_t offset, Term value) {
  *memory = own(*memory);
  write_contents(seq, own_contents(*memory, instance), offset, value);
}

/* The pieces of `from` that differ in `other`, written to `into`. `from_first`: the condition
 * chooses what `from` has. */
static void merge_pieces(SeqProgram *seq, SeqMemory *into, uint32_t instance,
                         Term condition, const Contents *from, const Contents *other,
                         bool from_first) {
  for (uint32_t i = 0; from && i < from->pieces.len; i++) {
    const Piece *p = &from->pieces.data[i];
    Term theirs = read_contents(seq, other, instance, p->offset, p->size);
    if (theirs == p->value) continue;
    Term value = from_first ? term_ite(seq->terms, condition, p->value, theirs)
                            : term_ite(seq->terms, condition, theirs, p->value);
    write_contents(seq, own_contents(into, instance), p->offset, value);
  }
}

SeqMemory *seq_memory_merge(SeqProgram *seq, Term condition, SeqMemory *a, SeqMemory *b) {
  if (a == b) {
    seq_memory_drop(b);
    return a;
  }
  SeqMemory *into = own(seq_memory_share(b));
  uint32_t n = a && a->of.len > into->of.len ? a->of.len : into->of.len;
  for (uint32_t i = 0; i < n; i++) {
    const Contents *x = find(a, i), *y = find(b, i);
    if (x == y) continue;
    if (i >= into->of.len) (void)vec_extend(&into->of, i + 1 - into->of.len);
    merge_pieces(seq, into, i, condition, y, x, false);
    merge_pieces(seq, into, i, condition, x, y, true);
  }
  seq_memory_drop(a);
  seq_memory_drop(b);
  return into;
}

/* The pieces of `from` whose bytes are not the same in both. */
static void compare_pieces(SeqProgram *seq, uint32_t instance, const Contents *from,
                           const Contents *now, const Contents *then, SeqDiffers *differs,
                           void *user) {
  for (uint32_t i = 0; from && i < from->pieces.len; i++) {
    const Piece *p = &from->pieces.data[i];
    Term value = read_contents(seq, now, instance, p->offset, p->size);
    if (value != read_contents(seq, then, instance, p->offset, p->size))
      differs(user, instance, p->offset, value);
  }
}

void seq_memory_compare(SeqProgram *seq, const SeqMemory *now, const SeqMemory *then,
                        SeqDiffers *differs, void *user) {
  for (uint32_t i = 0; i < seq->instances.len; i++) {
    const Contents *x = find(now, i), *y = find(then, i);
    if (x == y) continue;
    compare_pieces(seq, i, x, x, y, differs, user);
    compare_pieces(seq, i, y, x, y, differs, user);
  }
}
