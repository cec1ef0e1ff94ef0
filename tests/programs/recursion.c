/* Deep and mutual recursion: Ackermann, Hanoi, queens, permutations, a recursive descent.
   */
#include <stdio.h>
#include <string.h>

static unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static int moves;
static void hanoi(int n, int from, int to, int via) {
  if (n == 0) return;
  hanoi(n - 1, from, via, to);
  moves = moves * 3 % 10007 + from * 4 + to;
  hanoi(n - 1, via, to, from);
}

static int queens(int n, int row, unsigned cols, unsigned left, unsigned right) {
  if (row == n) return 1;
  int found = 0;
  for (int c = 0; c < n; c++) {
    unsigned bit = 1u << c;
    if (!(cols & bit) && !(left & 1u << (row + c)) && !(right & 1u << (row - c + n)))
      found += queens(n, row + 1, cols | bit, left | 1u << (row + c),
                      right | 1u << (row - c + n));
  }
  return found;
}

static void permute(char *s, int k, int n) {
  if (k == n) {
    printf("%s ", s);
    return;
  }
  for (int i = k; i < n; i++) {
    char t = s[k];
    s[k] = s[i], s[i] = t;
    permute(s, k + 1, n);
    t = s[k];
    s[k] = s[i], s[i] = t;
  }
}

static int is_odd(int n);
static int is_even(int n) {
  return n == 0 || is_odd(n - 1);
}
static int is_odd(int n) {
  return n != 0 && is_even(n - 1);
}

static long expr(const char **p);
static long atom(const char **p) {
  long v = 0;
  if (**p == '(') {
    ++*p;
    v = expr(p);
    ++*p;
  } else if (**p == '-') {
    ++*p;
    v = -atom(p);
  } else
    while (**p >= '0' && **p <= '9') v = v * 10 + *(*p)++ - '0';
  return v;
}
static long term(const char **p) {
  long v = atom(p);
  while (**p == '*' || **p == '/') {
    char op = *(*p)++;
    long w = atom(p);
    v = op == '*' ? v * w : w ? v / w : 0;
  }
  return v;
}
static long expr(const char **p) {
  long v = term(p);
  while (**p == '+' || **p == '-') {
    char op = *(*p)++;
    long w = term(p);
    v = op == '+' ? v + w : v - w;
  }
  return v;
}

int main(void) {
  printf("%u %u\n", ackermann(2, 6), ackermann(3, 3));
  hanoi(8, 0, 2, 1);
  printf("%d\n", moves);
  printf("%d %d\n", queens(5, 0, 0, 0, 0), queens(6, 0, 0, 0, 0));
  char s[] = "loom";
  permute(s, 0, 4);
  printf("\n%d %d\n", is_even(301), is_odd(77));
  const char *lines[] = {"1+2*3", "(1+2)*3", "-(4-10)*(2+3)/7", "100/(5-5)+8*-2"};
  for (int i = 0; i < 4; i++) {
    const char *p = lines[i];
    printf("%s=%ld ", lines[i], expr(&p));
  }
  printf("\n");
  return 0;
}
