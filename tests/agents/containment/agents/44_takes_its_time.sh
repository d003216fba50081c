# The opponent of the agent that ponders: takes some time for every move.
read -r seat
while read -r state; do
    sleep 0.15
    echo 1
done
