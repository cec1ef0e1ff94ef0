// race: safe — more offsets of a block without a type than are told apart, then an index
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Other variables, so that the block has a high number among the objects. */
#define FOUR(name) int name##0, name##1, name##2, name##3;
#define SIXTEEN(name) FOUR(name##0) FOUR(name##1) FOUR(name##2) FOUR(name##3)
#define SIXTY_FOUR(name) SIXTEEN(name##0) SIXTEEN(name##1) SIXTEEN(name##2) SIXTEEN(name##3)
SIXTY_FOUR(a)
SIXTY_FOUR(b)
SIXTY_FOUR(c)

/* Each at an offset of its own, none of which is below 8. */
#define PUT(at) *(int *)(block + 12 + (at) * 8) = 1
#define PUT_4(at) PUT(at); PUT(at + 1); PUT(at + 2); PUT(at + 3)
#define PUT_16(at) PUT_4(at); PUT_4(at + 4); PUT_4(at + 8); PUT_4(at + 12)
#define PUT_64(at) PUT_16(at); PUT_16(at + 16); PUT_16(at + 32); PUT_16(at + 48)

static void *walk(void *argument) {
  char *block = argument;
  pthread_mutex_lock(&lock);
  *(int *)(block + 12) = 1;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(int count, char **texts) {
  pthread_t thread;
  char *block = calloc(4096, (size_t)count);
  (void)texts;
  if (!block) return 1;
  PUT_64(0);
  PUT_64(64);
  pthread_create(&thread, NULL, walk, block);
  pthread_mutex_lock(&lock);
  ((int *)(block + 12))[2 * (count - 1)] = 2;
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  return 0;
}
