#!/bin/sh
# A shell script as an agent. It reads all of its input (the map, then one turn) and orders an AUTOPLACE from a town to
# the first town it wishes for: the nearest such pair that no connection serves yet. With none left it waits.
# It answers at the end of its input, so it must be started for every move: --lifetime move

exec awk '
function apart(a, b,  dx, dy) {
    dx = x[a] - x[b]; dy = y[a] - y[b]
    return (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy)
}
NR == 2 { width = $1 }
NR == 3 { size = width * $1 }
NR <= 3 + size { next }
NR == 4 + size { towns = $1; next }
NR <= 4 + size + towns { id[++n] = $1; x[$1] = $2; y[$1] = $3; split($4, wish, ","); first[$1] = wish[1]; next }
$4 != "" && $4 != "x" && !seen[$4]++ { k = split($4, names, ","); for (i = 1; i <= k; i++) active[names[i]] = 1 }
END {
    best = ""
    for (i = 1; i <= n; i++) {
        a = id[i]; b = first[a]
        if (b == "x" || (a "-" b) in active) continue
        if (best == "" || apart(a, b) < apart(best, first[best])) best = a
    }
    if (best == "") {
        print "kibitz every first wish is served" > "/dev/stderr"
        print "WAIT"
    } else {
        b = first[best]
        print "kibitz " best " to " b " are only " apart(best, b) " apart" > "/dev/stderr"
        print "AUTOPLACE", x[best], y[best], x[b], y[b]
    }
}'
