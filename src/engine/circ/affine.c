/* See affine.h. */
#include "engine/circ/affine.h"

#include <string.h>

enum { MOST_TWOS = 3 }; /* that are kept in a difference */

void affine_free(Affine *a) {
  vec_free(&a->base);
  vec_free(&a->spans);
  vec_free(&a->rows);
}

static uint64_t mask_of(const Affine *a) {
  return a->bits == 64 ? UINT64_MAX : (UINT64_C(1) << a->bits) - 1;
}

/* How many twos divide it; of 0: as many as there are bits. */
static uint32_t twos(const Affine *a, uint64_t x) {
  x &= mask_of(a);
  return x ? (uint32_t)__builtin_ctzll(x) : a->bits;
}

/* Of an odd number: each round doubles the bits that are right. */
static uint64_t inverse(uint64_t odd) {
  uint64_t x = odd;
  for (int i = 0; i < 6; i++) x *= 2 - odd * x;
  return x;
}

/* ---- the equations that differences allow ---- */

/* A matrix, and next to it the columns' doings. */
typedef struct {
  const Affine *a;
  uint64_t *cells; /* rows · count */
  uint64_t *done;  /* count · count: the identity, with the same operations on columns */
  uint32_t rows;
} Matrix;

static uint64_t *cell(const Matrix *m, uint32_t row, uint32_t column) {
  return &m->cells[(size_t)row * m->a->count + column];
}

static void swap(uint64_t *x, uint64_t *y) {
  uint64_t kept = *x;
  *x = *y;
  *y = kept;
}

/* The entry that the fewest twos divide comes to (at, at). False: all are 0. */
static bool bring_pivot(Matrix *m, uint32_t at) {
  uint32_t n = m->a->count, row = 0, column = 0, best = m->a->bits;
  for (uint32_t i = at; i < m->rows; i++)
    for (uint32_t k = at; k < n; k++)
      if (twos(m->a, *cell(m, i, k)) < best) {
        best = twos(m->a, *cell(m, i, k));
        row = i, column = k;
      }
  if (best == m->a->bits) return false;
  for (uint32_t k = 0; k < n && row != at; k++) swap(cell(m, row, k), cell(m, at, k));
  for (uint32_t i = 0; i < m->rows && column != at; i++)
    swap(cell(m, i, column), cell(m, i, at));
  for (uint32_t i = 0; i < n && column != at; i++)
    swap(&m->done[i * n + column], &m->done[i * n + at]);
  return true;
}

/* Nothing but the pivot is left in its row and its column. */
static void clear_around(Matrix *m, uint32_t at) {
  uint32_t n = m->a->count, r = twos(m->a, *cell(m, at, at));
  uint64_t mask = mask_of(m->a), unit = inverse(*cell(m, at, at) >> r);
  for (uint32_t k = at; k < n; k++) *cell(m, at, k) = *cell(m, at, k) * unit & mask;
  for (uint32_t i = at + 1; i < m->rows; i++) {
    uint64_t factor = *cell(m, i, at) >> r;
    for (uint32_t k = at; k < n && factor; k++)
      *cell(m, i, k) = (*cell(m, i, k) - factor * *cell(m, at, k)) & mask;
  }
  for (uint32_t k = at + 1; k < n; k++) {
    uint64_t factor = *cell(m, at, k) >> r;
    *cell(m, at, k) = 0;
    for (uint32_t i = 0; i < n && factor; i++)
      m->done[i * n + k] = (m->done[i * n + k] - factor * m->done[i * n + at]) & mask;
  }
}

/* The column's doings, `twos` times doubled, are the factors of an equation. */
static void add_row(Affine *a, const Matrix *m, uint32_t column, uint32_t doubled) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < a->count; i++) {
    uint64_t factor = m->done[i * a->count + column] << doubled & mask_of(a);
    sum += factor * a->base.data[i];
    vec_push(&a->rows, factor);
  }
  vec_push(&a->rows, sum & mask_of(a));
}

/* Every row with an odd factor takes that variable out of the others: short rows are what people, and conditions,
 * speak of. */
static void shorten(Affine *a) {
  uint32_t width = a->count + 1, rows = a->rows.len / width;
  for (uint32_t i = 0; i < rows; i++) {
    uint64_t *row = &a->rows.data[i * width];
    uint32_t pivot = 0;
    while (pivot < a->count && !(row[pivot] & 1)) pivot++;
    if (pivot == a->count) continue;
    uint64_t unit = inverse(row[pivot]);
    for (uint32_t k = 0; k < width; k++) row[k] = row[k] * unit & mask_of(a);
    for (uint32_t other = 0; other < rows; other++) {
      uint64_t *to = &a->rows.data[other * width], factor = to[pivot];
      for (uint32_t k = 0; k < width && other != i && factor; k++)
        to[k] = (to[k] - factor * row[k]) & mask_of(a);
    }
  }
}

static void find_rows(Affine *a) {
  uint32_t n = a->count, rank = 0;
  Matrix m = {.a = a, .rows = n ? a->spans.len / n : 0};
  m.cells = mem_alloc_zero((a->spans.len + 1) * sizeof *m.cells);
  m.done = mem_alloc_zero(((size_t)n * n + 1) * sizeof *m.done);
  if (a->spans.len) memcpy(m.cells, a->spans.data, a->spans.len * sizeof *m.cells);
  for (uint32_t i = 0; i < n; i++) m.done[i * n + i] = 1;
  vec_clear(&a->rows);
  while (rank < n && rank < m.rows && bring_pivot(&m, rank)) {
    clear_around(&m, rank);
    uint32_t r = twos(a, *cell(&m, rank, rank));
    if (r) add_row(a, &m, rank, a->bits - r);
    rank++;
  }
  for (; rank < n; rank++) add_row(a, &m, rank, 0);
  shorten(a);
  mem_free(m.cells);
  mem_free(m.done);
}

/* ---- points ---- */

/* Without twos that are too many, and with the sign that it has. */
static uint64_t halve(const Affine *a, uint64_t x, uint32_t times) {
  uint32_t above = 64 - a->bits;
  int64_t number = (int64_t)(x << above) >> above;
  return (uint64_t)(number >> times) & mask_of(a);
}

void affine_add(Affine *a, const uint64_t *point) {
  uint32_t least = a->bits;
  if (!a->some) {
    for (uint32_t i = 0; i < a->count; i++) vec_push(&a->base, point[i] & mask_of(a));
    a->some = true;
    find_rows(a);
    return;
  }
  for (uint32_t i = 0; i < a->count; i++) {
    uint32_t here = twos(a, point[i] - a->base.data[i]);
    if (here < least) least = here;
  }
  if (least == a->bits) return;
  for (uint32_t i = 0; i < a->count; i++)
    vec_push(&a->spans, halve(a, (point[i] - a->base.data[i]) & mask_of(a),
                              least > MOST_TWOS ? least : 0));
  find_rows(a);
}
