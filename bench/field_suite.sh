#!/bin/sh
# A test suite of xz, for bench/field-run: its own test files, each decompressed, and good ones compressed again
# by several threads. $PROGRAM is xz, perhaps with heddle before it; the folder is that of the sources.
status=0
for file in tests/files/good-*.xz; do
  $PROGRAM -T4 -dc "$file" >/dev/null || { echo "failed: $file" >&2; status=1; }
done
for file in tests/files/bad-*.xz; do
  $PROGRAM -T4 -dc "$file" >/dev/null 2>&1 && { echo "succeeded: $file" >&2; status=1; }
done
for file in src/xz/*.c; do
  $PROGRAM -T2 --block-size=4096 -0 -c "$file" >/dev/null || { echo "failed: $file" >&2; status=1; }
done
exit $status
