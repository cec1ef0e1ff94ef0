/* Arguments and environment: argc, argv, its NULL end, getenv, exit status from the
   arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  printf("%d\n", argc);
  for (int i = 1; i < argc; i++) printf("[%s] %zu\n", argv[i], strlen(argv[i]));
  printf("%s\n", argv[argc] == NULL ? "ends with NULL" : "does not end");
  printf("%d\n", argv[0] != NULL && argv[0][0] != 0);
  argv[1][0] = 'X';
  printf("%s\n", argv[1]);
  printf("%s\n", getenv("HEDDLE_NO_SUCH_VARIABLE") ? "set" : "not set");
  setenv("HEDDLE_TEST_VARIABLE", "woven", 1);
  const char *v = getenv("HEDDLE_TEST_VARIABLE");
  printf("%s\n", v ? v : "lost");
  unsetenv("HEDDLE_TEST_VARIABLE");
  printf("%d\n", getenv("HEDDLE_TEST_VARIABLE") == NULL);
  int status = 0;
  for (char **a = argv + 1; *a; a++)
    if (strncmp(*a, "--status=", 9) == 0) status = atoi(*a + 9);
  return status;
}
