/* Condition variables: two threads take turns by signal, a gate opened by broadcast. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn_changed = PTHREAD_COND_INITIALIZER, gate;
static int turn, opened, passed;

static void *player(void *arg) {
  int me = *(int *)arg;
  for (int i = 0; i < 5; i++) {
    pthread_mutex_lock(&lock);
    while (turn % 2 != me) pthread_cond_wait(&turn_changed, &lock);
    printf("%s %d\n", me ? "pong" : "ping", turn);
    turn++;
    pthread_cond_signal(&turn_changed);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

static void *waiter(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock);
  while (!opened) pthread_cond_wait(&gate, &lock);
  passed++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t[5];
  int id[2] = {0, 1};
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, player, &id[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);

  pthread_cond_init(&gate, NULL);
  for (int i = 0; i < 5; i++) pthread_create(&t[i], NULL, waiter, NULL);
  pthread_mutex_lock(&lock);
  printf("%d passed a closed gate\n", passed);
  opened = 1;
  pthread_cond_broadcast(&gate);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 5; i++) pthread_join(t[i], NULL);
  printf("%d passed\n", passed);
  pthread_cond_signal(&gate);
  pthread_cond_broadcast(&gate);
  printf("%d\n", pthread_cond_destroy(&gate));
  return 0;
}
