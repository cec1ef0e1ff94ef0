// race: unsafe lines 16 — the turn is passed on before the ball is touched
#include <pthread.h>

static int turn, ball;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *play(void *arg) {
  int me = *(int *)arg;
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&lock);
    while (turn != me) pthread_cond_wait(&cond, &lock);
    turn = 1 - me;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&lock);
    ball++;
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int zero = 0, one = 1;
  pthread_create(&a, NULL, play, &zero);
  pthread_create(&b, NULL, play, &one);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return ball > 6;
}
