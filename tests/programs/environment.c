/* main with three arguments, the environment as an array, and putenv. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int find(char **list, const char *want) {
  for (; *list; list++)
    if (!strcmp(*list, want)) return 1;
  return 0;
}

int main(int argc, char **argv, char **envp) {
  (void)argc, (void)argv;
  printf("%d\n", envp == environ);
  static char pair[] = "HEDDLE_PAIR=left";
  putenv(pair);
  printf("%s\n", getenv("HEDDLE_PAIR"));
  pair[12] = 'L';
  printf("%s %d\n", getenv("HEDDLE_PAIR"), find(environ, "HEDDLE_PAIR=Left"));
  setenv("HEDDLE_PAIR", "kept", 0);
  printf("%s\n", getenv("HEDDLE_PAIR"));
  setenv("HEDDLE_PAIR", "changed", 1);
  printf("%s\n", getenv("HEDDLE_PAIR"));
  printf("%d\n", setenv("BAD=NAME", "x", 1));
  clearenv();
  printf("%d\n", getenv("PATH") == NULL);
  return 0;
}
