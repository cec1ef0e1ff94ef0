/* bad: from 2. */
#include <pthread.h>
struct sem { pthread_mutex_t m; pthread_cond_t c; int n; };
static struct sem s = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 2 };
static void down(struct sem *s) { pthread_mutex_lock(&s->m); while (s->n <= 0) pthread_cond_wait(&s->c, &s->m); s->n--; pthread_mutex_unlock(&s->m); }
static void up(struct sem *s) { pthread_mutex_lock(&s->m); s->n++; pthread_cond_signal(&s->c); pthread_mutex_unlock(&s->m); }
int x;
static void *w(void *a) { down(&s); x++; up(&s); return 0; }
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, w, 0); }
