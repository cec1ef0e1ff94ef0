// race: unsafe lines 9 18 — snprintf writes into a buffer that the main thread reads
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char last[16];

static void *note(void *arg) {
  snprintf(last, sizeof last, "job %d", *(int *)arg);
  return NULL;
}

int main(void) {
  pthread_t t;
  char copy[16];
  int one = 1;
  pthread_create(&t, NULL, note, &one);
  memcpy(copy, last, sizeof copy);
  pthread_join(t, NULL);
  return copy[0] != 'j' && copy[0] != '\0';
}
