/* Compound literals: structs, arrays, scalars, in loops, at file scope, their addresses
   and lifetime. */
#include <stdio.h>
#include <string.h>

struct P {
  int x, y;
};
struct Line {
  struct P *a, *b;
};

static struct P *origin = &(struct P){3, 4};
static int *table = (int[]){5, 6, 7, 8};
static struct Line fixed = {&(struct P){1, 2}, &(struct P){.y = 9}};
static const char *const words[] = {"a", (const char[]){'h', 'i', 0}};

static int dot(struct P a, struct P b) {
  return a.x * b.x + a.y * b.y;
}
static int length(struct P *list) {
  int n = 0;
  while (list[n].x || list[n].y) n++;
  return n;
}
static int sum(const int *v, int n) {
  int s = 0;
  while (n--) s += *v++;
  return s;
}
static struct P *largest(struct P *a, struct P *b) {
  return a->x > b->x ? a : b;
}

int main(void) {
  printf("%d %d %s\n", origin->x, table[3], words[1]);
  origin->y++;
  table[0] += 10;
  printf("%d %d %d %d\n", origin->y, sum(table, 4), fixed.a->y, fixed.b->y);
  printf("%d\n", dot((struct P){1, 2}, (struct P){.y = 5}));
  printf("%d\n", length((struct P[]){{1, 0}, {0, 1}, {2, 2}, {0}}));
  printf("%d\n", sum((int[3]){[1] = 4, 6}, 3));
  int total = 0;
  for (int i = 0; i < 4; i++) {
    struct P *p = &(struct P){i, i * i};
    p->x += 1;
    total += p->x * p->y;
  }
  printf("%d\n", total);
  int *one = &(int){41};
  ++*one;
  printf("%d\n", *one);
  char *s = (char[16]){"mutable"};
  s[0] = 'M';
  strcat(s, "!");
  printf("%s %zu\n", s, sizeof(char[]){"abcd"});
  struct P *m = largest(&(struct P){7, 1}, &(struct P){5, 2});
  *m = (struct P){.x = m->y, .y = m->x};
  printf("%d %d\n", m->x, m->y);
  struct P v = {1, 2};
  v = (struct P){v.y, v.x};
  printf("%d %d\n", v.x, v.y);
  double(*row)[2] = (double[2][2]){{1, 2}, {3, 4}};
  printf("%g\n", row[1][0] + row[0][1]);
  goto again;
again:;
  static int rounds;
  int *fresh = (int[2]){rounds, 1};
  fresh[1] += rounds;
  printf("%d ", fresh[0] + fresh[1]);
  if (++rounds < 3) goto again;
  printf("\n");
  return 0;
}
