/* C among the files of a C++ program. */
int twice(int number) {
    int class = 2;
    return class * number;
}
