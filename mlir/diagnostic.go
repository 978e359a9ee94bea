package mlir

import (
	"fmt"
	"strings"
)

// Diagnostic is one error with its position.
type Diagnostic struct {
	Loc     Location
	Message string
}

// Error returns "file:line:col: error: message".
func (d Diagnostic) Error() string {
	return d.Loc.Prefix("error: " + d.Message)
}

// Errorf returns an error of the operation: its place and its name stand before the message.
func (op *Operation) Errorf(format string, args ...any) error {
	return fmt.Errorf("%s: "+format, append([]any{op.Loc.Prefix(op.Name)}, args...)...)
}

// Diagnostics is the error that [Parse] and [Verify] return: at least one
// diagnostic, in the order of the text.
type Diagnostics []Diagnostic

// maxDiagnostics bounds what one call reports.
const maxDiagnostics = 20

// Error returns the diagnostics, one a line.
func (d Diagnostics) Error() string {
	lines := make([]string, len(d))
	for i := range d {
		lines[i] = d[i].Error()
	}
	return strings.Join(lines, "\n")
}

// Err returns d as an error, and nil if it is empty.
func (d Diagnostics) Err() error {
	if len(d) == 0 {
		return nil
	}
	return d
}

// add appends a diagnostic unless there are enough.
func (d *Diagnostics) add(loc Location, format string, args ...any) {
	if len(*d) < maxDiagnostics {
		*d = append(*d, Diagnostic{loc, fmt.Sprintf(format, args...)})
	}
}
