/* Old C: K&R definitions, calls without a prototype in scope, implicit returns, void
   pointer sums. */
#include <stdio.h>

int add();
double scale();

int add(a, b)
int a;
char b;
{
  return a + b;
}

double scale(x, k)
double x;
float k;
{
  return x * k;
}

static void *skip(p, n) void *p;
int n;
{
  return p + n;
}

struct Empty {};
struct Tail {
  int n;
  int zero[0];
};

static int many();

main_helper(v) {
  return v * 2;
}

int main(argc, argv)
int argc;
char **argv;
{
  (void)argv;
  printf("%d %g\n", add(1000, 'a'), scale(1.5, 2.0f));
  char text[] = "shuttle";
  printf("%s\n", (char *)skip(text, 4));
  printf("%d\n", many(1, 2L, 3.5));
  printf("%d %zu %zu\n", main_helper(argc + 20), sizeof(struct Empty),
         sizeof(struct Tail));
  int (*f)() = add;
  printf("%d\n", f(5, 6));
  {
    __label__ inner;
    int n = 0;
  inner:
    if (n++ < 3) goto inner;
    printf("%d\n", n);
  }
  __auto_type q = &text[2];
  printf("%c %zu\n", *q, sizeof(void));
  return 0;
}

static int many(a, b, c)
int a;
long b;
double c;
{
  return a + (int)b + (int)(c * 2);
}
