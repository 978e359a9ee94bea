package onnx

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-acap/acap/translate/importer"
)

// Error is a fault of a model at one of its nodes. Err may be one of the typed errors of package
// ops, such as [*ops.ShapeError].
type Error struct {
	Graph string // path of the subgraph; empty for the model's own
	Index int    // of the node in its graph, from 0
	Name  string // of the node, may be empty
	Op    string // operator, with its domain if that is not ai.onnx
	Err   error
}

func (e *Error) Error() string {
	where := fmt.Sprintf("node %d", e.Index)
	if e.Name != "" {
		where += fmt.Sprintf(" %q", e.Name)
	}
	if e.Graph != "" {
		where = printable(e.Graph) + ": " + where
	}
	return fmt.Sprintf("%s (%s): %v", where, printable(e.Op), e.Err)
}

// printable quotes a name of a file that would not stay in its line.
func printable(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// fault is how readers and operators report an error to the package's entry points; it does not
// leave the package.
type fault struct{ err error }

func failf(format string, args ...any) { panic(fault{fmt.Errorf(format, args...)}) }

// catch turns a fault into an error that begins with the model's name.
func catch(name string, err *error) {
	switch f := recover().(type) {
	case nil:
	case fault:
		*err = fmt.Errorf("%s: %w", name, f.err)
	default:
		bug := importer.Bug(f)
		if bug == nil {
			panic(f)
		}
		*err = fmt.Errorf("%s: %w", name, bug)
	}
}
