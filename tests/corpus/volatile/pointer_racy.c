// race: unsafe lines 12 13 21 22 — a volatile pointer publishes an object: pointer and object race
#include <pthread.h>

struct Message {
  int length;
};

static struct Message message;
static struct Message *volatile box;

static void *sender(void *arg) {
  message.length = 3;
  box = &message;
  return arg;
}

int main(void) {
  pthread_t t;
  int length = 0;
  pthread_create(&t, NULL, sender, NULL);
  struct Message *m = box;
  if (m) length = m->length;
  pthread_join(t, NULL);
  return length > 3;
}
