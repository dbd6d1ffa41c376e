#!/bin/sh
# Checks celsius.sh against temperatures everybody knows.
failed=0
check() {
  actual=$(sh celsius.sh "$1")
  if [ "$actual" = "$2" ]; then
    echo "ok   $1 F is $2 C"
  else
    echo "FAIL $1 F is $2 C, but celsius.sh says $actual"
    failed=1
  fi
}
check 32 0
check 212 100
check 50 10
exit $failed
