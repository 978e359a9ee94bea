package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// heartbeat says every few seconds on standard error how far long work is, on a terminal or not, until it is stopped.
func heartbeat(command string, far func() string) (stop func()) {
	const every = 4 * time.Second
	done, start := make(chan struct{}), time.Now()
	go func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				fmt.Fprintf(os.Stderr, "acap %s: %s after %.0f s\n", command, far(), time.Since(start).Seconds())
			}
		}
	}()
	return sync.OnceFunc(func() { close(done) })
}

// progress shows how far long work is, on standard error and only on a terminal.
type progress struct {
	what  string
	total int
	last  time.Time
	shown bool
}

// newProgress returns a progress line, or one that shows nothing where standard
// error is no terminal.
func newProgress(what string, total int) *progress {
	info, err := os.Stderr.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return &progress{}
	}
	return &progress{what: what, total: total}
}

// update shows that done of the total are done, ten times a second at most.
func (p *progress) update(done int, item string) {
	if p.total == 0 || time.Since(p.last) < 100*time.Millisecond {
		return
	}
	p.last, p.shown = time.Now(), true
	fmt.Fprintf(os.Stderr, "\r\x1b[K%s %d/%d %s", p.what, done, p.total, item)
}

// finish clears the line.
func (p *progress) finish() {
	if p.shown {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}
