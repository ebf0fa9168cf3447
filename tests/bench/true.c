// The least that a static program can do: what spawning costs by itself.
int main(void) { return 0; }
