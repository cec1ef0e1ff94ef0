/* bad: volatile is no synchronisation. */
#include <pthread.h>
volatile int flag;
int data;
static void *w(void *q) { data = 1; flag = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); while (!flag) ; return data; }
