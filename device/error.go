package device

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// OutOfRange is the text of the error of an operation with an index outside of its tensor.
const OutOfRange = "index out of range"

// RunError is an operation that failed while its program ran.
type RunError struct {
	Op  string // the operation as it was compiled, such as "linalg.generic"
	Loc mlir.Location
	Err error
}

func (e *RunError) Error() string {
	text := e.Err.Error()
	if !strings.HasPrefix(text, strings.TrimPrefix(e.Op, "aten.")+": ") { // a host operator names itself
		text = e.Op + ": " + text
	}
	return e.Loc.Prefix(text)
}

// Unwrap returns the cause.
func (e *RunError) Unwrap() error { return e.Err }

// GuardError says that a program is not right for given inputs: its structure depends on elements, and it was made for
// other elements.
type GuardError struct {
	What    string // was read, and where: "the mask at model.py:7"
	Element []int  // the first that differs; nil of a single one
	Was, Is string
}

func (e *GuardError) Error() string {
	what := e.What
	if e.Element != nil {
		what = fmt.Sprintf("element %v of %s", e.Element, what)
	}
	return fmt.Sprintf("the program was made for other inputs: %s was %s, and is %s. Run the model's own file, which is "+
		"specialised to each input, or compile it again for such inputs", what, e.Was, e.Is)
}
