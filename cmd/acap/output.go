package main

import (
	"fmt"
	"io"
	"os"
)

// stdout is standard output. Every command prints to it: a write that fails, for example
// because the disk is full, makes the command fail at its end.
var stdout = &output{file: os.Stdout}

// output remembers the first error of its writes.
type output struct {
	file io.Writer
	err  error
}

func (o *output) Write(data []byte) (int, error) {
	beat.prints()
	n, err := o.file.Write(data)
	if err != nil && o.err == nil {
		o.err = fmt.Errorf("standard output: %w", err)
	}
	return n, err
}
