// What the model takes for granted is said, with its place.
#include <setjmp.h>
#include <stdio.h>

extern int mystery(int *p);
extern int elsewhere;
extern int maybe(void) __attribute__((weak));
static jmp_buf jump;

int main(void) {
  int x = 0;
  mystery(&x);                          //? external function mystery
  elsewhere = x;                        //? external variable elsewhere
  if (maybe)                            //? weak symbol maybe
    maybe();
  __asm__ volatile("" ::: "memory");
  __asm__("bsr %1, %0" : "=r"(x) : "r"(x)); //? inline assembly "bsr
  __asm__ volatile("mfence" ::: "memory");  //= fence
  if (setjmp(jump))                     //? setjmp
    return 1;
  return x;
}
