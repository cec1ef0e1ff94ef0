// assert: unsafe — a forked child writes to memory that it shares
#include <assert.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
  int *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 0;
  if (fork() == 0) {
    *shared = 1;
    _exit(0);
  }
  usleep(10000);
  assert(*shared == 0);
  return 0;
}
