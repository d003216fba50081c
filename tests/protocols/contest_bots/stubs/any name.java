// Like the site's starter code: a class Player, in a file of any name; throws when its input ends.
import java.util.*;

class Player {
    public static void main(String args[]) {
        Scanner in = new Scanner(System.in);
        while (true) {
            String gamePhase = in.next();
            int applicationCount = in.nextInt();
            for (int i = 0; i < applicationCount; i++) {
                in.next();
                for (int j = 0; j < 9; j++) in.nextInt();
            }
            for (int i = 0; i < 8; i++) in.nextInt();
            int cardLocationsCount = in.nextInt();
            for (int i = 0; i < cardLocationsCount; i++) {
                in.next();
                for (int j = 0; j < 10; j++) in.nextInt();
            }
            int possibleMovesCount = in.nextInt();
            if (in.hasNextLine()) in.nextLine();
            for (int i = 0; i < possibleMovesCount; i++) in.nextLine();
            System.err.println("kibitz phase " + gamePhase);
            System.out.println("RANDOM");
        }
    }
}
