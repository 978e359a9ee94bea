package engine

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/go-acap/acap/device/kernel/environment"
)

// ParallelismVariable is the environment variable that says how many goroutines compile at once; the
// second name is the one that Torch Blade has for it.
const (
	ParallelismVariable       = "ACAP_COMPILE_PARALLELISM"
	secondParallelismVariable = "COMPILE_PARALLELISM"
)

// Parallelism returns how many goroutines compile at once: what the environment says, or as many as Go uses
// processors.
func Parallelism() (int, error) {
	variable := ParallelismVariable
	if os.Getenv(variable) == "" {
		variable = secondParallelismVariable
	}
	return environment.Int(variable, "a number of goroutines", 1, 1024, runtime.GOMAXPROCS(0))
}

// helping is the number of goroutines that compile besides those that asked for it.
var helping atomic.Int32

// Parallel calls f for 0 to n-1, in no order, on the caller's goroutine and on others as far as
// [Parallelism] allows for all that compile. It returns when all calls have.
func Parallel(n int, f func(i int)) {
	most, err := Parallelism()
	if err != nil {
		most = 1 // who starts to compile has refused it
	}
	var next atomic.Int64
	work := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			f(i)
		}
	}
	var wait sync.WaitGroup
	for range min(n, most) - 1 {
		if helping.Add(1) >= int32(most) {
			helping.Add(-1)
			break
		}
		wait.Go(func() {
			defer helping.Add(-1)
			work()
		})
	}
	work()
	wait.Wait()
}
