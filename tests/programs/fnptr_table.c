/* Function pointer tables: a calculator, a state machine and virtual methods. */
#include <stdio.h>

static long add(long a, long b) {
  return a + b;
}
static long sub(long a, long b) {
  return a - b;
}
static long mul(long a, long b) {
  return a * b;
}
static long divide(long a, long b) {
  return b ? a / b : 0;
}

typedef long (*BinOp)(long, long);
static const struct {
  char sign;
  BinOp run;
} ops[] = {{'+', add}, {'-', sub}, {'*', mul}, {'/', divide}};

static BinOp find(char sign) {
  for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
    if (ops[i].sign == sign) return ops[i].run;
  return NULL;
}

/* A state is a function that returns the next state. */
typedef struct Machine Machine;
typedef void *(*State)(Machine *, char);
struct Machine {
  int words, numbers;
};
static void *in_word(Machine *, char);
static void *in_number(Machine *, char);
static void *in_space(Machine *m, char c) {
  if (c >= '0' && c <= '9') return m->numbers++, (void *)in_number;
  if (c != ' ') return m->words++, (void *)in_word;
  return (void *)in_space;
}
static void *in_word(Machine *m, char c) {
  return (void)m, c == ' ' ? (void *)in_space : (void *)in_word;
}
static void *in_number(Machine *m, char c) {
  return (void)m, c == ' ' ? (void *)in_space : (void *)in_number;
}

typedef struct Shape Shape;
struct Class {
  const char *name;
  double (*area)(const Shape *);
  void (*scale)(Shape *, double);
};
struct Shape {
  const struct Class *class;
  double a, b;
};
static double rect_area(const Shape *s) {
  return s->a * s->b;
}
static double tri_area(const Shape *s) {
  return s->a * s->b / 2;
}
static void both(Shape *s, double k) {
  s->a *= k, s->b *= k;
}
static void first(Shape *s, double k) {
  s->a *= k;
}
static const struct Class rect = {"rect", rect_area, both},
                          tri = {"tri", tri_area, first};

int main(void) {
  const char *program = "7+5*3-6/4*9?2";
  long acc = program[0] - '0';
  for (const char *p = program + 1; *p; p += 2) {
    BinOp op = find(*p);
    if (!op) {
      printf("no operator %c\n", *p);
      continue;
    }
    acc = op(acc, p[1] - '0');
    printf("%c%c -> %ld\n", p[0], p[1], acc);
  }
  Machine m = {0};
  State s = in_space;
  for (const char *p = "the 12 looms 7 have 300 heddles each"; *p; p++)
    s = (State)s(&m, *p);
  printf("%d words %d numbers, ends in a %s\n", m.words, m.numbers,
         s == in_word ? "word" : "gap");
  Shape shapes[] = {{&rect, 2, 3}, {&tri, 4, 5}, {&rect, 1, 1}};
  for (int i = 0; i < 3; i++) {
    shapes[i].class->scale(&shapes[i], i + 1.5);
    printf("%s %.3f\n", shapes[i].class->name, shapes[i].class->area(&shapes[i]));
  }
  return (*add)(3, 4) == (&mul)(7, 1) ? 0 : 1;
}
