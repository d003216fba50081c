"""Every line of the table of attacks in docs/arena-organiser.md, with the tests that show its outcome."""

from __future__ import annotations

import re
from pathlib import Path

from tests.arena.test_wire_facts import names_in

PAGE = Path(__file__).parents[2] / "docs" / "arena-organiser.md"
ATTACKS = {
    "guessing keys, tokens, the organiser's token": [
        "test_attacks.py::test_guessing_keys_is_slowed_down",
        "test_attacks.py::test_guessing_tokens_is_slowed_down_and_the_player_is_not",
        "test_attacks.py::test_guessing_the_organisers_token_is_slowed_down",
        "test_sessions.py::test_guesses_of_the_token_are_slowed_down",
    ],
    "a token of another game, a key in place of a token": [
        "test_attacks.py::test_a_token_of_one_game_is_worth_nothing_in_another",
        "test_attacks.py::test_a_key_does_not_move_anothers_hero",
    ],
    "a team's key as the organiser's token, an empty token": [
        "test_attacks.py::test_a_key_is_no_token_of_the_organiser",
        "test_sessions.py::test_without_the_token_there_is_no_session",
        "test_command.py::test_the_organisers_token_is_kept_for_its_owner",
    ],
    "running a program of one's choice with the organiser's token": ["test_organiser.py::test_mistakes_are_told"],
    "reading tokens or keys from public pages, lists, streams, the SQLite file": [
        "test_attacks.py::test_tokens_are_shown_to_their_players_only",
        "test_store.py::test_the_file_does_not_hold_keys",
    ],
    "another move for the same ply, a move out of turn, a move after the end": [
        "test_attacks.py::test_another_move_for_the_same_ply_is_refused",
        "test_joining.py::test_playing_out_of_turn_with_a_wrong_token_or_after_the_end",
    ],
    "the same request repeated, or sent again after the connection broke": [
        "test_joining.py::test_a_repeated_post_of_the_same_move_counts_once",
        "test_joining.py::test_a_post_after_a_broken_connection_gets_the_state_that_was_never_delivered",
    ],
    "several moves in one packet": [
        "test_attacks.py::test_two_moves_in_one_packet_are_one_move_each_in_its_turn",
        "test_attacks.py::test_requests_that_wait_for_those_before_them_are_few",
        "test_attacks.py::test_a_refusal_is_not_taken_for_the_response_to_an_earlier_request",
    ],
    "a move whose first byte is early and whose last byte is late": [
        "test_attacks.py::test_a_slow_move_is_late_however_early_it_began"
    ],
    "not reading responses, so that the clock of the next question starts later": [
        "test_attacks.py::test_whoever_does_not_read_does_not_gain_time",
        "test_seat.py::test_a_client_that_leaves_responses_unread_pays_for_the_wait",
    ],
    "many training games, many joins, also at the same time": [
        "test_attacks.py::test_a_team_cannot_fill_the_server_with_training_games",
        "test_attacks.py::test_requests_at_the_same_time_do_not_get_past_that_limit",
        "test_attacks.py::test_joining_again_and_again_is_slowed_down",
    ],
    "Content-Length with Transfer-Encoding, two lengths, negative lengths, unknown encodings": [
        "test_attacks.py::test_content_length_and_transfer_encoding_together_are_refused",
        "test_attacks.py::test_ambiguous_heads_are_refused",
    ],
    "header lines with blanks or null bytes, bytes that are not HTTP": [
        "test_attacks.py::test_ambiguous_heads_are_refused",
        "test_attacks.py::test_what_is_not_http_is_refused",
    ],
    "broken chunks; header lines behind a chunked body": [
        "test_attacks.py::test_broken_chunks_end_the_connection",
        "test_attacks.py::test_a_trailer_does_not_add_to_the_head",
    ],
    "deeply nested JSON, huge numbers, wrong types, thousands of parameters, bytes that are not text": [
        "test_attacks.py::test_bodies_of_unknown_shape_get_a_sentence"
    ],
    "bodies, heads, addresses that are too large, WebSocket messages as well": [
        "test_attacks.py::test_a_large_body_is_refused_before_it_is_read",
        "test_attacks.py::test_a_large_body_of_unknown_length_is_cut_off",
        "test_attacks.py::test_large_heads_are_refused",
        "test_attacks.py::test_nothing_is_read_without_end",
        "test_attacks.py::test_a_long_address_is_refused",
        "test_generic_api.py::test_a_websocket_with_a_wrong_token_or_too_large_a_message_is_closed",
    ],
    "heads or bodies that trickle in": [
        "test_attacks.py::test_slow_heads_are_cut_off_whatever_trickles_in",
        "test_attacks.py::test_slow_bodies_are_cut_off",
    ],
    "1,000 idle connections": ["test_attacks.py::test_a_thousand_idle_connections_disturb_nobody"],
    "more connections than allowed": [
        "test_attacks.py::test_connections_beyond_the_limit_are_told_so",
        "test_attacks.py::test_connections_that_were_left_open_make_room_for_others",
    ],
    "asking for many pages that are costly to make": [
        "test_attacks.py::test_players_do_not_wait_for_what_spectators_ask_for"
    ],
    "`..`, encoded slashes, null bytes in paths; names of the arena's own files": [
        "test_attacks.py::test_paths_lead_nowhere"
    ],
    "reading paths of the machine from errors and pages": [
        "test_attacks.py::test_no_answer_names_a_path_of_this_machine"
    ],
    "looking at the decks of one's own game while it is played": [
        "test_attacks.py::test_what_players_may_not_know_is_not_shown_while_the_game_is_played"
    ],
    "script in team names": [
        "test_attacks.py::test_script_in_a_name_is_text",
        "browser/test_day.py::test_public_pages_show_the_day_and_hide_results",
    ],
    "a forged Host header": ["test_attacks.py::test_a_forged_host_does_not_get_into_addresses"],
    "requests from other web sites": [
        "test_attacks.py::test_other_sites_get_answers_but_no_credentials",
        "test_wire_facts.py::test_any_origin_is_allowed",
    ],
    "another site, or another port of this host, using the organiser's session": [
        "test_sessions.py::test_a_change_needs_the_secret_of_the_session"
    ],
    "reading the organiser's pages from another site": ["test_sessions.py::test_another_site_cannot_read_the_secret"],
    "a match file on the page that names a program or weakens the sandbox": [
        "test_sessions.py::test_a_match_file_from_the_network_runs_no_program"
    ],
    "formulas, script or direction marks in team names and lists of teams": [
        "test_registration.py::test_no_cell_is_a_formula",
        "test_registration.py::test_bad_names_do_not_keep_the_others_out",
    ],
    "archives with `..`, absolute paths, links, devices; zip bombs; thousands of files": [
        "test_uploads.py::test_archives_with_tricks_are_refused",
        "test_uploads.py::test_bad_uploads_are_explained_and_leave_nothing",
    ],
    "a client that vanishes while its request is held": [
        "test_attacks.py::test_a_client_that_vanishes_while_it_is_held_leaves_nothing_behind",
        "test_joining.py::test_a_program_that_was_restarted_before_the_game_takes_its_seat_again",
    ],
}


def test_the_table_lists_these_attacks() -> None:
    _, _, section = PAGE.read_text(encoding="utf-8").partition("## Attacks and their outcomes")
    lines = re.findall(r"^\| (.+?) \| (.+?) \|$", section, re.MULTILINE)
    assert lines[0] == ("attack", "outcome")
    assert [attack for attack, _ in lines[1:]] == list(ATTACKS)
    assert len(ATTACKS) >= 25


def test_every_attack_has_its_tests() -> None:
    for shown_by in (each for tests in ATTACKS.values() for each in tests):
        file, _, name = shown_by.partition("::")
        assert name in names_in(file)
