// Uses what an agent may use: threads, temporary files, its own data, a large file, and notes from one move to the next.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

class Needs {
    static void tell(String word, Object outcome) {
        System.err.println("kibitz tried: " + word + " " + outcome);
    }

    static String well(boolean sure) {
        return sure ? "ok" : "wrong";
    }

    static void use() throws Exception {
        AtomicLong total = new AtomicLong();
        Thread[] threads = new Thread[4];
        for (int each = 0; each < 4; each++) {
            threads[each] = new Thread(() -> {
                for (int number = 0; number < 1000; number++) total.addAndGet(number);
            });
            threads[each].start();
        }
        for (Thread thread : threads) thread.join();
        tell("threads", well(total.get() == 1998000));
        Path temporary = Files.createTempFile(Path.of(System.getenv("TMPDIR")), "bot", null);
        Files.writeString(temporary, "x");
        tell("temporary", well(Files.readString(temporary).equals("x")));
        tell("data", well(Files.readString(Path.of("data.txt")).equals("precomputed\n")));
        try (RandomAccessFile large = new RandomAccessFile("large.bin", "r")) {
            large.seek(3L << 30);
            tell("large", well(large.read() == 'x'));
        }
        Path state = Path.of("state");
        int count = Files.exists(state) ? Integer.parseInt(Files.readString(state)) + 1 : 1;
        Files.writeString(state, String.valueOf(count));
        tell("state", count);
    }

    public static void main(String[] words) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        in.readLine();
        while (in.readLine() != null) {
            use();
            System.out.println(1);
        }
    }
}
