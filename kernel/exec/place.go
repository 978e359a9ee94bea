//go:build (amd64 || arm64) && (linux || darwin || freebsd || windows)

package exec

import "fmt"

// place is where code lies: in memory that codes share, or in pages of its own.
type place struct {
	code []byte       // where it runs
	free func() error // gives the memory back
}

// failure says what the system did not do, and with how many bytes.
func failure(what string, bytes int, err error) error {
	if refused(err) {
		err = fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return fmt.Errorf("exec: %s %d bytes: %w", what, bytes, err)
}
