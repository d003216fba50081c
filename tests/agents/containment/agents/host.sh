# The opponent of the others: leaves a secret in its folder and adds 1, turn after turn.
echo 'a secret' > secret-of-host
read -r seat
while read -r state; do
    echo 1
done
