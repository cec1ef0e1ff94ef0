/* Pointers that walk over structures of mixed members. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct mixed {
  char tag;
  char name[7];
  int *first;
  char more[16];
  int *second;
};
struct front {
  char name[8];
  int *pointer;
  int numbers[4];
  struct front *next;
};

static int x, y, z;

static int *scan(void *object, size_t bytes) { /* the last word that is not zero */
  int *found = NULL;
  char *p = object, *end = p + bytes;
  for (; p < end; p += sizeof(void *)) {
    int *value;
    memcpy(&value, p, sizeof value);
    if (value) found = value;
  }
  return found;
}

static void clear(void *object, size_t bytes) {
  unsigned char *p = object;
  while (bytes--) *p++ = 0;
}

static void clear_two(void *object, size_t bytes) {
  char *p = object, *next;
  for (size_t i = 0; i < bytes; i++) {
    next = p + 1;
    *p = 0;
    p = next;
  }
}

static void clear_back(void *object, size_t bytes) {
  char *p = (char *)object + bytes;
  while (p > (char *)object) *--p = 0;
}

static void copy_words(void *to, const void *from, size_t bytes) {
  long *d = to;
  const long *s = from;
  for (size_t i = 0; i < bytes / sizeof(long); i++) *d++ = *s++;
}

struct list {
  struct list *next;
};
struct item {
  int *value;
  char text[3];
  struct list link;
  int *other;
};

static struct item *item_of(struct list *l) {
  return (struct item *)((char *)l - offsetof(struct item, link));
}

static struct list head;

static void put(struct item *i) {
  i->link.next = head.next;
  head.next = &i->link;
}

struct outer {
  int count;
  struct item items[3];
  int *tail;
};

int main(void) {
  struct mixed m, n;
  clear(&m, sizeof m);
  m.first = &x;
  m.second = &y;
  copy_words(&n, &m, sizeof n);
  *n.first = 1;
  *n.second = 2;
  struct front f, g;
  clear_two(&f, sizeof f);
  clear_back(&g, sizeof g);
  f.pointer = &z;
  f.next = &g;
  copy_words(&g, &f, sizeof g);
  *g.pointer = 3;
  g.next->numbers[3] = 4;
  clear_two(&n, sizeof n);
  clear_back(&m, sizeof m);
  m.second = &x;
  *scan(&m, sizeof m) = 5;

  struct item one = {&x, "a", {NULL}, &y}, *heap = malloc(sizeof *heap);
  *heap = one;
  put(&one);
  put(heap);
  for (struct list *l = head.next; l; l = l->next) {
    *item_of(l)->value += 1;
    *item_of(l)->other += 1;
  }
  struct outer *o = calloc(2, sizeof *o);
  o[1].items[2].other = &z;
  o[1].tail = &x;
  struct outer copy = o[1];
  struct item *last = copy.items;
  last++;
  last++;
  *last->other = 6;
  int **tail = (int **)((char *)&copy.items[2] + sizeof(struct item));
  **tail = 7;
  struct item *end = &copy.items[3];
  struct outer *whole =
      (struct outer *)((char *)(end - 3) - offsetof(struct outer, items));
  *whole->tail = 8;
  free(heap);
  free(o);
  return 0;
}
