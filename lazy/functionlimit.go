package lazy

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// LimitError says that a function of [Compile] would need more programs than it may have.
type LimitError struct {
	Programs int
	Argument int // the first that differs from the signature before, or -1
	Now, Was ops.TensorType
	Exact    string // why no bucket serves it, if it has dynamic dimensions
}

func (e *LimitError) Error() string {
	text := fmt.Sprintf("the function has %d programs, as many as it may", e.Programs)
	if e.Argument >= 0 {
		text += fmt.Sprintf("; argument %d is %v, was %v: make the dimension dynamic, with buckets, or call Limit",
			e.Argument, mlir.Tensor(e.Now.DType, e.Now.Shape), mlir.Tensor(e.Was.DType, e.Was.Shape))
	}
	if e.Exact != "" {
		text += "; no bucket: " + e.Exact
	}
	return text
}

// admit counts the programs of the function.
func (f *Function[T]) admit(p *program, values []ops.Value) error {
	fresh := p.fit == nil || !f.programs[p.fit.of]
	if fresh && f.exact+len(f.programs) >= f.most {
		return f.limit(p, values)
	}
	switch {
	case !fresh:
		return nil
	case p.fit != nil:
		f.programs[p.fit.of] = true
	default:
		f.exact++
	}
	f.last = typesOf(values)
	return nil
}

// limit says what is different from the last signature, and why no bucket serves a program.
func (f *Function[T]) limit(p *program, values []ops.Value) error {
	e := &LimitError{Programs: f.exact + len(f.programs), Argument: -1}
	if p != nil {
		e.Exact = p.exact
	}
	now := typesOf(values)
	for i := range min(len(now), len(f.last)) {
		if fmt.Sprint(now[i]) != fmt.Sprint(f.last[i]) {
			e.Argument, e.Now, e.Was = i, now[i], f.last[i]
			break
		}
	}
	return e
}

func typesOf(values []ops.Value) []ops.TensorType {
	types := make([]ops.TensorType, len(values))
	for i, v := range values {
		types[i] = v.Type()
	}
	return types
}
