/* The heap: malloc, calloc, realloc growing and shrinking, free of NULL, aligned_alloc, a
   linked list. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Vec {
  int *v;
  size_t n, room;
};

static void push(struct Vec *x, int value) {
  if (x->n == x->room) {
    x->room = x->room ? x->room * 2 : 1;
    x->v = realloc(x->v, x->room * sizeof *x->v);
  }
  x->v[x->n++] = value;
}

struct Cell {
  struct Cell *next;
  char text[];
};

int main(void) {
  struct Vec v = {0};
  for (int i = 0; i < 1000; i++) push(&v, i * i % 97);
  long s = 0;
  for (size_t i = 0; i < v.n; i++) s = s * 31 % 1000003 + v.v[i];
  printf("%ld %zu %zu\n", s, v.n, v.room);
  v.v = realloc(v.v, 10 * sizeof *v.v);
  for (int i = 0; i < 10; i++) printf("%d ", v.v[i]);
  printf("\n");
  free(v.v);
  free(NULL);

  int *zero = calloc(50, sizeof *zero);
  int sum = 0;
  for (int i = 0; i < 50; i++) sum += zero[i];
  printf("%d\n", sum);
  free(zero);

  struct Cell *head = NULL;
  for (int i = 0; i < 20; i++) {
    char name[16];
    int n = snprintf(name, sizeof name, "cell%d", i * i);
    struct Cell *c = malloc(sizeof *c + (size_t)n + 1);
    memcpy(c->text, name, (size_t)n + 1);
    c->next = head;
    head = c;
  }
  struct Cell **at = &head;
  while (*at) {
    if (strlen((*at)->text) == 6) {
      struct Cell *gone = *at;
      *at = gone->next;
      free(gone);
    } else
      at = &(*at)->next;
  }
  while (head) {
    struct Cell *next = head->next;
    printf("%s ", head->text);
    free(head);
    head = next;
  }
  printf("\n");

  void *a = aligned_alloc(64, 128), *b = NULL;
  int r = posix_memalign(&b, 256, 100);
  printf("%d %d %d\n", (uintptr_t)a % 64 == 0, (uintptr_t)b % 256 == 0, r);
  printf("%d\n", posix_memalign(&b, 3, 100) == EINVAL);
  free(a);
  free(b);
  char *m = malloc(1), *e = realloc(NULL, 5);
  strcpy(e, "null");
  *m = 'm';
  printf("%c %s %d\n", *m, e, m != e);
  free(m);
  free(e);
  double **rows = malloc(5 * sizeof *rows);
  for (int i = 0; i < 5; i++) {
    rows[i] = calloc((size_t)i + 1, sizeof **rows);
    for (int j = 0; j <= i; j++)
      rows[i][j] = j == 0 || j == i ? 1 : rows[i - 1][j - 1] + rows[i - 1][j];
  }
  printf("%g %g\n", rows[4][2], rows[3][1]);
  for (int i = 0; i < 5; i++) free(rows[i]);
  free(rows);
  void *volatile huge = calloc(SIZE_MAX / 2, 16);
  printf("%d\n", huge == NULL);
  return 0;
}
