/* Bodies that attract each other: every thread moves its half, with barriers between the
 * computation of the forces and the steps. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
enum { N = 600, T = 2, STEPS = 100 };
typedef struct { double x, y, z, mass, vx, vy, vz; } Body;
static Body bodies[N];
static pthread_barrier_t barrier;
static void pull(Body *b) {
  for (int j = 0; j < N; j++) {
    const Body *o = &bodies[j];
    double dx = o->x - b->x, dy = o->y - b->y, dz = o->z - b->z;
    double d2 = dx * dx + dy * dy + dz * dz + 1e-3, f = 1e-4 * o->mass / (d2 * sqrt(d2));
    b->vx += f * dx;
    b->vy += f * dy;
    b->vz += f * dz;
  }
}
static void *part(void *arg) {
  int first = (int)(long)arg * (N / T);
  for (int s = 0; s < STEPS; s++) {
    for (int i = first; i < first + N / T; i++) pull(&bodies[i]);
    pthread_barrier_wait(&barrier);
    for (int i = first; i < first + N / T; i++) {
      bodies[i].x += bodies[i].vx;
      bodies[i].y += bodies[i].vy;
      bodies[i].z += bodies[i].vz;
    }
    pthread_barrier_wait(&barrier);
  }
  return arg;
}
int main(void) {
  pthread_t t[T];
  unsigned seed = 1;
  for (int i = 0; i < N * 4; i++)
    ((double *)&bodies[i / 4])[i % 4] =
        (double)((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 24);
  pthread_barrier_init(&barrier, 0, T);
  for (long i = 0; i < T; i++) pthread_create(&t[i], 0, part, (void *)i);
  for (int i = 0; i < T; i++) pthread_join(t[i], 0);
  return bodies[0].x == bodies[0].x ? 0 : 1;
}
