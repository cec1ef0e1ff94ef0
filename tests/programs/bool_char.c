/* _Bool and characters: conversion to bool from everything, char arithmetic, ctype. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool truth(int v) {
  return v;
}

static void caesar(char *s, int by) {
  for (; *s; s++)
    if (isupper((unsigned char)*s))
      *s = (char)('A' + (*s - 'A' + by + 26) % 26);
    else if (islower((unsigned char)*s))
      *s = (char)('a' + (*s - 'a' + by + 26) % 26);
}

int main(void) {
  int dummy;
  int *p = &dummy, *nil = NULL;
  unsigned long long high = 1ull << 63;
  double half = 0.5, nought = -0.0;
  bool b[] = {2, 0, half, 0.0, 256, -1, p, nil, high, "text", 0.0f, nought};
  for (unsigned i = 0; i < sizeof b / sizeof *b; i++) printf("%d", b[i]);
  printf(" %zu\n", sizeof b[0]);
  bool x = true;
  x += 5;
  printf("%d ", x);
  x--;
  printf("%d ", x);
  x |= 4;
  printf("%d ", x);
  x ^= 1;
  printf("%d ", x);
  x = !x;
  printf("%d %d\n", x, ~(int)x);
  printf("%d %d %d\n", truth(1024), truth(0), (bool)0x100 + (bool)0x10000);
  unsigned char raw;
  memcpy(&raw, &x, 1);
  printf("%d\n", raw);

  char line[] = "Warp 9, Weft-42! {tab\there}";
  int counts[10] = {0};
  for (const char *c = line; *c; c++) {
    unsigned char u = (unsigned char)*c;
    counts[0] += !!isalpha(u), counts[1] += !!isdigit(u), counts[2] += !!isspace(u);
    counts[3] += !!ispunct(u), counts[4] += !!isupper(u), counts[5] += !!islower(u);
    counts[6] += !!isxdigit(u), counts[7] += !!isprint(u), counts[8] += !!iscntrl(u);
    counts[9] += !!isalnum(u);
  }
  for (int i = 0; i < 10; i++) printf("%d ", counts[i]);
  printf("\n");
  caesar(line, 3);
  printf("%s\n", line);
  caesar(line, -3);
  printf("%s\n", line);
  for (char *c = line; *c; c++)
    *c = (char)(c - line & 1 ? toupper((unsigned char)*c) : tolower((unsigned char)*c));
  printf("%s\n", line);
  char wrap = 'z';
  wrap += 10;
  printf("%d %d\n", wrap, (signed char)(wrap * 2));
  printf("%d %d %d\n", '\377', '\x7f', '\\');
  printf("%d\n", 'ab' == ('a' << 8 | 'b'));
  return 0;
}
