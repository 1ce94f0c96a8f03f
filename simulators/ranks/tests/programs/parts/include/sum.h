int sum(int factor);
