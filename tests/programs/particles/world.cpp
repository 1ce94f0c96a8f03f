#include "world.hpp"
#include <cstdio>

World world;
double field[400000];

World::World() {
    for (int i = 0; i < COUNT; i++) {
        particles.push_back(i * 10);
    }
    log.emplace_back("a world that was made before main, with a text on the heap");
}

World::~World() {
    if (particles.empty() || log.size() < 2) {
        std::printf("particles: the world was shared\n");
    }
}

int World::moved(int place) const {
    int to = place + drawn(41) - 20;
    if (to < 0 || to >= COUNT * 10) {
        throw Lost(to);
    }
    return to;
}
