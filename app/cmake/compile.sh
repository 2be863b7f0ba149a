#!/bin/sh
# Runs a compiler (its command is the arguments). What it warns of lies beside the object, as long as the object has it: so
# tests/run fails for warnings in what app/run built, though both compile with the same flags.
object='' before=''
for word; do
    [ "$before" != -o ] || object=$word
    before=$word
done
[ "$object" ] || exec "$@"
status=0
"$@" 2>"$object.warnings" || status=$?
cat "$object.warnings" >&2
[ "$status" = 0 ] && grep -q warning "$object.warnings" || rm -f "$object.warnings"
exit "$status"
