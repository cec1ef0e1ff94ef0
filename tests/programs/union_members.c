/* Tagged unions by value, unions inside structs and arrays, anonymous members. */
#include <stdio.h>
#include <string.h>

enum Kind { NUM, TEXT, PAIR };

typedef struct Value Value;
struct Value {
  enum Kind kind;
  union {
    long num;
    char text[12];
    struct {
      const Value *left, *right;
    };
  };
};

static Value number(long n) {
  return (Value){NUM, .num = n};
}

static Value text(const char *s) {
  Value v = {TEXT, {0}};
  strncpy(v.text, s, sizeof v.text - 1);
  return v;
}

static Value pair(const Value *l, const Value *r) {
  Value v;
  v.kind = PAIR;
  v.left = l;
  v.right = r;
  return v;
}

static long weigh(Value v) {
  switch (v.kind) {
  case NUM: return v.num;
  case TEXT: return (long)strlen(v.text);
  case PAIR: return weigh(*v.left) * 2 + weigh(*v.right);
  }
  return -1;
}

static void show(const Value *v) {
  switch (v->kind) {
  case NUM: printf("%ld", v->num); break;
  case TEXT: printf("\"%s\"", v->text); break;
  case PAIR:
    putchar('(');
    show(v->left);
    printf(" . ");
    show(v->right);
    putchar(')');
    break;
  }
}

union Either {
  struct {
    int type;
    int a;
  } x;
  struct {
    int type;
    char b[8];
  } y;
};

int main(void) {
  Value a = number(42), b = text("heddle"), c = pair(&a, &b), d = number(-7),
        e = pair(&c, &d);
  show(&e);
  printf(" weighs %ld\n", weigh(e));
  Value copy = e;
  a.num = 1;
  show(&copy);
  printf(" weighs %ld\n", weigh(copy));
  Value many[3] = {[1] = {TEXT, .text = "mid"}, [2] = {.kind = NUM, .num = 9}};
  for (int i = 0; i < 3; i++) {
    show(&many[i]);
    putchar(i < 2 ? ' ' : '\n');
  }
  union Either u = {.y = {2, "abcdefg"}};
  printf("%d %s size %zu\n", u.x.type, u.y.b, sizeof u);
  u.x.a = 0x00434241;
  printf("%s\n", u.y.b);
  printf("%zu %zu\n", sizeof(Value), sizeof(union {
           char c[5];
           short s;
         }));
  return 0;
}
