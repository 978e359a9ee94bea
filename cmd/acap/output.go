package main

import (
	"fmt"
	"io"
	"os"

	"github.com/go-acap/acap/cmd/acap/printable"
)

// stdout is standard output. Every command prints to it: a write that fails, for example
// because the disk is full, makes the command fail at its end.
var stdout = &output{file: os.Stdout, terminal: isTerminal(os.Stdout)}

// output remembers the first error of its writes.
type output struct {
	file     io.Writer
	terminal bool // file is one, and gets a [printable.Text]
	err      error
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func (o *output) Write(data []byte) (int, error) {
	beat.prints()
	text := data
	if o.terminal {
		text = printable.Text(data)
	}
	n, err := o.file.Write(text)
	if err != nil && o.err == nil {
		o.err = fmt.Errorf("standard output: %w", err)
	}
	return min(n, len(data)), err
}
