/* Duff's device, coroutines by switch, and loops left and entered by goto. */
#include <stdio.h>
#include <string.h>

static void copy(char *to, const char *from, int count) {
  int n = (count + 7) / 8;
  switch (count % 8) {
  case 0: do { *to++ = *from++;
    case 7: *to++ = *from++;
    case 6: *to++ = *from++;
    case 5: *to++ = *from++;
    case 4: *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
    } while (--n > 0);
  }
}

struct Gen {
  int state, i, j;
};
#define BEGIN                                                                            \
  switch (g->state) {                                                                    \
  case 0:
#define YIELD(v)                                                                         \
  do {                                                                                   \
    g->state = __LINE__;                                                                 \
    return v;                                                                            \
  case __LINE__:;                                                                        \
  } while (0)
#define END                                                                              \
  }                                                                                      \
  g->state = -1;                                                                         \
  return -1

static int pairs(struct Gen *g) {
  BEGIN;
  for (g->i = 0; g->i < 4; g->i++) {
    for (g->j = 0; g->j < g->i; g->j++) YIELD(g->i * 10 + g->j);
    if (g->i == 2) YIELD(99);
  }
  END;
}

static int search(int (*m)[4], int want, int *ret_row, int *ret_col) {
  int i, j;
  for (i = 0; i < 4; i++)
    for (j = 0; j < 4; j++)
      if (m[i][j] == want) goto found;
  return 0;
found:
  *ret_row = i, *ret_col = j;
  return 1;
}

static int collatz(unsigned n) {
  int steps = 0;
top:
  if (n == 1) goto done;
  steps++;
  if (n % 2) {
    n = 3 * n + 1;
    goto top;
  }
  n /= 2;
  goto top;
done:
  return steps;
}

static int cleanup(int fail_at) {
  int done = 0;
  if (fail_at == 1) goto out;
  done |= 1;
  if (fail_at == 2) goto undo1;
  done |= 2;
  if (fail_at == 3) goto undo2;
  return done | 8;
undo2:
  done &= ~2;
undo1:
  done &= ~1;
out:
  return done | 16;
}

int main(void) {
  char from[40] = "the shuttle carries the weft across", to[40];
  for (int n = 1; n < 36; n += 5) {
    memset(to, '.', sizeof to);
    to[39] = 0;
    copy(to, from, n);
    printf("%s\n", to);
  }
  struct Gen g = {0};
  for (int v; (v = pairs(&g)) != -1;) printf("%d ", v);
  printf("\n");
  int m[4][4], r = 0, c = 0;
  for (int i = 0; i < 16; i++) m[i / 4][i % 4] = i * 7 % 16;
  printf("%d ", search(m, 5, &r, &c));
  printf("%d %d %d\n", r, c, search(m, 50, &r, &c));
  printf("%d %d %d\n", collatz(27), collatz(97), collatz(1));
  printf("%d %d %d %d\n", cleanup(0), cleanup(1), cleanup(2), cleanup(3));
  return 0;
}
