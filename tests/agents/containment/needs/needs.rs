// Uses what an agent may use: threads, temporary files, its own data, a large file, and notes from one move to the next.
use std::fs::{self, File};
use std::io::{self, BufRead, Read, Seek, SeekFrom};
use std::thread;

fn tell(word: &str, well: bool) {
    eprintln!("kibitz tried: {} {}", word, if well { "ok" } else { "wrong" });
}

fn attend() {
    let threads: Vec<_> = (0..4).map(|_| thread::spawn(|| (0..1000u64).sum::<u64>())).collect();
    let total: u64 = threads.into_iter().map(|each| each.join().unwrap_or(0)).sum();
    tell("threads", total == 1998000);
    let temporary = std::env::temp_dir().join("temporary");
    tell("temporary", fs::write(&temporary, "x").is_ok() && fs::read_to_string(&temporary).unwrap_or_default() == "x");
    tell("data", fs::read_to_string("data.txt").unwrap_or_default() == "precomputed\n");
    let mut byte = [0u8];
    let large = File::open("large.bin").and_then(|mut file| {
        file.seek(SeekFrom::Start(3 << 30))?;
        file.read(&mut byte)
    });
    tell("large", large.is_ok() && byte[0] == b'x');
    let count: u32 = fs::read_to_string("state").ok().and_then(|text| text.parse().ok()).unwrap_or(0) + 1;
    let kept = fs::write("state", count.to_string()).is_ok();
    eprintln!("kibitz tried: state {}", if kept { count } else { 0 });
}

fn main() {
    for line in io::stdin().lock().lines().skip(1) {
        if line.is_ok() {
            attend();
            println!("1");
        }
    }
}
