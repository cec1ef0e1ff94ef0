/* Pointers through blocks of memory: realloc, memcpy of parts, wrappers, pools, lists. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int x, y, z;

static void *xmalloc(size_t n) {
  void *p = malloc(n);
  if (!p) abort();
  return p;
}
static void *zeroed(size_t n) {
  void *p = xmalloc(n);
  memset(p, 0, n);
  return p;
}
static char *headed(size_t n) {
  char *p = xmalloc(n + 16);
  return p + 16;
}
static void release(char *p) {
  free(p - 16);
}
static int make(void **out, size_t n) {
  *out = malloc(n);
  return *out ? 0 : -1;
}

static void *(*allocate)(size_t) = xmalloc;
static struct {
  void *(*get)(size_t);
  void (*put)(void *);
} hooks = {zeroed, free};

struct vec {
  int **data;
  size_t len, cap;
};
static void push(struct vec *v, int *p) {
  if (v->len == v->cap) {
    v->cap = v->cap ? 2 * v->cap : 2;
    v->data = realloc(v->data, v->cap * sizeof *v->data);
  }
  v->data[v->len++] = p;
}

static char pool[4096];
static size_t used;
static void *from_pool(size_t n) {
  void *p = pool + used;
  used += (n + 15) / 16 * 16;
  return p;
}

struct node {
  struct node *left, *right;
  int *value;
  int key;
};
static struct node **place(struct node **at, int key) {
  while (*at && (*at)->key != key) at = key < (*at)->key ? &(*at)->left : &(*at)->right;
  return at;
}

struct flexible {
  int n;
  int *items[];
};
union any {
  int *p;
  char bytes[24];
  struct {
    long tag;
    int *q;
  } s;
};

static void swap(void *a, void *b, size_t n) {
  char t[64];
  memcpy(t, a, n);
  memcpy(a, b, n);
  memcpy(b, t, n);
}

static int *tagged(int *p) {
  return (int *)((uintptr_t)p | 1);
}
static int *untagged(int *p) {
  return (int *)((uintptr_t)p & ~(uintptr_t)3);
}

int main(void) {
  struct vec v = {0};
  for (int i = 0; i < 9; i++) push(&v, i % 2 ? &x : &y);
  *v.data[8] = 1;
  int **h = allocate(2 * sizeof *h);
  h[1] = &z;
  *h[1] = 2;
  int **k = hooks.get(24);
  k[2] = &x;
  *k[2] = 3;
  hooks.put(k);
  struct {
    long a;
    int *p;
  } *q = (void *)headed(sizeof *q);
  q->p = &y;
  *q->p = 4;
  release((char *)q);
  void *out;
  if (make(&out, 32) == 0) ((int **)out)[3] = &z;
  *((int **)out)[3] = 5;
  struct node *root = NULL;
  for (int i = 0; i < 5; i++) {
    struct node **at = place(&root, (i * 3) % 5), *n = from_pool(sizeof *n);
    *n = (struct node){.value = i % 2 ? &x : &y, .key = (i * 3) % 5};
    *at = n;
  }
  *(*place(&root, 4))->value = 6;
  struct flexible *f = malloc(sizeof *f + 4 * sizeof(int *));
  f->n = 4;
  for (int i = 0; i < 4; i++) f->items[i] = &z;
  *f->items[3] = 7;
  union any a, b;
  a.s.q = &x;
  memcpy(b.bytes, a.bytes, sizeof b.bytes);
  *b.s.q = 8;
  memcpy(&a.p, &b.bytes[8], 8);
  *a.p = 9;
  struct {
    int n;
    int *p;
    char t[8];
  } s1 = {1, &y, ""}, s2 = {2, &z, ""};
  swap(&s1, &s2, sizeof s1);
  *s1.p = 10;
  *s2.p = 11;
  *untagged(tagged(&x)) = 12;
  int *table[4] = {&x, &y, &z, NULL}, **end = table + 4;
  for (int **p = table; p < end && *p; p++) **p = 13;
  memmove(table + 1, table, 2 * sizeof *table);
  *table[2] = 14;
  int *two[2][2] = {{&x, &y}, {&z, &x}}, **flat = &two[0][0];
  for (int i = 0; i < 4; i++) *flat[i] = 15;
  char *text = strdup("one two"), *rest = NULL;
  for (char *w = strtok_r(text, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
    w[0] = 'x';
  char *walk = text;
  char *word = strsep(&walk, "w");
  word[0] = 'y';
  if (walk) *walk = 'z';
  char *number = strdup("12 34"), *after;
  strtol(number, &after, 10);
  *after = '_';
  static char pair[] = "HEDDLE_WORD=1";
  putenv(pair);
  getenv("HEDDLE_WORD")[0] = '2';
  for (char **e = environ; *e; e++)
    if (**e == 'H') **e = 'G';
  for (int i = 0; i < 3; i++) {
    int **grown = realloc(i ? v.data : NULL, 64 * (i + 1));
    grown[i] = &x;
    v.data = grown;
  }
  *v.data[0] = 1;
  free(v.data);
  return 0;
}
