/* What the steps of a block read and write. See block.h. */
#include "analysis/block_sets.h"

#include <stdlib.h>

typedef VEC(uint32_t) Numbers;
typedef VEC(Cell) CellVec;

typedef struct {
  const Automata *all;
  Numbers read, written;
  CellVec cells_read, cells_written;
} Sets;

static void note_variable(void *user, uint32_t variable, bool written) {
  Sets *x = user;
  vec_push(written ? &x->written : &x->read, variable);
}

static void note_touch(void *user, const Touch *t) {
  Sets *x = user;
  Cell cell = {t->key, t->offset, t->size};
  if ((t->kind & TOUCH_SYNC) || !automaton_is_shared(x->all, t->key)) return;
  if (t->kind & TOUCH_READ) vec_push(&x->cells_read, cell);
  if (t->kind & TOUCH_WRITE) vec_push(&x->cells_written, cell);
}

static int compare_numbers(const void *a, const void *b) {
  const uint32_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

static int compare_cells(const void *a, const void *b) {
  const Cell *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
  return x->size < y->size ? -1 : x->size > y->size;
}

static uint32_t add_numbers(Blocks *to, Numbers *from) {
  uint32_t first = to->variables.len;
  if (from->len) qsort(from->data, from->len, sizeof *from->data, compare_numbers);
  for (uint32_t i = 0; i < from->len; i++)
    if (!i || from->data[i] != from->data[i - 1]) vec_push(&to->variables, from->data[i]);
  return to->variables.len - first;
}

static uint32_t add_cells(Blocks *to, CellVec *from) {
  uint32_t first = to->cells.len;
  if (from->len) qsort(from->data, from->len, sizeof *from->data, compare_cells);
  for (uint32_t i = 0; i < from->len; i++)
    if (!i || compare_cells(&from->data[i], &from->data[i - 1]))
      vec_push(&to->cells, from->data[i]);
  return to->cells.len - first;
}

void block_find_sets(const Automata *all, const Automaton *a, Blocks *to, Block *block) {
  Sets x = {.all = all};
  for (uint32_t i = 0; i < block->step_count; i++) {
    const AutoStep *s = &a->steps.data[to->steps.data[block->first_step + i]];
    automaton_visit_variables(all, a, s, note_variable, &x);
    automaton_touches(all, s, note_touch, &x);
  }
  block->first_read = to->variables.len;
  block->read_count = add_numbers(to, &x.read);
  block->first_written = to->variables.len;
  block->written_count = add_numbers(to, &x.written);
  block->first_cell_read = to->cells.len;
  block->cell_read_count = add_cells(to, &x.cells_read);
  block->first_cell_written = to->cells.len;
  block->cell_written_count = add_cells(to, &x.cells_written);
  vec_free(&x.read);
  vec_free(&x.written);
  vec_free(&x.cells_read);
  vec_free(&x.cells_written);
}
