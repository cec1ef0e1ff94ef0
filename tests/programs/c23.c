/* C23: constexpr, nullptr, typeof, auto, binary literals, separators, enums with a type,
   {} and attributes. */
#include <stdio.h>

constexpr int size = 4;
enum Level : unsigned char { LOW = 1, HIGH = 200 };

[[nodiscard]] static int sum(const int (*v)[size]) {
  int s = 0;
  for (auto i = 0; i < size; i++) s += (*v)[i];
  return s;
}

static bool is_null(typeof(nullptr) p) {
  return p == nullptr;
}

struct Pair {
  int a;
  typeof_unqual(const long) b;
};

static int count(...) {
  return 3;
}

int main() {
  int v[size] = {1, 0b1010, 1'000, 0x7f};
  printf("%d\n", sum(&v));
  int zero[3] = {};
  struct Pair p = {};
  printf("%d %d %ld\n", zero[2], p.a, p.b);
  enum Level l = HIGH;
  l++;
  printf("%d %zu\n", l, sizeof l);
  printf("%d %d\n", is_null(nullptr), true + true);
  int *n = nullptr;
  printf("%d %d\n", n == nullptr, !n);
  static_assert(sizeof(struct Pair) == 16);
  auto d = 2.5;
  typeof(d) e = d * 2;
  printf("%g %d\n", e, count(1, 2));
  unsigned _BitInt(12) bits = 4095;
  bits++;
  printf("%d %d\n", (int)bits, (int)(_BitInt(5))15wb);
  switch ((int)l) {
  case HIGH + 1: printf("above\n"); [[fallthrough]];
  default: printf("done\n");
  }
  alignas(64) char buffer[3] = "ab";
  printf("%s %d\n", buffer, (int)((unsigned long)buffer % 64));
  return 0;
}
