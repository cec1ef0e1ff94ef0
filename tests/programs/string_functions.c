/* The string functions: copying, searching, comparing, tokenising, spans, duplicates. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int v) {
  return (v > 0) - (v < 0);
}

int main(void) {
  char buf[64] = "warp";
  printf("%zu %zu %zu\n", strlen(buf), strnlen(buf, 2), strlen(""));
  strcat(buf, " and ");
  strncat(buf, "weftXXX", 4);
  printf("%s\n", buf);
  strcpy(buf + 5, "or");
  printf("%s %c\n", buf, buf[8]);
  memset(buf, 'z', 10);
  strncpy(buf, "ab", 5);
  printf("%s %d %c\n", buf, buf[4], buf[5]);
  printf("%s ", stpcpy(buf, "abc") - 1);
  printf("%td\n", stpcpy(buf, "hello") - buf);
  printf("%d %d %d %d\n", sign(strcmp("abc", "abd")), sign(strcmp("b", "abc")),
         sign(strcmp("", "")), sign(strcmp("\xff", "a")));
  printf("%d %d %d\n", sign(strncmp("abcd", "abce", 3)), sign(strncmp("abcd", "abce", 4)),
         strncmp("a", "b", 0));
  printf("%d %d\n", sign(strcasecmp("HeDDle", "heddLE")),
         sign(strncasecmp("ABx", "aby", 2)));
  const char *s = "the quick brown fox";
  printf("%s|%s|%d\n", strchr(s, 'q'), strrchr(s, 'o'), strchr(s, 'z') == NULL);
  printf("%zu %d\n", strlen(strchr(s, 0)), strrchr(s, 0) == s + strlen(s));
  printf("%s|%d|%s\n", strstr(s, "brown"), strstr(s, "blue") == NULL,
         strstr(s, "") == s ? "same" : "?");
  printf("%zu %zu %s\n", strspn(s, "eht "), strcspn(s, "qk"), strpbrk(s, "xwb"));
  printf("%s %s\n", strcasestr("Find THE word", "the"), strchrnul("abc", 'z') + 0);

  char line[] = ",one,,two;three,";
  int n = 0;
  for (char *t = strtok(line, ",;"); t; t = strtok(NULL, ",;")) printf("%d:%s ", n++, t);
  printf("\n");
  char outer[] = "a=1 b=2 c=3", *so, *si;
  for (char *t = strtok_r(outer, " ", &so); t; t = strtok_r(NULL, " ", &so)) {
    char *k = strtok_r(t, "=", &si), *v = strtok_r(NULL, "=", &si);
    printf("%s->%s ", k, v);
  }
  printf("\n");
  char empty[] = "x::y", *p = empty, *f;
  while ((f = strsep(&p, ":"))) printf("[%s]", f);
  char *d = strdup("duplicate"), *e = strndup("duplicate", 4);
  printf("\n%s %s\n", d, e);
  d[0] = 'D';
  printf("%s\n", d);
  free(d);
  free(e);
  printf("%s %s\n", strerror(0), strerror(2));
  return 0;
}
