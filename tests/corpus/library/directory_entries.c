// race: safe — what readdir returns lies inside the stream, which one thread alone has
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>

static int found;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *argument) {
  pthread_mutex_lock(&lock);
  found++;
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t thread;
  struct dirent *entry;
  if (pthread_create(&thread, NULL, count, NULL)) return 1;
  DIR *stream = opendir("/");
  if (!stream) return 1;
  while ((entry = readdir(stream))) puts(entry->d_name);
  closedir(stream);
  pthread_join(thread, NULL);
  return 0;
}
