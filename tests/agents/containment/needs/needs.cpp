// Uses what an agent may use: threads, temporary files, its own data, a large file, and notes from one move to the next.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

static void tell(const std::string &word, bool well) {
    std::cerr << "kibitz tried: " << word << (well ? " ok\n" : " wrong\n");
}

static void use() {
    std::vector<long> sums(4);
    std::vector<std::thread> threads;
    for (long &sum : sums)
        threads.emplace_back([&sum] {
            for (int number = 0; number < 1000; number++) sum += number;
        });
    for (std::thread &thread : threads) thread.join();
    tell("threads", std::accumulate(sums.begin(), sums.end(), 0L) == 1998000);
    std::string name = std::string(std::getenv("TMPDIR")) + "/temporary", text;
    std::ofstream(name) << "x";
    tell("temporary", bool(std::ifstream(name) >> text) && text == "x");
    tell("data", bool(std::ifstream("data.txt") >> text) && text == "precomputed");
    std::ifstream large("large.bin", std::ios::binary);
    large.seekg(std::streamoff(3) << 30);
    tell("large", large.get() == 'x');
    int count = 0;
    std::ifstream("state") >> count;
    std::ofstream("state") << ++count;
    std::cerr << "kibitz tried: state " << count << '\n';
}

int main() {
    std::string line;
    std::getline(std::cin, line);
    while (std::getline(std::cin, line)) {
        use();
        std::cout << 1 << std::endl;
    }
}
