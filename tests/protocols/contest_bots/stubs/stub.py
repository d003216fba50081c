# Like the site's starter code: reads with input(), never flushes, never checks for the end of its input.
import sys

while True:
    game_phase = input()
    application_count = int(input())
    for i in range(application_count):
        inputs = input().split()
    for i in range(2):
        player_location, player_score, daily, study = [int(j) for j in input().split()]
    card_locations_count = int(input())
    for i in range(card_locations_count):
        inputs = input().split()
    possible_moves_count = int(input())
    for i in range(possible_moves_count):
        possible_move = input()
    print("kibitz phase " + game_phase, file=sys.stderr)
    print("RANDOM")
