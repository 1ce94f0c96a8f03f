/* C among C++: numbers of the C library. */
#include <stdlib.h>

int drawn(int limit) {
    int class = rand() % limit;
    return class;
}
