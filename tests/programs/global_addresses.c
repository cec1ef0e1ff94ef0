/* Global initialisers with addresses: of members, elements, functions, strings, in
   cycles, with arithmetic. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct Node {
  int v;
  struct Node *next, **back;
};
extern struct Node a, b, c;
struct Node a = {1, &b, &c.next}, b = {2, &c, &a.next}, c = {3, &a, &b.next};

static int array[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
static int *middle = &array[5], *end = array + 10, *begin = &array[0];
static int (*rows)[5] = (int (*)[5])array;
static char text[] = "pattern", *tail = text + 3;
static const char *lit = &"literal"[3];
static const ptrdiff_t between =
    offsetof(struct Node, back) - offsetof(struct Node, next);
static void *generic = &middle;
static int **through = &middle;
static const uintptr_t as_number = (uintptr_t)&array[2];

static int inc(int v) {
  return v + 1;
}
static int dec(int v) {
  return v - 1;
}
static struct {
  int (*f)(int);
  const char *name;
  int *arg;
} calls[] = {{inc, "inc", &array[3]}, {dec, "dec", array + 7}, {&inc, &"xinc"[1], &a.v}};

static struct Deep {
  struct {
    int pad;
    short s[4];
  } in[3];
} deep = {.in[1].s[2] = 42};
static short *into = &deep.in[1].s[2];
static char *byte = (char *)&deep.in[1] + offsetof(struct Deep, in[0].s[2]);

int main(void) {
  struct Node *n = &a;
  for (int i = 0; i < 7; i++, n = n->next) printf("%d%d ", n->v, (*n->back)->v);
  printf("\n%d %td %td\n", *middle, end - middle, begin - middle);
  printf("%d %d\n", rows[1][2], (*rows)[4]);
  printf("%s %s %td\n", tail, lit, between);
  **through = 50;
  printf("%d %d\n", array[5], **(int **)generic);
  *through += 2;
  printf("%d\n", *middle);
  printf("%d %d\n", *(int *)as_number, as_number == (uintptr_t)(array + 2));
  for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++)
    printf("%s %d\n", calls[i].name, calls[i].f(*calls[i].arg));
  printf("%d %d %d\n", *into, into == (short *)byte, into[1]);
  *into = -1;
  printf("%d\n", deep.in[1].s[2]);
  tail[0] = 'T';
  printf("%s\n", text);
  return 0;
}
