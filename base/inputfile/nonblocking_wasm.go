package inputfile

// nonblocking is no flag: a host of WebAssembly has none, so that opening a pipe waits for a writer.
const nonblocking = 0
