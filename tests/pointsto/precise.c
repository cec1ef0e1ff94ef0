/* What the analysis can tell apart; precise.gold has what it says about each store. */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int a, b, c, d;

/* members, elements of arrays, arrays in members */
struct member {
  int *first, *second;
  int numbers[4];
};
static struct member m, list[3];

static void members(int i) {
  m.first = &a;
  m.second = &b;
  *m.first = 1;
  *m.second = 2;
  list[i].first = &c;
  list[2].second = &d;
  *list[0].first = 3;
  *list[1].second = 4;
  m.numbers[i] = 5;
  struct member *p = &list[i];
  p->numbers[2] = 6;
}

/* each call of a wrapper gives an object of its own */
static void *wrapper(size_t n) {
  void *p = malloc(n);
  if (!p) abort();
  return p;
}

static void wrapped(void) {
  int **x = wrapper(sizeof *x);
  int **y = wrapper(sizeof *y);
  *x = &a;
  *y = &b;
  **x = 1;
  **y = 2;
}

/* loops over arrays stay in the array */
struct line {
  int length;
  char text[12];
  struct line *next;
};

static void loops(struct line *l, int *numbers) {
  char *p = l->text;
  while (*p) *p++ = 'x';
  for (int *n = numbers; n < numbers + 4; n++) *n = 0;
  l->next = NULL;
}

/* from a member to its structure and back, in a cycle */
struct link {
  struct link *next;
};
struct item {
  int value;
  struct link link;
  int *pointer;
};
static struct link head;

static void insert(struct item *i) {
  i->link.next = head.next;
  head.next = &i->link;
}

static void visit(void) {
  for (struct link *l = head.next; l; l = l->next) {
    struct item *i = (struct item *)((char *)l - offsetof(struct item, link));
    i->value = 1;
    *i->pointer = 2;
    insert(i);
  }
}

/* functions by their parameters */
static void one(int *p) {
  *p = 1;
}
static void two(int *p, int n) {
  *p = n;
}
static double three(double x) {
  return x;
}
static void (*chosen[2])(void);

static void calls(int i) {
  chosen[0] = (void (*)(void))one;
  chosen[i] = (void (*)(void))two;
  if (i) chosen[i] = (void (*)(void))three;
  ((void (*)(int *))chosen[i])(&a);
  ((void (*)(int *, int))chosen[i])(&b, 2);
}

/* pointers in bytes, tagged, through a pipe, by a thread */
static void *thread(void *arg) {
  *(int *)arg = 1;
  return arg;
}

static void travels(int fd) {
  int *copy, *from = &c, *received;
  memcpy(&copy, &from, sizeof copy);
  *copy = 1;
  int *tag = (int *)((uintptr_t)&d | 1);
  *(int *)((uintptr_t)tag & ~(uintptr_t)1) = 2;
  from = &b;
  write(fd, &from, sizeof from);
  read(fd, &received, sizeof received);
  *received = 3;
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, thread, &a);
  pthread_join(t, &result);
  *(int *)result = 4;
}

int main(int argc, char **argv) {
  static struct line line;
  static int numbers[4];
  static struct item item = {.pointer = &d};
  members(argc);
  wrapped();
  loops(&line, numbers);
  insert(&item);
  visit();
  calls(argc);
  travels(argc);
  argv[0][0] = 'x';
  return 0;
}
