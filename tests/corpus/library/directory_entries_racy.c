// race: unsafe lines 11 24 — what readdir returns lies inside the stream, and another thread is told of it
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>

static struct dirent *kept;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *look(void *argument) {
  pthread_mutex_lock(&lock);
  if (kept) putchar(kept->d_name[0]);
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t thread;
  DIR *stream = opendir("/");
  if (!stream || pthread_create(&thread, NULL, look, NULL)) return 1;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    kept = readdir(stream);
    pthread_mutex_unlock(&lock);
    readdir(stream);
  }
  pthread_join(thread, NULL);
  closedir(stream);
  return 0;
}
