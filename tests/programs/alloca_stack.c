/* alloca: memory that lives until the function returns, in loops, behind pointers kept in
   a list. */
#include <alloca.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct Link {
  int value;
  struct Link *next;
};

static int list(int n) {
  struct Link *head = NULL;
  for (int i = 0; i < n; i++) {
    struct Link *l = alloca(sizeof *l);
    l->value = i;
    l->next = head;
    head = l;
  }
  int s = 0;
  for (struct Link *l = head; l; l = l->next) s = s * 2 % 10007 + l->value;
  return s;
}

static void text(int n) {
  char *words[8];
  for (int i = 0; i < n; i++) {
    words[i] = alloca((size_t)i + 2);
    memset(words[i], 'a' + i, (size_t)i + 1);
    words[i][i + 1] = 0;
  }
  for (int i = n; i-- > 0;) printf("%s%s", words[i], i ? "," : "\n");
}

static int recursive(int n, int *up) {
  int *here = alloca(sizeof(int) * 4);
  for (int i = 0; i < 4; i++) here[i] = (up ? up[i] : 0) + n * i;
  if (n == 0) return here[3];
  int r = recursive(n - 1, here);
  return r + here[1];
}

int main(void) {
  printf("%d %d\n", list(1), list(100));
  text(6);
  printf("%d\n", recursive(10, NULL));
  int aligned = 1;
  for (int i = 1; i < 40; i += 7) {
    void *p = __builtin_alloca_with_align((size_t)i, 64 * 8);
    memset(p, 0, (size_t)i);
    aligned &= (uintptr_t)p % 64 == 0;
  }
  printf("%s\n", aligned ? "aligned" : "crooked");
  for (int i = 0; i < 2000; i++) (void)list(10);
  return 0;
}
