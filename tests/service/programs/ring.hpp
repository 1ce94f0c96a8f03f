struct Ring {
    int rank, size;
    int next() const { return (rank + 1) % size; }
    int before() const { return (rank + size - 1) % size; }
};
