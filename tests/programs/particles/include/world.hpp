// Particles that wander from rank to rank; those that leave the ring are lost, by an exception.
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

extern "C" int drawn(int limit);

struct Lost : std::runtime_error {
    explicit Lost(int place) : std::runtime_error("lost at " + std::to_string(place)) {
    }
};

class World {
  public:
    World();
    ~World();
    // Moves a particle; throws Lost where it leaves the ring.
    int moved(int place) const;
    std::vector<int> particles;
    std::vector<std::string> log;
};

// Made before main, and one for every rank.
extern World world;
extern double field[400000];
