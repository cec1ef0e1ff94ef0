/* switch: dense, sparse, ranges, fall through, default in the middle, nested, 64-bit,
   negative, chars. */
#include <stdio.h>

static int dense(int v) {
  switch (v) {
  case 0: return 10;
  case 1: return 21;
  case 2: return 32;
  case 3: return 43;
  case 4: return 54;
  case 5: return 65;
  }
  return -1;
}
static int sparse(long v) {
  switch (v) {
  case -9000000000L: return 1;
  case -1: return 2;
  case 0: return 3;
  case 1000: return 4;
  case 0x7fffffffffffffffL: return 5;
  default: return 6;
  }
}
static const char *kind(int c) {
  switch (c) {
  case '0' ... '9': return "digit";
  case 'a' ... 'z':
  case 'A' ... 'Z': return "letter";
  case ' ':
  case '\t': return "blank";
  case -128 ... - 1: return "high";
  default: return "other";
  }
}
static int falls(int v) {
  int n = 0;
  switch (v) {
  case 3: n += 1; __attribute__((fallthrough));
  default: n += 10; __attribute__((fallthrough));
  case 2: n += 100; break;
  case 1: n += 1000;
  }
  return n;
}
static int nested(int a, int b) {
  switch (a) {
  case 0:
    switch (b) {
    case 0: return 0;
    case 1: break;
    default: return 2;
    }
    return 1;
  case 1: {
    int r = 7;
    switch (b) {
    default: r = b;
    }
    return r;
  }
  }
  return 9;
}
static unsigned char_switch(unsigned char c) {
  switch (c) {
  case 255: return 1;
  case 128 ... 200: return 2;
  }
  return 0;
}
enum Colour { RED = -5, GREEN, BLUE = 40 };
static const char *name(enum Colour c) {
  switch (c) {
  case RED: return "red";
  case GREEN: return "green";
  case BLUE: return "blue";
  }
  return "?";
}
static int jump_in(int v) {
  int n = 0;
  switch (v)
    while (n < 10) {
    case 1: n += 3;
    case 2: n += 4;
    }
  return n;
}

int main(void) {
  for (int i = -1; i < 7; i++) printf("%d ", dense(i));
  const long s[] = {-9000000000L, -1, 0, 1000, 0x7fffffffffffffffL, 999, -9000000001L};
  for (int i = 0; i < 7; i++) printf("%d ", sparse(s[i]));
  printf("\n");
  for (const char *p = "a7 Z.\t"; *p; p++) printf("%s ", kind(*p));
  printf("%s\n", kind(-5));
  for (int i = 0; i < 5; i++) printf("%d ", falls(i));
  for (int i = 0; i < 9; i++) printf("%d ", nested(i / 3, i % 3));
  printf("\n%u%u%u%u\n", char_switch(255), char_switch(150),
         char_switch((unsigned char)-1), char_switch(127));
  printf("%s %s %s %s\n", name(RED), name(GREEN), name(BLUE), name((enum Colour)7));
  printf("%d %d %d\n", jump_in(1), jump_in(2), jump_in(3));
  switch (sizeof(long))
  case 8:
    printf("eight\n");
  _Bool b = 1;
  switch ((int)b) {
  case 0: return 1;
  case 1: break;
  }
  return 0;
}
