# expect: unsafe threads 2
# Figure 5, above: the check of thread B is not secured.
shared data, L;
//Thread A
acquire L;
write data;
release L;
//Thread B
if (data > 0) {
  /* do this */
} else {
  /* do that */
}
