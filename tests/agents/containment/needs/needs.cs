// Uses what an agent may use: threads, temporary files, its own data, a large file, and notes from one move to the next.
using System;
using System.IO;
using System.Threading;

static class Needs {
    static void Tell(string word, object outcome) {
        Console.Error.WriteLine("kibitz tried: " + word + " " + outcome);
    }

    static string Well(bool sure) {
        return sure ? "ok" : "wrong";
    }

    static void Use() {
        long total = 0;
        var threads = new Thread[4];
        for (int each = 0; each < 4; each++) {
            threads[each] = new Thread(() => {
                for (int number = 0; number < 1000; number++) Interlocked.Add(ref total, number);
            });
            threads[each].Priority = ThreadPriority.BelowNormal;
            threads[each].Start();
        }
        foreach (var thread in threads) thread.Join();
        Tell("threads", Well(total == 1998000));
        string temporary = Path.Combine(Environment.GetEnvironmentVariable("TMPDIR"), Path.GetRandomFileName());
        File.WriteAllText(temporary, "x");
        Tell("temporary", Well(File.ReadAllText(temporary) == "x"));
        Tell("data", Well(File.ReadAllText("data.txt") == "precomputed\n"));
        using (var large = File.OpenRead("large.bin")) {
            large.Seek(3L << 30, SeekOrigin.Begin);
            Tell("large", Well(large.ReadByte() == 'x'));
        }
        int count = File.Exists("state") ? int.Parse(File.ReadAllText("state")) + 1 : 1;
        File.WriteAllText("state", count.ToString());
        Tell("state", count);
    }

    static void Main() {
        Console.ReadLine();
        while (Console.ReadLine() != null) {
            Use();
            Console.WriteLine(1);
        }
    }
}
