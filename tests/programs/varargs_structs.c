/* Variable arguments: structs by value in every class (registers, stack, both kinds of
   registers). */
#include <stdarg.h>
#include <stdio.h>

struct One {
  char c;
};
struct Ints {
  int a;
  long b;
};
struct Floats {
  float x, y, z;
};
struct Mixed {
  double d;
  int i;
};
struct Big {
  long v[5];
};
struct Quad {
  long double q;
};
union Both {
  double d;
  long l;
};

static void show(const char *types, ...) {
  va_list ap;
  va_start(ap, types);
  for (; *types; types++) switch (*types) {
    case '1': printf("One %c\n", va_arg(ap, struct One).c); break;
    case 'I': {
      struct Ints s = va_arg(ap, struct Ints);
      printf("Ints %d %ld\n", s.a, s.b);
      break;
    }
    case 'F': {
      struct Floats s = va_arg(ap, struct Floats);
      printf("Floats %g %g %g\n", (double)s.x, (double)s.y, (double)s.z);
      break;
    }
    case 'M': {
      struct Mixed s = va_arg(ap, struct Mixed);
      printf("Mixed %g %d\n", s.d, s.i);
      break;
    }
    case 'B': {
      struct Big s = va_arg(ap, struct Big);
      printf("Big %ld %ld %ld\n", s.v[0], s.v[2], s.v[4]);
      break;
    }
    case 'Q': printf("Quad %Lg\n", va_arg(ap, struct Quad).q); break;
    case 'U': printf("Both %ld\n", va_arg(ap, union Both).l); break;
    case 'i': printf("int %d\n", va_arg(ap, int)); break;
    case 'd': printf("double %g\n", va_arg(ap, double)); break;
    }
  va_end(ap);
}

int main(void) {
  struct One one = {'o'};
  struct Ints ints = {1, -2};
  struct Floats floats = {1.5f, 2.5f, 3.5f};
  struct Mixed mixed = {0.75, 9};
  struct Big big = {{10, 20, 30, 40, 50}};
  struct Quad quad = {1.0L / 3};
  union Both both = {.l = 1L << 50};
  show("1IFMBQU", one, ints, floats, mixed, big, quad, both);
  ints.a = 7;
  show("IIIIi", ints, ints, ints, ints, 5);
  floats.z = -1;
  show("FFFFFd", floats, floats, floats, floats, floats, 6.5);
  mixed.i = -8;
  show("MiMiMiMiMiMid", mixed, 1, mixed, 2, mixed, 3, mixed, 4, mixed, 5, mixed, 6, 2.5);
  big.v[2]++;
  show("iBdBiQdQ", 1, big, 2.5, big, 3, quad, 4.5, quad);
  return 0;
}
