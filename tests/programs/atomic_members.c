/* Atomics inside structs and arrays, atomic floats and wide integers, pointers moved both
   ways. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct Node {
  char tag;
  _Atomic int count;
  _Atomic(struct Node *) next;
  atomic_uchar small[3];
  _Atomic long double wide;
};

static struct Node nodes[3];
static _Atomic __int128 huge;
static _Atomic float f = 1;
static _Atomic double d;
static _Atomic(const char *) text = "atomic";

static void *run(void *arg) {
  int id = *(int *)arg;
  for (int i = 0; i < 12; i++) {
    nodes[i % 3].count += id;
    nodes[id].small[i % 3]++;
    huge += ((__int128)1 << 70) + 1;
    f += 0.5f;
    d -= 0.25;
    nodes[0].wide += 1.5L;
    text = i % 2 ? "odd" : "even";
  }
  return NULL;
}

int main(void) {
  pthread_t t[2];
  int id[2] = {1, 2};
  for (int i = 0; i < 2; i++) {
    atomic_store(&nodes[i].next, &nodes[i + 1]);
    pthread_create(&t[i], NULL, run, &id[i]);
  }
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  for (struct Node *n = nodes; n; n = n->next)
    printf("%d %d%d%d ", n->count, n->small[0], n->small[1], n->small[2]);
  __int128 h = huge;
  printf("\n%lld %lld %g %g %Lg %s\n", (long long)(h >> 70), (long long)h, (double)f, d,
         (long double)nodes[0].wide, text);
  int a[6] = {0, 1, 2, 3, 4, 5};
  _Atomic(int *) p = a;
  atomic_fetch_add(&p, 4);
  p--;
  printf("%d ", *p);
  int *was = p++;
  printf("%d %d\n", *was, *p);
  _Atomic _Bool b = 0;
  b ^= 1;
  b |= 0;
  printf("%d\n", b);
  _Atomic unsigned short s = 65535;
  unsigned r = ++s;
  printf("%u %u\n", r, (unsigned)s--);
  printf("%d\n", (int)(short)s);
  struct Node copy = {.tag = 'c'};
  atomic_init(&copy.count, 9);
  copy.count *= -3;
  copy.count /= 2;
  copy.count %= 5;
  printf("%c %d\n", copy.tag, copy.count);
  return 0;
}
