// race: unsafe lines 12 — memory from a system call by number, whose result is a long
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int *counter;

static void *work(void *unused) {
  (*counter)++;
  return unused;
}

int main(void) {
  pthread_t a, b;
  counter = (int *)syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
