package certificate

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Compare reads a certificate and compares it with the lines that this machine computes, which must be the same in
// number, order and text; blank lines do not count. The error names the first line that is none, differs or is too much
// or missing, or is the error of the reader.
func Compare(r io.Reader, lines []Line) error {
	n := 0
	s := bufio.NewScanner(r)
	for s.Scan() {
		text := strings.TrimSpace(s.Text())
		if text == "" {
			continue
		}
		if _, err := Parse(text); err != nil {
			return fmt.Errorf("line %d: %w", n+1, err)
		}
		if n >= len(lines) {
			return fmt.Errorf("line %d: %q: the model has %d kernels and results here", n+1, text, len(lines))
		}
		if text != lines[n].String() {
			return fmt.Errorf("line %d: %q: here it is %q", n+1, text, lines[n])
		}
		n++
	}
	if err := s.Err(); err != nil {
		return fmt.Errorf("line %d: %w", n+1, err)
	}
	if n < len(lines) {
		return fmt.Errorf("%d lines: the model has %d kernels and results here", n, len(lines))
	}
	return nil
}
