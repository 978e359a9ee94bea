package device

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/mlir"
)

// Memory is how much memory a program takes, in bytes, known before it runs.
type Memory struct {
	// Run is the peak of one run besides its inputs: results, values between kernels, scratch, and what it computes
	// once from constant inputs.
	Run int64
	// Kept is the memory that the program keeps between runs, once it has run.
	Kept int64
	// Largest are the largest values of a run, largest first.
	Largest []LargeValue
}

// LargeValue is a value of a program and where it comes from.
type LargeValue struct {
	Bytes int64
	Op    string // the operation that computes it, as it was compiled
	Loc   mlir.Location
}

// Check returns a [*MemoryError] if a run takes more than [buf.Limit]. The error is a [*MemoryError] with the largest
// values.
func (m *Memory) Check() error {
	if m.Run >= 0 && m.Run <= buf.Limit() {
		return nil
	}
	e := &MemoryError{Largest: m.Largest}
	if err, ok := buf.CheckBytes(m.Run, "a run of the program").(*buf.MemoryError); ok {
		e.MemoryError = err
		return e
	}
	return nil // the limit has been raised meanwhile
}

// MemoryError says that a program would take more memory than the limit, and which of its
// values are to blame.
type MemoryError struct {
	*buf.MemoryError
	Largest []LargeValue
}

// Unwrap returns the error without the values.
func (e *MemoryError) Unwrap() error { return e.MemoryError }

func (e *MemoryError) Error() string {
	var b strings.Builder
	b.WriteString(e.MemoryError.Error())
	for i, v := range e.Largest {
		b.WriteString([]string{"; the largest values: ", ", "}[min(i, 1)])
		fmt.Fprintf(&b, "%s of %s", buf.Size(v.Bytes), v.Op)
		if !v.Loc.IsUnknown() {
			b.WriteString(" at " + v.Loc.Short())
		}
	}
	return b.String()
}
