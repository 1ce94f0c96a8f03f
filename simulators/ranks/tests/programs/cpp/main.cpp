// C++: constructors, containers and exceptions of every rank; an exception is being handled while
// another rank runs.
#include "mgen.h"
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" int twice(int number);

struct Log {
    std::vector<std::string> lines{"begun, with a text that lies on the heap"};
    ~Log() {
        lines.clear();
    }
};

static Log log_of_rank;
static std::map<int, std::string> names = {{1, "one"}, {2, "two"}};
thread_local std::string of_thread = "a text of the thread that is too long to lie inside";

static int depth(int level) {
    static std::vector<int> levels;
    levels.push_back(level);
    if (level == 0) {
        throw std::runtime_error(std::to_string(levels.size()));
    }
    return depth(level - 1);
}

int MGEN_Main(int, char **) {
    int found = 0;
    for (int round = 1; round <= 2; round++) {
        try {
            depth(3);
        } catch (const std::runtime_error &error) {
            MGEN_Comp(0);
            try {
                throw round;
            } catch (int) {
                MGEN_Comp(0);
                // What is thrown again is what this rank handles.
                try {
                    throw;
                } catch (int number) {
                    found += number;
                }
            }
            found += std::atoi(error.what());
        }
    }
    log_of_rank.lines.push_back("ended, with another text that lies on the heap");
    names[3] = "three";
    of_thread += "!";
    bool whole = log_of_rank.lines.size() == 2 && names.size() == 3 && of_thread.size() == 52;
    return whole ? twice(found) : -1;
}
