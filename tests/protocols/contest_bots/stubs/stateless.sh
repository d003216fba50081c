# For lifetime move: everything is sent each time, the map and the state.
read me
cat > /dev/null
echo "kibitz I am $me" >&2
echo WAIT
