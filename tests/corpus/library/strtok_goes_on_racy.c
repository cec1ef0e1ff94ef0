// race: unsafe lines 10 19 — strtok(NULL) goes on in the text that another thread began
#include <pthread.h>
#include <string.h>

static char text[] = "a b c d";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
  pthread_mutex_lock(&lock);
  strtok(NULL, " ");
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  strtok(text, " ");
  pthread_create(&thread, NULL, worker, NULL);
  text[3] = 'x';
  pthread_join(thread, NULL);
  return 0;
}
