/* bad: the whole against a half. */
#include <pthread.h>
union { unsigned w; unsigned short h[2]; } u;
static void *a(void *p) { u.h[0] = 1; return 0; }
static void *b(void *p) { u.w = 2; return 0; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, a, 0); pthread_create(&t, 0, b, 0); pthread_join(s, 0); pthread_join(t, 0); return u.h[0]; }
