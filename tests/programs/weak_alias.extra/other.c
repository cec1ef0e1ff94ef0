/* The strong definitions that override the weak ones of weak_alias.c. */
int policy(int v) {
  return v * 1000;
}
int setting = 6;
__attribute__((weak)) int limit(void) {
  return 64;
}
