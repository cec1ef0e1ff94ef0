# expect: unsafe threads 2
# One path reads under neither of the locks that the writer has.
shared a, b;  lock outer, inner, other;
acquire outer;
if (*) {
  acquire inner;
  write a;
  write b;
  release inner;
  release outer;
} else {
  release outer;
  acquire other;
  read a;
  release other;
}
