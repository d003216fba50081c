# For lifetime move: the map and the state are both sent for every move.
read me
cat > /dev/null
echo "kibitz I am $me" >&2
echo WAIT
