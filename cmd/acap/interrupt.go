package main

import (
	"fmt"
	"os"
	"os/signal"
	"sync"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/cmd/acap/printable"
)

// statusInterrupted is the exit status after SIGINT, as shells give it: 128 and the signal's
// number.
const statusInterrupted = 130

// atInterrupt are called before an interrupt ends the process: what shows progress
// clears its line, a profile is written.
var atInterrupt struct {
	sync.Mutex
	calls []func()
}

// onInterrupt adds a function to call before an interrupt ends the process.
func onInterrupt(f func()) {
	atInterrupt.Lock()
	defer atInterrupt.Unlock()
	atInterrupt.calls = append(atInterrupt.calls, f)
}

// endOnInterrupt ends the process when SIGINT comes, whatever it does: kernels that run
// are cut off, and files that are not whole are removed.
func endOnInterrupt(command string) {
	if command == "chat" || command == "serve" {
		return // which end answers, and themselves in order
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	go func() {
		<-signals
		signal.Reset(os.Interrupt) // a second one ends the process at once
		atomicfile.Discard()
		atInterrupt.Lock()
		for _, f := range atInterrupt.calls {
			f()
		}
		fmt.Fprintf(printable.Messages, "acap %s: interrupted\n", command)
		os.Exit(statusInterrupted)
	}()
}
