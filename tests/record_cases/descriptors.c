/* A program gets the descriptors that it expects, and may close those that it does not
 * know: the trace goes on, and no file of the program is written to.
 * COUNT: lock 40000
 * COUNT: threads 2 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROUNDS = 20000 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x[ROUNDS]; /* each round is another one: none is folded */

static void *worker(void *a) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&m);
    x[i]++;
    pthread_mutex_unlock(&m);
  }
  return a;
}

int main(void) {
  char path[] = "/tmp/heddle-case-XXXXXX";
  struct stat info;
  int first = open("/dev/null", O_RDONLY);
  close_range(3, ~0U, 0);
  int own = mkstemp(path);
  for (int i = 4; i < 1024; i++) dup2(own, i); /* whatever number it had, it is taken now */
  if (own < 0 || write(own, "precious\n", 9) != 9) abort();
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  worker(NULL);
  pthread_join(t, NULL);
  fstat(own, &info);
  unlink(path);
  printf("%d %d %ld %d\n", first, own, (long)info.st_size, x[0] + x[ROUNDS - 1]);
  return 0;
}
