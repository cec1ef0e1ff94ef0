/* bad: the state is reset before the work has been waited for. */
#include <pthread.h>
#include <stddef.h>
#define container_of(p, t, f) ((t *)((char *)(p) - offsetof(t, f)))
struct work { void (*fn)(struct work *); pthread_t th; int on; };
struct dev { int irqs; struct work w; int state; };
static void *tramp(void *p) { struct work *w = p; w->fn(w); return 0; }
static void queue_work(struct work *w) { w->on = pthread_create(&w->th, 0, tramp, w) == 0; }
static void cancel_work(struct work *w) { if (w->on) { pthread_join(w->th, 0); w->on = 0; } }
static void handler(struct work *w) { struct dev *d = container_of(w, struct dev, w); d->state++; d->irqs++; }
static struct dev d;
int main(void) {
  d.w.fn = handler;
  for (int i = 0; i < 2; i++) {
    queue_work(&d.w);
    d.state = 0;
    cancel_work(&d.w);
  }
  return d.irqs;
}
