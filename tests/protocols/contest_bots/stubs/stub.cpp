// Like the site's starter code: loops forever, even after its input has ended, and keeps printing.
#include <iostream>
#include <string>

using namespace std;

int main() {
    while (1) {
        string game_phase;
        cin >> game_phase; cin.ignore();
        int application_count = 0;
        cin >> application_count; cin.ignore();
        for (int i = 0; i < application_count; i++) {
            string word;
            int number;
            cin >> word;
            for (int j = 0; j < 9; j++) cin >> number;
        }
        for (int i = 0; i < 2; i++) {
            int location, score, daily, study;
            cin >> location >> score >> daily >> study; cin.ignore();
        }
        int card_locations_count = 0;
        cin >> card_locations_count; cin.ignore();
        for (int i = 0; i < card_locations_count; i++) {
            string where;
            int count;
            cin >> where;
            for (int j = 0; j < 10; j++) cin >> count;
        }
        int possible_moves_count = 0;
        cin >> possible_moves_count; cin.ignore();
        for (int i = 0; i < possible_moves_count; i++) {
            string possible_move;
            getline(cin, possible_move);
        }
        cerr << "kibitz phase " << game_phase << endl;
        cout << "RANDOM" << endl;
    }
}
