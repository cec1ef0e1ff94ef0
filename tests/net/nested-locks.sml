# expect: safe
# Two locks, always in the same order; the inner one guards the data on every path.
shared a, b;  lock outer, inner;
acquire outer;
if (*) {
  acquire inner;
  write a;
  write b;
  release inner;
} else {
  acquire inner;
  read a;
  release inner;
}
release outer;
