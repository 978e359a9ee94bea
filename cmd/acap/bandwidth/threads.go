package bandwidth

import (
	"runtime"

	"github.com/go-acap/acap/device/engine/workers"
)

// Threads is how many threads the engine uses.
func Threads() int {
	if n, err := workers.Threads(); err == nil && n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}
