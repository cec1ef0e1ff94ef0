// Every access is called what the source calls it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct flags { unsigned open : 1; unsigned mode : 3; int delta : 12; unsigned : 0; unsigned tail : 9; };
struct queue { struct node *head, *tail; int length; };
struct node { struct node *next; int value; };
struct conn {
  int fd;
  struct queue queue;
  struct flags flags;
  union { int number; float real; struct { short low, high; }; void *pointer; };
  pthread_mutex_t lock;
  int grid[3][4];
  struct { int depth; struct node nodes[5]; } pool;
  _Atomic long hits;
};
static struct conn table[8];
struct conn *current;
static _Thread_local int errors;
int *cursor, **handle;

static int scalars(int n, int *p) {
  *p = n;                               //= store *p := n
  cursor = p;                           //= store cursor := p
  *handle = p;                          //= store *handle := p
  **handle = 3;                         //= load | := handle | := *handle | store **handle := 3
  p[n] = 1;                             //= store p[n] := 1
  p[n + 2] = 2;                         //= store p[n + 2] := 2
  errors++;                             //= store errors := | load
  return *cursor;                       //= *cursor
}

static void fields(struct conn *c, int i, int j) {
  c->fd = 1;                            //= store c->fd := 1
  c->queue.length += i;                 //= store c->queue.length
  c->queue.head->value = 4;             //= load | c->queue.head | store c->queue.head->value := 4
  c->queue.head->next->next = 0;        //= store c->queue.head->next->next :=
  c->grid[i][j] = 7;                    //= store c->grid[i][j] := 7
  c->grid[2][1] = 8;                    //= store c->grid[2][1] := 8
  c->pool.nodes[i].value = 9;           //= store c->pool.nodes[i].value := 9
  table[i].fd = 2;                      //= store table[i].fd := 2
  table[3].queue.length = 2;            //= store table[3].queue.length := 2
  current->queue.tail = 0;              //= store current->queue.tail :=
  (*current).pool.depth = 1;            //= store current->pool.depth := 1
  (&table[1])->fd = 3;                  //= store table[1].fd := 3
}

static void unions(struct conn *c) {
  c->number = 1;                        //= store c->number := 1
  c->real = 1.5f;                       //= store c->real := 1.5
  c->pointer = c;                       //= store c->pointer := c
  c->high = 2;                          //= store c->high := 2
}

static int bits(struct conn *c, struct flags *f) {
  c->flags.open = 1;                    //= store c->flags.open :=
  c->flags.mode = 5;                    //= store c->flags.mode :=
  c->flags.delta = -3;                  //= store c->flags.delta :=
  f->tail = 4;                          //= store f->tail :=
  return c->flags.delta                 //= load | c->flags.delta
         + f->mode;                     //= f->mode
}

static void operations(struct conn *c) {
  pthread_mutex_lock(&c->lock);         //= lock c->lock
  struct conn copy = *c;                //= copy | copy | *c
  memset(&c->pool, 0, sizeof c->pool);  //= fill c->pool
  atomic_fetch_add(&c->hits, 1);        //= c->hits
  pthread_mutex_unlock(&c->lock);       //= unlock c->lock
  copy.fd = 0;                          //= store copy.fd := 0
}

static struct node *make(void) {
  struct node *n = malloc(sizeof *n);   //= malloc(16)
  n->value = 1;                         //= store n->value := 1
  return n;
}

int main(void) {
  int x = 0;                            //= x := 0
  x = x + 1;                            //= x := x + 1
  scalars(x, cursor);                   //= scalars(x,
  make()->value = x;                    //= make() | store make()->value := x
  fields(current, 1, 2);
  unions(current);
  operations(current);
  return bits(current, &current->flags);
}
