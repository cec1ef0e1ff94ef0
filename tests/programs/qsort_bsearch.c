/* qsort and bsearch with callbacks: ints, strings, structs, descending, with a counter in
   the callback. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls;

static int by_int(const void *a, const void *b) {
  calls++;
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}
static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

struct Item {
  char name[12];
  double weight;
  int rank;
};
static int by_weight(const void *a, const void *b) {
  const struct Item *x = a, *y = b;
  if (x->weight != y->weight) return x->weight < y->weight ? 1 : -1;
  return x->rank - y->rank;
}
static int find_rank(const void *key, const void *item) {
  return *(const int *)key - ((const struct Item *)item)->rank;
}
static int by_rank(const void *a, const void *b) {
  return ((const struct Item *)a)->rank - ((const struct Item *)b)->rank;
}

int main(void) {
  int v[60];
  unsigned x = 5;
  for (int i = 0; i < 60; i++)
    v[i] = (int)((x = x * 1103515245u + 12345u) >> 16) % 1000 - 500;
  qsort(v, 60, sizeof *v, by_int);
  int sorted = 1;
  for (int i = 1; i < 60; i++) sorted &= v[i - 1] <= v[i];
  printf("%s %d %d %s\n", sorted ? "sorted" : "not sorted", v[0], v[59],
         calls > 59 ? "compared" : "?");
  int key = v[33], none = 5000;
  int *hit = bsearch(&key, v, 60, sizeof *v, by_int);
  printf("%d %d\n", hit ? *hit == key : -1,
         bsearch(&none, v, 60, sizeof *v, by_int) == NULL);

  const char *words[] = {"weft", "warp", "heddle", "shuttle", "loom", "reed", "bobbin"};
  qsort(words, 7, sizeof *words, by_text);
  for (int i = 0; i < 7; i++) printf("%s%s", words[i], i < 6 ? " " : "\n");
  const char *want = "loom";
  const char **found = bsearch(&want, words, 7, sizeof *words, by_text);
  printf("%td\n", found - words);

  struct Item items[] = {
      {"wool", 2.5, 3}, {"silk", 0.5, 1}, {"flax", 2.5, 2}, {"jute", 9, 5}};
  qsort(items, 4, sizeof *items, by_weight);
  for (int i = 0; i < 4; i++)
    printf("%s:%g:%d ", items[i].name, items[i].weight, items[i].rank);
  qsort(items, 4, sizeof *items, by_rank);
  int rank = 5;
  struct Item *it = bsearch(&rank, items, 4, sizeof *items, find_rank);
  printf("%s\n", it ? it->name : "none");
  qsort(v, 0, sizeof *v, by_int);
  qsort(v, 1, sizeof *v, by_int);
  return 0;
}
