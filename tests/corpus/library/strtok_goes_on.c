// race: safe — the text is used again when the thread that went on in it has ended
#include <pthread.h>
#include <string.h>

static char text[] = "a b c d";

static void *worker(void *unused) {
  strtok(NULL, " ");
  return unused;
}

int main(void) {
  pthread_t thread;
  strtok(text, " ");
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  text[5] = 'x';
  return 0;
}
