/* The thread-local store of tls_extern.c. */
__thread int errors = 5;
_Thread_local const char *last = "none";
__thread struct Stack {
  int depth, item[8];
} stack;

void fail(const char *what) {
  errors++;
  last = what;
}
int *errors_address(void) {
  return &errors;
}
void push(int v) {
  stack.item[stack.depth++] = v;
}
int pop(void) {
  return stack.item[--stack.depth];
}
