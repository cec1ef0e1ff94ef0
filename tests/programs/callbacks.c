/* Callbacks with context: a tree visitor, a fold, an event loop that registers and
   removes handlers. */
#include <stdio.h>
#include <stdlib.h>

typedef struct Node {
  int key;
  struct Node *left, *right;
} Node;

static Node *insert(Node *n, int key) {
  if (!n) {
    n = malloc(sizeof *n);
    *n = (Node){key, NULL, NULL};
  } else if (key < n->key)
    n->left = insert(n->left, key);
  else if (key > n->key)
    n->right = insert(n->right, key);
  return n;
}

typedef int (*Visit)(Node *, int depth, void *ctx);

static int walk(Node *n, int depth, Visit visit, void *ctx) {
  if (!n) return 0;
  int r = walk(n->left, depth + 1, visit, ctx);
  if (!r) r = visit(n, depth, ctx);
  return r ? r : walk(n->right, depth + 1, visit, ctx);
}

struct Sum {
  long keys;
  int deepest;
};
static int add(Node *n, int depth, void *ctx) {
  struct Sum *s = ctx;
  s->keys += n->key;
  if (depth > s->deepest) s->deepest = depth;
  return 0;
}
static int print_until(Node *n, int depth, void *ctx) {
  printf("%d@%d ", n->key, depth);
  return n->key >= *(int *)ctx ? n->key : 0;
}

static void drop(Node *n) {
  if (n) {
    drop(n->left);
    drop(n->right);
    free(n);
  }
}

#define SLOTS 4
typedef struct Loop Loop;
struct Loop {
  struct {
    int (*fn)(Loop *, int, void *);
    void *arg;
  } slot[SLOTS];
  int tick;
};
static int ticker(Loop *l, int id, void *arg) {
  printf("[%d] %s in slot %d\n", l->tick, (const char *)arg, id);
  return l->tick >= id + 1;
}
static int spawner(Loop *l, int id, void *arg) {
  (void)arg;
  l->slot[(id + 1) % SLOTS].fn = ticker;
  l->slot[(id + 1) % SLOTS].arg = "child";
  return 1;
}

int main(void) {
  Node *root = NULL;
  unsigned x = 17;
  for (int i = 0; i < 25; i++) root = insert(root, (int)((x = x * 61 + 7) % 100));
  struct Sum s = {0, 0};
  walk(root, 0, add, &s);
  printf("sum %ld depth %d\n", s.keys, s.deepest);
  int limit = 40;
  printf("stopped at %d\n", walk(root, 0, print_until, &limit));
  drop(root);

  Loop loop = {{{ticker, "first"}, {0}, {spawner, 0}}, 0};
  for (; loop.tick < 6; loop.tick++)
    for (int i = 0; i < SLOTS; i++)
      if (loop.slot[i].fn && loop.slot[i].fn(&loop, i, loop.slot[i].arg))
        loop.slot[i].fn = NULL;
  return 0;
}
