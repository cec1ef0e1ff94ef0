// race: unsafe lines 7 14 — a structure is copied while another thread copies to it
#include <pthread.h>
#include <string.h>

static struct { long left, right; } one, two, three;
static void *work(void *arg) {
  memcpy(&two, &one, sizeof one);
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, work, NULL);
  memcpy(&three, &two, sizeof two);
  return 0;
}
