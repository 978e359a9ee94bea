package parallel

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/go-acap/acap/base/environment"
)

// Variable is the environment variable that says how many goroutines compile at once; the second name is
// the one that Torch Blade has for it.
const (
	Variable       = "ACAP_COMPILE_PARALLELISM"
	secondVariable = "COMPILE_PARALLELISM"
)

// Goroutines returns how many goroutines compile at once: what the environment says, or as many as Go uses
// processors. A text in the environment that is no number from 1 to 1024 is an error.
func Goroutines() (int, error) {
	variable := Variable
	if os.Getenv(variable) == "" {
		variable = secondVariable
	}
	return environment.Int(variable, "a number of goroutines", 1, 1024, runtime.GOMAXPROCS(0))
}

// helping is the number of goroutines that help to compile.
var helping atomic.Int32

// For calls f for 0 to n-1, in no order, on the caller's goroutine and on others as far as [Goroutines] allows for all
// compilations together. It returns when all calls have returned. A panic of a call becomes a panic of For.
func For(n int, f func(i int)) {
	most, err := Goroutines()
	if err != nil {
		most = 1 // the caller that starts a compilation reports the error
	}
	var next atomic.Int64
	work := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			f(i)
		}
	}
	var wait sync.WaitGroup
	var panicked atomic.Pointer[any]
	for range min(n, most) - 1 {
		if helping.Add(1) >= int32(most) {
			helping.Add(-1)
			break
		}
		wait.Add(1)
		help(func() {
			defer wait.Done()
			defer helping.Add(-1)
			defer func() {
				if p := recover(); p != nil {
					panicked.Store(&p)
				}
			}()
			work()
		})
	}
	defer func() {
		wait.Wait()
		if p := panicked.Load(); p != nil {
			panic(*p)
		}
	}()
	work()
}
