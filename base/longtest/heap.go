package longtest

import "runtime"

// heap is memory that nothing touches, so that it takes none of the machine's. Go's collector takes the heap for a part of
// what a test holds, and waits until the test has allocated as much again: most tests hold a few MiB, among which the
// collector would look for garbage many times a second, for a fifth of what such tests take of processors.
var heap []byte

func init() {
	heap = make([]byte, 64<<20)
	runtime.KeepAlive(heap)
}
