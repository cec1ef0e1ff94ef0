/* A small language: tokeniser, parser to a tree on the heap, evaluator with variables and
   loops. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { NUM, VAR, BIN, SET, SEQ, WHILE, PRINT } Kind;
typedef struct Node {
  Kind kind;
  long num;
  char op;
  struct Node *a, *b;
} Node;

static const char *src;
static int nodes;

static Node *make(Kind kind, long num, char op, Node *a, Node *b) {
  Node *n = malloc(sizeof *n);
  *n = (Node){kind, num, op, a, b};
  nodes++;
  return n;
}
static char peek(void) {
  while (isspace((unsigned char)*src)) src++;
  return *src;
}
static int accept(char c) {
  return peek() == c ? src++, 1 : 0;
}
static void expect(char c) {
  if (!accept(c)) {
    printf("expected %c at '%.8s'\n", c, src);
    exit(9);
  }
}

static Node *expr(int level);
static Node *atom(void) {
  if (accept('(')) {
    Node *n = expr(0);
    expect(')');
    return n;
  }
  if (isdigit((unsigned char)peek())) {
    char *end;
    long v = strtol(src, &end, 10);
    src = end;
    return make(NUM, v, 0, NULL, NULL);
  }
  return make(VAR, *src++ - 'a', 0, NULL, NULL);
}
static Node *expr(int level) {
  static const char *const ops[] = {"<>", "+-", "*/%"};
  if (level == 3) return atom();
  Node *n = expr(level + 1);
  while (peek() && strchr(ops[level], peek())) {
    char op = *src++;
    n = make(BIN, 0, op, n, expr(level + 1));
  }
  return n;
}
static Node *statement(void) {
  if (accept('{')) {
    Node *n = NULL;
    while (!accept('}')) n = make(SEQ, 0, 0, n, statement());
    return n;
  }
  if (accept('?')) {
    Node *c = expr(0);
    return make(WHILE, 0, 0, c, statement());
  }
  if (accept('!')) {
    Node *n = make(PRINT, 0, 0, expr(0), NULL);
    expect(';');
    return n;
  }
  long v = (peek(), *src++) - 'a';
  expect('=');
  Node *n = make(SET, v, 0, expr(0), NULL);
  expect(';');
  return n;
}

static long vars[26];
static long eval(const Node *n) {
  if (!n) return 0;
  switch (n->kind) {
  case NUM: return n->num;
  case VAR: return vars[n->num];
  case SET: return vars[n->num] = eval(n->a);
  case SEQ: eval(n->a); return eval(n->b);
  case PRINT: printf("%ld\n", eval(n->a)); return 0;
  case WHILE:
    while (eval(n->a)) eval(n->b);
    return 0;
  case BIN: break;
  }
  long x = eval(n->a), y = eval(n->b);
  switch (n->op) {
  case '+': return x + y;
  case '-': return x - y;
  case '*': return x * y;
  case '/': return y ? x / y : 0;
  case '%': return y ? x % y : 0;
  case '<': return x < y;
  default: return x > y;
  }
}
static void drop(Node *n) {
  if (n) {
    drop(n->a);
    drop(n->b);
    free(n);
  }
}

int main(void) {
  src =
      "{ n = 10; f = 1; ? n > 0 { f = f * n; n = n - 1; } ! f;"
      "  a = 1071; b = 462; ? b { t = a % b; a = b; b = t; } ! a;"
      "  i = 2; ? i < 30 { d = 2; p = 1;"
      "    ? d * d < i + 1 { ? (i % d < 1) * p { p = 0; } d = d + 1; }"
      "    ? p { ! i; p = 0; } i = i + 1; }"
      "  ! (1 + 2) * (3 - 5) - 7 / 2; }";
  Node *program = statement();
  eval(program);
  drop(program);
  printf("%d nodes\n", nodes);
  src = "x = (1 + 2;";
  statement();
  return 0;
}
