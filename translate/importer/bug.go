package importer

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/go-acap/acap/base/buf"
)

// BugError is a panic of the Go run time, or of a check that must always hold, while a model was
// read. A file from outside must not end a program that reads it; the error names the line of the
// code that is wrong. No test may see one.
type BugError struct {
	Panic any
	At    string // file:line of the code
}

func (e *BugError) Error() string {
	return strings.TrimSuffix(fmt.Sprintf("BUG: %s at %s",
		strings.TrimPrefix(fmt.Sprint(e.Panic), "BUG: "), e.At), " at ")
}

// Bug returns an error for a value that [recover] returned, if the value is a mistake of the code, an error of the run
// time, a text, or a [*buf.MemoryError]; otherwise nil. The function that recovers calls recover itself.
func Bug(recovered any) error {
	switch r := recovered.(type) {
	case *buf.MemoryError:
		return r
	case runtime.Error, string:
		return &BugError{recovered, panicked()}
	}
	return nil
}

// panicked returns the place of the panic that is being recovered from: what called the run time's
// panic.
func panicked() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	inside := false
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "runtime.") {
			inside = true
		} else if inside {
			return fmt.Sprintf("%s/%s:%d", filepath.Base(filepath.Dir(f.File)), filepath.Base(f.File), f.Line)
		}
		if !more {
			return ""
		}
	}
}
