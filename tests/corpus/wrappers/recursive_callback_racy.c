// race: unsafe lines 21 22 — a recursive walk calls what it is given; one callback adds to the sum of the other
#include <pthread.h>
#include <stddef.h>

struct tree {
  struct tree *left, *right;
  int value;
};

static struct tree leaf = {NULL, NULL, 1};
static struct tree root = {&leaf, NULL, 2};
static int sum, count;

static void walk(const struct tree *t, void (*visit)(int)) {
  if (!t) return;
  walk(t->left, visit);
  visit(t->value);
  walk(t->right, visit);
}

static void add(int value) { sum += value; }
static void tell(int value) { count += value > 0, sum++; }

static void *adder(void *arg) {
  walk(&root, add);
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, adder, NULL);
  walk(&root, tell);
  pthread_join(a, NULL);
  return sum + count - 7;
}
