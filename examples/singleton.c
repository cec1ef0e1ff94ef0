/* A settings object made on first use. WRONG: the first check reads the pointer without
   the lock, so a thread may see the pointer before it sees what it points to. (Make
   `instance` an atomic pointer, or use pthread_once, and it is right.) */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct Settings {
  int width, height;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct Settings *instance;

static struct Settings *settings(void) {
  if (!instance) { /* races with the assignment below */
    pthread_mutex_lock(&lock);
    if (!instance) {
      struct Settings *made = malloc(sizeof *made);
      made->width = 80;
      made->height = 25;
      instance = made;
    }
    pthread_mutex_unlock(&lock);
  }
  return instance;
}

static void *area(void *arg) {
  struct Settings *s = settings();
  *(int *)arg = s->width * s->height;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int first = 0, second = 0;
  pthread_create(&a, NULL, area, &first);
  pthread_create(&b, NULL, area, &second);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("areas %d and %d\n", first, second);
  free(instance);
  return 0;
}
