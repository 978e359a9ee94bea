package heap

import (
	"os"
	"runtime"
)

// heap is memory that nothing touches, so that it takes none of the machine's. Go's collector counts the heap among
// what a test holds, and waits until the test has allocated as much again. Most tests hold a few MiB, tests of
// operators 100; without the heap the collector would run many times a second, for a third of the processor time of
// such tests.
var heap []byte

func init() {
	if os.Getenv("GOGC") == "" { // who sets GOGC wants the collector to run as often as GOGC says
		heap = make([]byte, 512<<20)
		runtime.KeepAlive(heap)
	}
}
