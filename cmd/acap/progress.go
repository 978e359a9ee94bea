package main

import (
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/go-acap/acap/cmd/acap/printable"
)

// pulse says on standard error what a command does, on a terminal or not, whenever the command has printed nothing for
// a few seconds.
type pulse struct {
	mu    sync.Mutex
	what  func() string // the command does; nil while it waits for a person or a client
	heard time.Time     // the command printed something
}

// beat is the pulse of the command that runs.
var beat = &pulse{}

// begin starts the pulse of a command, and stop ends it.
func (p *pulse) begin(command string) (stop func()) {
	const silence = 4 * time.Second
	start, done := time.Now(), make(chan struct{})
	p.prints()
	p.does("at work")
	go func() {
		tick := time.NewTicker(silence / 4)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case now := <-tick.C:
				if what := p.due(now.Add(-silence)); what != "" {
					fmt.Fprintf(printable.Messages, "acap %s: %s after %.0f s\n", command, what, time.Since(start).Seconds())
				}
			}
		}
	}()
	return sync.OnceFunc(func() { close(done) })
}

// due returns what the command does if it has been silent since a time, and counts that as said.
func (p *pulse) due(since time.Time) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.what == nil || p.heard.After(since) {
		return ""
	}
	p.heard = time.Now()
	return p.what()
}

// does notes what the command does from now on.
func (p *pulse) does(format string, args ...any) {
	p.follows(func() string { return fmt.Sprintf(format, args...) })
}

// follows is does for what changes while the command does it. The function must not print.
func (p *pulse) follows(what func() string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what = what
}

// rests notes that the command waits for a person or a client.
func (p *pulse) rests() { p.follows(nil) }

// prints notes that the command prints something.
func (p *pulse) prints() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heard = time.Now()
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
	if !isTerminal(os.Stderr) {
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
	beat.prints()
	fmt.Fprintf(os.Stderr, "\r\x1b[K%s %d/%d %s", p.what, done, p.total, printable.Text([]byte(item)))
}

// finish clears the line.
func (p *progress) finish() {
	if p.shown {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}
