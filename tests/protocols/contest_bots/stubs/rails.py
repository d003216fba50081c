# Like the site's starter code for Rails, with megabytes of debugging output.
import sys

my_id = int(input())
width = int(input())
height = int(input())
for i in range(height):
    for j in range(width):
        region_id, _type = [int(k) for k in input().split()]
town_count = int(input())
towns = []
for i in range(town_count):
    inputs = input().split()
    towns.append((int(inputs[1]), int(inputs[2])))
while True:
    my_score = int(input())
    foe_score = int(input())
    for i in range(height):
        for j in range(width):
            inputs = input().split()
    print("x" * 50_000, file=sys.stderr)
    (a, b), (c, d) = towns[:2]
    print(f"AUTOPLACE {a} {b} {c} {d};MESSAGE here we go")
