// race: unsafe lines 8 17 — opendir may give NULL
#include <dirent.h>
#include <pthread.h>

static int x;

static void *writer(void *unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  DIR *d = opendir("name");
  if (d == NULL)
    x = 2;
  pthread_join(thread, NULL);
  return 0;
}
