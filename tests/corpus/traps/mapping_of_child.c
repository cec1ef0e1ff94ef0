// assert: safe; race: safe — a forked child writes to its own copy of a private mapping
#include <assert.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
  int *own = mmap(NULL, sizeof *own, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                  -1, 0);
  if (own == MAP_FAILED) return 0;
  if (fork() == 0) {
    *own = 1;
    _exit(0);
  }
  assert(*own == 0);
  return 0;
}
