/* String literals: escapes, concatenation, embedded zeros, wide and Unicode ones, shared
   storage. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <uchar.h>
#include <wchar.h>

static const char *const lines[] = {"tab\there", "quote\"s", "back\\slash",
                                    "octal\101\60",
                                    "hex\x41"
                                    "B"};
static const char block[] = "first\0second\0third\0";
static const wchar_t wide[] = L"wide \x2603 text";
static const char16_t utf16[] = u"a\U0001F600z";
static const char32_t utf32[] = U"a\U0001F600z";
static const char utf8[] = u8"\u00e9\u20ac";

static size_t wlen(const wchar_t *s) {
  size_t n = 0;
  while (*s++) n++;
  return n;
}

int main(void) {
  for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++)
    printf("%s %zu\n", lines[i], strlen(lines[i]));
  for (const char *p = block; *p; p += strlen(p) + 1) printf("[%s]", p);
  printf(" %zu\n", sizeof block);
  printf("%zu %zu %x\n", wlen(wide), sizeof wide / sizeof *wide, (unsigned)wide[5]);
  for (unsigned i = 0; utf16[i]; i++) printf("%04x ", utf16[i]);
  for (unsigned i = 0; utf32[i]; i++) printf("%08x ", (unsigned)utf32[i]);
  for (unsigned i = 0; utf8[i]; i++) printf("%02x ", (unsigned char)utf8[i]);
  printf("\n");
  printf("%s %c %d\n",
         "one"
         " "
         "two",
         "indexed"[3], *"x" == 'x');
  char own[] = "changed";
  own[0] -= 32;
  const char *p = own;
  printf("%s %s\n", p, __func__);
  printf("%c%c\n", 3 ["abcdef"], *&"abcdef"[5]);
  char cells[3][6] = {"one", "two", "three"};
  memcpy(cells[1], cells[2], sizeof cells[1]);
  cells[2][1] = '\0';
  printf("%s %s %s\n", cells[0], cells[1], cells[2]);
  int n = 0;
  for (const char *s = "mississippi"; (s = strchr(s, 's')); s++) n++;
  printf("%d\n", n);
  printf("%ls %lc\n", L"plain", (wint_t)L'w');
  printf("percent %% and \"%.3s\"\n", "truncated");
  return 0;
}
