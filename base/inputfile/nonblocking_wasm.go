package inputfile

// nonblocking is nothing: a host of WebAssembly knows no such flag, and a pipe waits for one who writes to it.
const nonblocking = 0
