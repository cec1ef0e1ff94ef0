// race: safe — snprintf and memcpy between private buffers and one guarded buffer
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char last[16];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *note(void *arg) {
  char text[16];
  snprintf(text, sizeof text, "job %d", *(int *)arg);
  pthread_mutex_lock(&lock);
  memcpy(last, text, sizeof last);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, NULL, note, &one);
  pthread_create(&b, NULL, note, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return strncmp(last, "job ", 4);
}
