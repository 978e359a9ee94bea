package expand

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// UnsupportedError says that an operation cannot be said in others.
type UnsupportedError struct {
	Where  string // file and line
	Name   string // the operation
	Reason string
}

func (e *UnsupportedError) Error() string {
	text := e.Name + ": " + e.Reason
	if e.Where != "" {
		text = e.Where + ": " + text
	}
	return text
}

// Module rewrites a module in place.
func Module(module *mlir.Operation) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *UnsupportedError:
			err = p
		default:
			panic(p)
		}
	}()
	parallel(module)
	composites(module)
	types(module)
	return nil
}

func fail(op *mlir.Operation, format string, args ...any) {
	where := ""
	if !op.Loc.IsUnknown() {
		where = op.Loc.Short()
	}
	panic(&UnsupportedError{Where: where, Name: op.Name, Reason: fmt.Sprintf(format, args...)})
}
