#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The verb view, without a browser (web/test has one): what is served, to whom, and how it ends. usage: view.sh WEFT
# shellcheck source=test/tool/lib.sh
. "$(dirname "$0")/lib.sh"

must 0 'usage: weft view' "$weft" help view
wrong 'a mesh' "$weft" view
wrong "there is no such file" "$weft" view none
wrong "'--against' goes with a mesh" "$weft" view . --against none.obj
wrong 'port' "$weft" view none --port 80

cat >crossing.obj <<'END'
v 0 0 0
v 1 0 0
v 0 1 0
v 0.25 0.25 -1
v 0.25 0.25 1
v 2 2 0
f 1 2 3
f 4 5 6
END

shown=crossing.obj
# begin OPTION..: serves what is shown; $url, $port and $token are its address.
begin() {
    rm -f view.txt
    "$weft" view "$shown" --no-open "$@" >view.txt 2>&1 &
    server=$!
    for _ in $(seq 300); do
        url=$(grep -so 'http://127.0.0.1:[0-9]*/[0-9a-f]*/' view.txt) && break
        kill -0 "$server" 2>/dev/null || fail "it did not begin: $(cat view.txt)"
        sleep 0.1
    done
    port=${url#http://127.0.0.1:} && port=${port%%/*}
    token=${url%/} && token=${token##*/}
}

# ask TARGET [HOST]: the first line that is answered; the rest is in answer.txt.
ask() {
    exec 5<>"/dev/tcp/127.0.0.1/$port"
    printf 'GET %s HTTP/1.1\r\nHost: %s\r\n\r\n' "$1" "${2-localhost}" >&5
    cat <&5 >answer.txt
    exec 5>&-
    head -1 answer.txt | tr -d '\r'
}

begin
grep -q 'crossing.obj: 2 triangles, 1 pairs intersect, in 1 contour' view.txt || fail "nothing is told of the mesh"
[ "$(ask "/$token/")" = 'HTTP/1.1 200 OK' ] || fail "no page"
grep -aq '<title>crossing.obj' answer.txt || fail "the page has another title"
[ "$(ask "/$token/frames")" = 'HTTP/1.1 200 OK' ] || fail "no frames"
grep -aq '"end":true,"given":1' answer.txt || fail "the frames have no end"
for target in / "/${token}0/" /favicon.ico; do
    [ "$(ask "$target")" = 'HTTP/1.1 403 Forbidden' ] || fail "$target was not refused"
done
[ "$(ask "/$token/" example.com)" = 'HTTP/1.1 403 Forbidden' ] || fail "another name was not refused"
[ "$(ask "/$token/../crossing.obj")" = 'HTTP/1.1 404 Not Found' ] || fail "there is another file"
wrong "port $port is in use: give another" "$weft" view crossing.obj --port "$port"
for signal in INT TERM; do
    kill -s "$signal" "$server"
    wait "$server" || fail "exit code $? of a view that was ended by SIG$signal"
    begin --port "$port" # the port is free again at once
done
first=$token
kill "$server"
wait "$server"
begin
[ "$token" != "$first" ] || fail "the token is always the same"
kill "$server"
wait "$server"

# ---- runs, and the motion of garments that were sewn ---------------------------------------------------------------
"$weft" new drape >/dev/null
"$weft" run drape.yaml -o out --frames 2 --no-pictures -q --set 'cloths.sheet.grid.nodes=[9, 9]' || fail "no run"
shown=out
begin
[ "$(ask "/$token/frames")" = 'HTTP/1.1 200 OK' ] || fail "no frames of a run"
grep -aq '"end":true,"given":3' answer.txt || fail "the frames of a run have no end"
kill "$server"
wait "$server"
mkdir sewn && cp out/cache.weft sewn/motion.weft
shown=sewn
begin
grep -q 'sewn: 3 frames' view.txt || fail "the motion of garments is not found"
kill "$server"
wait "$server"

echo "view: $n_checks checks"
