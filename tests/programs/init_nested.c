/* Initialisers: nested aggregates, elided braces, designators out of order, ranges,
   overrides. */
#include <stdio.h>

struct Point {
  int x, y;
};
struct Box {
  struct Point from, to;
  char name[8];
};
struct Deep {
  struct {
    struct {
      int v[2][3];
    } in[2];
    int tail;
  } out;
  const char *s;
};

static struct Box global = {.to = {.y = 4, .x = 3}, .name = "glob", .from.y = -1};
static int sparse[] = {[3] = 30, 40, [1] = 10, 20, [9] = 90};
static const char *names[] = {[2] = "two", [0] = "zero"};
static int ranges[12] = {[0 ... 3] = 1, [6 ... 8] = 7, [10] = 70};
static struct Deep deep = {{{{{{1, 2, 3}, {4}}}, {.v[1][2] = 9}}, 5}, "deep"};
static char letters[] = "abc", exact[3] = "xyz", padded[6] = {'p'};
static union {
  int i;
  float f;
} number = {.f = 1.0f};
static struct {
  int a : 4, b : 4;
  unsigned char c;
} bits[] = {{1, -2, 3}, {.c = 255}};

static int check(struct Box b) {
  return b.from.x + 10 * b.from.y + 100 * b.to.x + 1000 * b.to.y;
}

int main(int argc, char **argv) {
  (void)argv;
  printf("%d %s\n", check(global), global.name);
  for (unsigned i = 0; i < sizeof sparse / sizeof *sparse; i++) printf("%d ", sparse[i]);
  printf("\n%zu %s %s %d\n", sizeof names / sizeof *names, names[0], names[2],
         names[1] == NULL);
  for (int i = 0; i < 12; i++) printf("%d ", ranges[i]);
  printf("\n");
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 3; k++) printf("%d ", deep.out.in[i].v[j][k]);
  printf("%d %s\n", deep.out.tail, deep.s);
  printf("%s %zu %zu %c%c%c %d%d\n", letters, sizeof letters, sizeof exact, exact[0],
         exact[1], exact[2], padded[0], padded[5]);
  printf("%x %d %d %u %u\n", (unsigned)number.i, bits[0].a, bits[0].b, bits[0].c,
         bits[1].c);

  int n = argc;
  struct Box local = {{n, n + 1}, {.x = n * 2}, .name = {'l', 'o', [5] = '!'}};
  printf("%d %s %c\n", check(local), local.name, local.name[5]);
  int grid[2][3] = {{1}, {[2] = n + 5}}, flat[2][2] = {{1, 2}, {3, n}};
  printf("%d %d %d | %d %d\n", grid[0][0], grid[0][2], grid[1][2], flat[1][0],
         flat[1][1]);
  struct Point path[] = {[2] = {5, 6}, [0].y = 7, [1] = {.x = n}};
  printf("%d %d %d %zu\n", path[0].y, path[1].x, path[2].y, sizeof path / sizeof *path);
  struct Box copy = {.from = path[2], .to = local.from};
  printf("%d '%s'\n", check(copy), copy.name);
  struct Deep zero = {0};
  printf("%d %d\n", zero.out.in[1].v[1][1], zero.s == NULL);
  long big[40] = {1, 2, [38] = n};
  long s = 0;
  for (int i = 0; i < 40; i++) s += big[i] * i;
  printf("%ld\n", s);
  return 0;
}
