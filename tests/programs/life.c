/* The game of life on a torus, a word count of live cells, and a maze search on a
   character grid. */
#include <stdio.h>
#include <string.h>

enum { W = 16, H = 8 };

static void step(char a[H][W + 1]) {
  char b[H][W + 1];
  for (int y = 0; y < H; y++) {
    for (int x = 0; x < W; x++) {
      int n = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          if (dy || dx) n += a[(y + dy + H) % H][(x + dx + W) % W] == '#';
      b[y][x] = n == 3 || (n == 2 && a[y][x] == '#') ? '#' : '.';
    }
    b[y][W] = 0;
  }
  memcpy(a, b, sizeof b);
}

static char maze[7][12] = {"S.#......#", ".##.####.#", "....#....#", "###.#.##..",
                           "#...#.#.#.", "#.###.#.#.", "......#..E"};

static int solve(void) {
  int queue[70], from[70], head = 0, tail = 0, seen[70] = {0};
  queue[tail++] = 0;
  seen[0] = 1;
  from[0] = -1;
  while (head < tail) {
    int at = queue[head++], y = at / 10, x = at % 10;
    if (maze[y][x] == 'E') {
      int length = 0;
      for (; at >= 0; at = from[at], length++)
        if (maze[at / 10][at % 10] == '.') maze[at / 10][at % 10] = '+';
      return length;
    }
    static const int dy[] = {0, 1, 0, -1}, dx[] = {1, 0, -1, 0};
    for (int d = 0; d < 4; d++) {
      int ny = y + dy[d], nx = x + dx[d], n = ny * 10 + nx;
      if (ny < 0 || ny >= 7 || nx < 0 || nx >= 10 || maze[ny][nx] == '#' || seen[n])
        continue;
      seen[n] = 1;
      from[n] = at;
      queue[tail++] = n;
    }
  }
  return -1;
}

int main(void) {
  char a[H][W + 1];
  for (int y = 0; y < H; y++) {
    memset(a[y], '.', W);
    a[y][W] = 0;
  }
  a[0][1] = a[1][2] = a[2][0] = a[2][1] = a[2][2] = '#';
  a[5][8] = a[5][9] = a[5][10] = '#';
  for (int g = 0; g < 12; g++) step(a);
  int alive = 0;
  for (int y = 0; y < H; y++) {
    puts(a[y]);
    for (char *p = a[y]; (p = strchr(p, '#')); p++) alive++;
  }
  printf("%d alive\n", alive);
  printf("%d steps\n", solve());
  for (int y = 0; y < 7; y++) puts(maze[y]);
  return 0;
}
