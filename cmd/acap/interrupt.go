package main

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/cmd/acap/printable"
)

// statusSignal is the exit status after a signal, as shells give it, without the signal's number.
const statusSignal = 128

// hangup is SIGHUP, which comes when the terminal is closed. Package syscall does not name it for all systems.
const hangup = syscall.Signal(1)

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

// endOnInterrupt ends the process when SIGINT, SIGTERM or SIGHUP comes, whatever it does: kernels that run are cut off,
// and files that are not whole are removed. A SIGHUP that the process was started to ignore, by nohup, is ignored.
func endOnInterrupt(command string) {
	if command == "chat" || command == "serve" {
		return // which end answers, and themselves in order
	}
	if runtime.GOARCH == "wasm" {
		return // there are no signals
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(hangup) {
		signal.Notify(signals, hangup)
	}
	go func() {
		status := statusSignal
		if s, ok := (<-signals).(syscall.Signal); ok {
			status += int(s)
		}
		signal.Reset(os.Interrupt, syscall.SIGTERM, hangup) // a second one ends the process at once
		atInterrupt.Lock()
		for _, f := range atInterrupt.calls {
			f()
		}
		atomicfile.Discard()
		fmt.Fprintf(printable.Messages, "acap %s: interrupted\n", command)
		os.Exit(status)
	}()
}
