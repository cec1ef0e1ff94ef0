/* bad: it is put in two steps. */
#include <pthread.h>
#include <assert.h>
struct pt { int x, y; } slot; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void put(struct pt p) {
  pthread_mutex_lock(&m); slot.x = p.x; pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m); slot.y = p.y; pthread_mutex_unlock(&m);
}
static struct pt get(void) { pthread_mutex_lock(&m); struct pt p = slot; pthread_mutex_unlock(&m); return p; }
static void *w(void *q) { for (int i = 1; i < 4; i++) put((struct pt){ i, -i }); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); struct pt p = get(); assert(p.x + p.y == 0); return 0; }
