/* See basis.h. Items lie in a tree by their tokens in the order of places, so that those
 * with equal beginnings share them. Looking for something below m follows only the steps
 * that m has enough tokens for: at a step with few forks by going through these, at one
 * with many by asking for each place of m. Looking for what is above m reads the shortest
 * list of items that hold tokens in a place of m; entries of dead items are dropped when
 * they are met. */
#include "net/basis.h"

#include "base/mem.h"

#include <assert.h>

Basis *basis_new(uint32_t places) {
  Basis *basis = mem_alloc_zero(sizeof *basis);
  basis->places = places;
  basis->counts = mem_alloc_zero((places + 1) * sizeof *basis->counts);
  basis->holding = mem_alloc_zero((places + 1) * sizeof *basis->holding);
  vec_push(
      &basis->steps,
      (BasisStep){.next = NET_NONE, .up = NET_NONE, .forks = NET_NONE, .item = NET_NONE});
  return basis;
}

void basis_free(Basis *basis) {
  if (!basis) return;
  for (uint32_t p = 0; p < basis->places; p++) vec_free(&basis->holding[p]);
  mem_free(basis->holding);
  mem_free(basis->counts);
  vec_free(&basis->steps);
  vec_free(&basis->forks);
  map_free(&basis->fork_index);
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

/* ---- the tree --------------------------------------------------------------------- */

static uint64_t fork_key(uint32_t step, uint32_t place) {
  return (uint64_t)step << 32 | place;
}

static uint32_t find_in_step(Basis *basis, uint32_t step, MarkingView m, uint32_t from);

/* Through the steps of a fork that `count` tokens suffice for. */
static uint32_t find_in_fork(Basis *basis, uint32_t fork, uint32_t count, MarkingView m,
                             uint32_t from) {
  uint32_t found = NET_NONE, s = basis->forks.data[fork].steps;
  for (; s != NET_NONE && found == NET_NONE && basis->steps.data[s].count <= count;
       s = basis->steps.data[s].next) {
    basis->work++;
    if (basis->steps.data[s].alive > 0) found = find_in_step(basis, s, m, from);
  }
  return found;
}

/* `from` is the first token of m that may come after this step. The depth of the
 * recursion is at most the number of places of an item. */
static uint32_t find_in_step(Basis *basis, uint32_t step, MarkingView m, uint32_t from) {
  const BasisStep *here = &basis->steps.data[step];
  uint32_t found = here->item;
  if (found != NET_NONE && basis->items.data[found].alive) return found;
  found = NET_NONE;
  if (here->fork_count <= m.len - from) {
    for (uint32_t f = here->forks; f != NET_NONE && found == NET_NONE;
         f = basis->forks.data[f].next) {
      uint32_t place = basis->forks.data[f].place, count = basis->counts[place];
      uint32_t after = from;
      basis->work++;
      if (count == 0) continue;
      while (m.at[after].place <= place && ++after < m.len) continue;
      found = find_in_fork(basis, f, count, m, after);
    }
    return found;
  }
  for (uint32_t i = from; i < m.len && found == NET_NONE; i++) {
    uint64_t fork = map_find(&basis->fork_index, fork_key(step, m.at[i].place), 0);
    basis->work++;
    if (fork) found = find_in_fork(basis, (uint32_t)fork - 1, m.at[i].count, m, i + 1);
  }
  return found;
}

uint32_t basis_below(Basis *basis, MarkingView marking) {
  for (uint32_t i = 0; i < marking.len; i++)
    basis->counts[marking.at[i].place] = marking.at[i].count;
  uint32_t found = find_in_step(basis, 0, marking, 0);
  for (uint32_t i = 0; i < marking.len; i++) basis->counts[marking.at[i].place] = 0;
  return found;
}

static uint32_t get_fork(Basis *basis, uint32_t step, uint32_t place) {
  uint64_t *slot = map_at(&basis->fork_index, fork_key(step, place));
  if (*slot == 0) {
    BasisStep *here = &basis->steps.data[step];
    vec_push(&basis->forks, (BasisFork){place, here->forks, NET_NONE});
    here->forks = basis->forks.len - 1;
    here->fork_count++;
    *slot = basis->forks.len;
  }
  return (uint32_t)*slot - 1;
}

static uint32_t get_step(Basis *basis, uint32_t up, Tokens tokens) {
  uint32_t fork = get_fork(basis, up, tokens.place), before = NET_NONE;
  uint32_t s = basis->forks.data[fork].steps;
  for (; s != NET_NONE && basis->steps.data[s].count < tokens.count;
       s = basis->steps.data[s].next)
    before = s;
  if (s != NET_NONE && basis->steps.data[s].count == tokens.count) return s;
  uint32_t fresh = basis->steps.len;
  vec_push(&basis->steps, (BasisStep){.count = tokens.count,
                                      .next = s,
                                      .up = up,
                                      .forks = NET_NONE,
                                      .item = NET_NONE});
  if (before == NET_NONE)
    basis->forks.data[fork].steps = fresh;
  else
    basis->steps.data[before].next = fresh;
  return fresh;
}

static uint32_t add_to_tree(Basis *basis, MarkingView m, uint32_t item) {
  uint32_t step = 0;
  basis->steps.data[0].alive++;
  for (uint32_t i = 0; i < m.len; i++) {
    step = get_step(basis, step, m.at[i]);
    basis->steps.data[step].alive++;
  }
  assert(basis->steps.data[step].item == NET_NONE ||
         !basis->items.data[basis->steps.data[step].item].alive);
  basis->steps.data[step].item = item;
  return step;
}

/* ---- items ------------------------------------------------------------------------ */

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
  assert(basis->alive > 0);
  basis->alive--;
  for (uint32_t at = basis->items.data[item].step; at != NET_NONE;
       at = basis->steps.data[at].up) {
    assert(basis->steps.data[at].alive > 0);
    basis->steps.data[at].alive--;
  }
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
  item.step = add_to_tree(basis, marking, id);
  vec_push(&basis->items, item);
  basis->alive++;
  for (uint32_t i = 0; i < marking.len; i++)
    vec_push(&basis->holding[marking.at[i].place], id);
  return id;
}

size_t basis_memory(const Basis *basis) {
  /* Each token lies in `tokens` and once in `holding`, whose vectors have slack. */
  return (size_t)basis->tokens.cap * sizeof(Tokens) + (size_t)basis->tokens.len * 8 +
         (size_t)basis->items.cap * sizeof(BasisItem) +
         (size_t)basis->steps.cap * sizeof(BasisStep) +
         (size_t)basis->forks.cap * (sizeof(BasisFork) + 2 * sizeof(MapEntry));
}
