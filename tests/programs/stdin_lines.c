/* Standard input by lines: fgets with a small buffer, scanf, fread of the rest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char line[16];
  for (int i = 0; i < 4; i++) {
    if (!fgets(line, sizeof line, stdin)) return 1;
    size_t n = strlen(line);
    int whole = n && line[n - 1] == '\n';
    if (whole) line[n - 1] = 0;
    printf("%d %s%s\n", i, line, whole ? "" : "...");
  }
  int n, sum = 0;
  double d;
  char word[20];
  int got = scanf("%d", &n);
  printf("%d %d\n", got, n);
  while (n-- > 0 && scanf("%19s %lf", word, &d) == 2) {
    printf("<%s> %.2f\n", word, d * 2);
    sum += (int)d;
  }
  printf("%d\n", sum);
  char rest[100];
  size_t r = fread(rest, 1, sizeof rest - 1, stdin);
  rest[r] = 0;
  printf("%zu [%s]\n", r, rest);
  printf("%d %d\n", fgets(line, sizeof line, stdin) == NULL, scanf("%d", &n) == EOF);
  return 0;
}
