# expect: safe
# Figure 5, below: it is.
shared data, L;
//Thread A
acquire L;
write data;
release L;
//Thread B
acquire L;
if (data > 0) {
  /* do this */
} else {
  /* do that */
}
release L;
