// assert: open — there may be arguments
#include <assert.h>

int main(int argc, char **argv) {
  assert(argc == 1 || argv[1][0] == 0);
  return 0;
}
