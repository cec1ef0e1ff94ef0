/* What the three files of multi_file share. */
#ifndef SHARED_H
#define SHARED_H
struct Pair {
  int a, b;
};
struct Entry {
  const char *name;
  int (*fn)(int);
};
extern const struct Entry table[];
extern const unsigned table_size;
extern int tentative, counted;
extern char buffer[16];
extern int (*hook)(int);
int left_step(void);
int right_step(void);
int left_tentative(void);
int right_counted(void);
const char *right_buffer(void);
void left_install(void);
struct Pair make_pair(int, int);
struct Pair swap_pair(struct Pair);
static inline int twice(int v) {
  return 2 * v;
}
#endif
