/* Standard input, character by character: counts of lines, words and letters, ungetc, end
   of file. */
#include <ctype.h>
#include <stdio.h>

static int number(int first) {
  int v = first - '0', c;
  while (isdigit(c = getchar())) v = v * 10 + c - '0';
  ungetc(c, stdin);
  return v;
}

int main(void) {
  int c, lines = 0, words = 0, chars = 0, in = 0, total = 0, hist[26] = {0};
  while ((c = getchar()) != EOF) {
    if (isdigit(c)) {
      total += number(c);
      continue;
    }
    chars++;
    if (c == '\n') lines++;
    if (isspace(c))
      in = 0;
    else if (!in)
      in = 1, words++;
    if (isalpha(c)) hist[tolower(c) - 'a']++;
  }
  printf("%d %d %d %d\n", lines, words, chars, total);
  for (int i = 0; i < 26; i++)
    if (hist[i]) printf("%c%d ", 'a' + i, hist[i]);
  printf("\n%d %d\n", feof(stdin) != 0, ferror(stdin));
  printf("%d\n", getchar() == EOF);
  return lines;
}
