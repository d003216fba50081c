# Makes legal moves, and each time leaves a child behind that keeps its standard output open.
while read -r players seat; do
    left=$((6 + 4 * players))
    while [ "$left" -gt 0 ] && read -r line; do
        left=$((left - 1))
    done
    sleep 3600 &
    echo 1 0
done
