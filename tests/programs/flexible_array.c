/* Flexible array members: allocated to size, grown by realloc, a static one, arrays of
   length one. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Buffer {
  size_t used, room;
  char data[];
};
struct Rows {
  int n;
  struct {
    short id;
    double v;
  } row[];
};
struct Packet {
  unsigned char type;
  unsigned short len;
  unsigned char body[];
} __attribute__((packed));

static struct Rows fixed = {3, {{1, 0.5}, {2, 1.5}, {3, 2.5}}};

static struct Buffer *append(struct Buffer *b, const char *s) {
  size_t n = strlen(s);
  if (!b) {
    b = malloc(sizeof *b + 4);
    b->used = 0, b->room = 4;
  }
  while (b->used + n + 1 > b->room) {
    b->room *= 2;
    b = realloc(b, sizeof *b + b->room);
  }
  memcpy(b->data + b->used, s, n + 1);
  b->used += n;
  return b;
}

static struct Packet *packet(unsigned type, const char *text) {
  size_t n = strlen(text);
  struct Packet *p = malloc(offsetof(struct Packet, body) + n);
  p->type = (unsigned char)type;
  p->len = (unsigned short)n;
  memcpy(p->body, text, n);
  return p;
}

int main(void) {
  struct Buffer *b = NULL;
  const char *words[] = {"over ", "and ", "under ", "and ", "over ", "again"};
  for (int i = 0; i < 6; i++) b = append(b, words[i]);
  printf("%s (%zu of %zu)\n", b->data, b->used, b->room);
  free(b);
  double s = 0;
  for (int i = 0; i < fixed.n; i++) s += fixed.row[i].v * fixed.row[i].id;
  printf("%g %zu %zu\n", s, sizeof(struct Rows), offsetof(struct Rows, row));
  struct Rows *r = malloc(sizeof *r + 10 * sizeof r->row[0]);
  r->n = 10;
  for (int i = 0; i < r->n; i++) r->row[i].id = (short)i, r->row[i].v = i / 4.0;
  memmove(&r->row[2], &r->row[0], 8 * sizeof r->row[0]);
  printf("%d %g\n", r->row[9].id, r->row[5].v);
  free(r);
  struct Packet *p = packet(7, "warp"), *q = packet(9, "");
  printf("%d %d %.4s %zu | %d %d\n", p->type, p->len, (char *)p->body, sizeof *p, q->type,
         q->len);
  free(p);
  free(q);
  return 0;
}
