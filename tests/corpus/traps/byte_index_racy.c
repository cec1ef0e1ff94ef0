// race: unsafe lines 11 21 — lock[i] with element i on one side, lock[i] with byte i on the other
#include <pthread.h>

#define N 8
static int data[2];
static pthread_mutex_t lock[N];

static void *by_element(void *arg) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock[i]);
    data[i] = 7;
    pthread_mutex_unlock(&lock[i]);
  }
  return arg;
}

static void *by_byte(void *arg) {
  unsigned char *bytes = (unsigned char *)data;
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&lock[i]);
    bytes[i] = 1;
    pthread_mutex_unlock(&lock[i]);
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  for (int i = 0; i < N; i++) pthread_mutex_init(&lock[i], NULL);
  pthread_create(&a, NULL, by_element, NULL);
  pthread_create(&b, NULL, by_byte, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return data[0] == 0;
}
