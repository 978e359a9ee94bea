package main

import (
	"fmt"
	"os"
)

// progress shows on a terminal what is being measured, in one line.
type progress struct{ out *os.File }

// newProgress returns a progress that shows nothing if out is no terminal.
func newProgress(out *os.File) progress {
	if info, err := out.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return progress{}
	}
	return progress{out}
}

// show replaces the line.
func (p progress) show(format string, args ...any) {
	if p.out != nil {
		fmt.Fprintf(p.out, "\r\x1b[K"+format, args...)
	}
}

// clear removes the line.
func (p progress) clear() { p.show("") }
