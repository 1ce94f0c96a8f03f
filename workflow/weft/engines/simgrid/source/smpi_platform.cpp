/* The platform of smpirun: that of the description which the environment names. */
#include "platform.hpp"

#include <simgrid/s4u.hpp>

#include <cstdlib>

extern "C" void load_platform(const simgrid::s4u::Engine &engine);

void load_platform(const simgrid::s4u::Engine &) {
    const char *name = std::getenv("WEFT_DESCRIPTION");
    const weft::Description description = weft::read_description(name == nullptr ? "" : name);
    weft::apply_settings(description);
    weft::make_platform(description);
}
