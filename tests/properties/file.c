/* A file is opened by one thread and written by another. Faulty: the writer may come first. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  int data;
} File;

static File *file;

File *open_file(const char *name) {
  return *name ? calloc(1, sizeof(File)) : NULL;
}
void write_file(File *f, int data) {
  if (f) f->data = data;
}
void close_file(File *f) {
  free(f);
}

static void *worker(void *argument) {
  usleep(20000);
  write_file(file, 7);
  return argument;
}

int main(void) {
  pthread_t t;
#ifdef RIGHT
  file = open_file("foo");
  pthread_create(&t, NULL, worker, NULL);
#else
  pthread_create(&t, NULL, worker, NULL);
  file = open_file("foo");
#endif
  pthread_join(t, NULL);
  close_file(file);
  return 0;
}
