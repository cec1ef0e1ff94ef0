/* See basis.h. A smaller marking has its rarest place among the places of the larger one,
 * so each item is watched at one place only: the one with the fewest items when it came.
 * Looking for something below m reads the lists of m's places; most entries fall to the
 * 64-bit signature. Looking for what is above m reads the shortest list of items that
 * hold tokens in a place of m. Entries of dead items are dropped when they are met. */
#include "net/basis.h"

#include "base/mem.h"

Basis *basis_new(uint32_t places) {
  Basis *basis = mem_alloc_zero(sizeof *basis);
  basis->places = places;
  basis->watched = mem_alloc_zero((places + 1) * sizeof *basis->watched);
  basis->holding = mem_alloc_zero((places + 1) * sizeof *basis->holding);
  return basis;
}

void basis_free(Basis *basis) {
  if (!basis) return;
  for (uint32_t p = 0; p < basis->places; p++) {
    vec_free(&basis->watched[p]);
    vec_free(&basis->holding[p]);
  }
  mem_free(basis->watched);
  mem_free(basis->holding);
  vec_free(&basis->everywhere);
  vec_free(&basis->tokens);
  vec_free(&basis->items);
  mem_free(basis);
}

bool marking_below(MarkingView a, MarkingView b) {
  uint32_t j = 0;
  if (a.len > b.len) return false;
  for (uint32_t i = 0; i < a.len; i++) {
    while (j < b.len && b.at[j].place < a.at[i].place) j++;
    if (j == b.len || b.at[j].place != a.at[i].place || b.at[j].count < a.at[i].count)
      return false;
  }
  return true;
}

static uint64_t signature_of(MarkingView m) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < m.len; i++) bits |= UINT64_C(1) << (m.at[i].place % 64);
  return bits;
}

static uint32_t below_in(Basis *basis, BasisList *list, MarkingView m, uint64_t bits) {
  for (uint32_t i = 0; i < list->len;) {
    uint32_t id = list->data[i];
    const BasisItem *item = &basis->items.data[id];
    basis->work++;
    if (!item->alive) {
      list->data[i] = list->data[--list->len];
      continue;
    }
    if (!(item->signature & ~bits) && marking_below(basis_view(basis, id), m)) return id;
    i++;
  }
  return NET_NONE;
}

uint32_t basis_below(Basis *basis, MarkingView marking) {
  uint64_t bits = signature_of(marking);
  uint32_t found = below_in(basis, &basis->everywhere, marking, bits);
  for (uint32_t i = 0; found == NET_NONE && i < marking.len; i++)
    found = below_in(basis, &basis->watched[marking.at[i].place], marking, bits);
  return found;
}

static uint32_t rarest(const Basis *basis, MarkingView m) {
  uint32_t best = m.at[0].place;
  for (uint32_t i = 1; i < m.len; i++)
    if (basis->holding[m.at[i].place].len < basis->holding[best].len)
      best = m.at[i].place;
  return best;
}

void basis_remove(Basis *basis, uint32_t item) {
  if (!basis->items.data[item].alive) return;
  basis->items.data[item].alive = false;
  basis->alive--;
}

static uint32_t kill_above(Basis *basis, MarkingView m, uint64_t bits) {
  uint32_t died = 0;
  if (m.len == 0) {
    died = basis->alive;
    for (uint32_t i = 0; i < basis->items.len; i++) basis_remove(basis, i);
    return died;
  }
  BasisList *list = &basis->holding[rarest(basis, m)];
  for (uint32_t i = 0; i < list->len;) {
    uint32_t id = list->data[i];
    const BasisItem *item = &basis->items.data[id];
    basis->work++;
    if (item->alive && !(bits & ~item->signature) &&
        marking_below(m, basis_view(basis, id))) {
      basis_remove(basis, id);
      died++;
    }
    if (item->alive)
      i++;
    else
      list->data[i] = list->data[--list->len];
  }
  return died;
}

uint32_t basis_add(Basis *basis, MarkingView marking, uint32_t parent,
                   uint32_t transition, uint32_t *ret_died) {
  BasisItem item = {.start = basis->tokens.len,
                    .len = marking.len,
                    .signature = signature_of(marking),
                    .parent = parent,
                    .transition = transition,
                    .alive = true};
  uint64_t sum = 0;
  uint32_t id = basis->items.len;
  *ret_died = kill_above(basis, marking, item.signature);
  if (parent != NET_NONE) item.depth = basis->items.data[parent].depth + 1;
  vec_reserve(&basis->tokens, marking.len);
  for (uint32_t i = 0; i < marking.len; i++) {
    vec_push(&basis->tokens, marking.at[i]);
    sum += marking.at[i].count;
  }
  item.sum = sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum;
  vec_push(&basis->items, item);
  basis->alive++;
  if (marking.len == 0)
    vec_push(&basis->everywhere, id);
  else
    vec_push(&basis->watched[rarest(basis, marking)], id);
  for (uint32_t i = 0; i < marking.len; i++)
    vec_push(&basis->holding[marking.at[i].place], id);
  return id;
}

size_t basis_memory(const Basis *basis) {
  /* Each token lies in `tokens` and once in `holding`, whose vectors have slack. */
  return (size_t)basis->tokens.cap * sizeof(Tokens) + (size_t)basis->tokens.len * 8 +
         (size_t)basis->items.cap * sizeof(BasisItem) + (size_t)basis->items.len * 8;
}
