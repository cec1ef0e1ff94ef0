/* Wide characters: the wcs functions, conversion to and from multibyte, swprintf, wide
   classification. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
  wchar_t buf[32];
  wcscpy(buf, L"warp");
  wcscat(buf, L" weft");
  printf("%zu %ls\n", wcslen(buf), buf);
  printf("%d %d\n", wcscmp(L"a", L"b") < 0, wcsncmp(L"abc", L"abd", 2));
  printf("%td %d\n", wcschr(buf, L'w') - buf, wcsstr(buf, L"eft") == buf + 6);
  wmemset(buf, L'x', 3);
  wmemmove(buf + 1, buf + 2, 4);
  printf("%ls\n", buf);
  printf("%d ", swprintf(buf, 32, L"%d-%ls-%s", 42, L"wide", "narrow"));
  printf("%ls\n", buf);
  printf("%ld %g\n", wcstol(L"123abc", NULL, 10), wcstod(L"2.5", NULL));
  char narrow[32];
  printf("%zu ", wcstombs(narrow, L"plain", sizeof narrow));
  printf("%s\n", narrow);
  printf("%zu ", mbstowcs(buf, "back", 32));
  printf("%ls\n", buf);
  printf("%d %d %lc\n", iswalpha(L'a') != 0, iswdigit(L'x') != 0, towupper(L'q'));
  printf("%d\n", wctob(L'A'));
  return setlocale(LC_ALL, "C") == NULL;
}
