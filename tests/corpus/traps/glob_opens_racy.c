// race: unsafe lines 11 23 — glob calls the functions that stand in the structure it fills
#define _GNU_SOURCE
#include <dirent.h>
#include <glob.h>
#include <pthread.h>

static int opened;

static void *open_directory(const char *path) {
  (void)path;
  opened++;
  return 0;
}

static void *searcher(void *unused) {
  (void)unused;
  glob_t found = {.gl_opendir = open_directory};
  glob("/*", GLOB_ALTDIRFUNC, 0, &found);
  return 0;
}

static void *counter(void *unused) {
  opened++;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, searcher, 0);
  pthread_create(&b, 0, counter, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return opened > 5;
}
