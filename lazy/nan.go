package lazy

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/lazy/replay"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// NaNVariable is the environment variable that, set to "stop", does what StopAtNaN(true) does.
const NaNVariable = "ACAP_NAN"

var nans struct {
	once sync.Once
	stop atomic.Bool
	err  error // what is wrong with the environment
}

// StopAtNaN says whether a barrier fails that computes a NaN, the element of a float or complex type that is
// not a number. The error is a [*device.RunError] around a [*NaNError]: it names the call that made the NaN
// from operands without one, and its line, or the input that held it. Infinities are numbers.
//
// Results are looked through after every run, which takes about as long as copying them. Where one
// holds a NaN the program is evaluated again call by call on the reference, which takes much longer.
func StopAtNaN(stop bool) {
	nans.once.Do(func() {})
	nans.stop.Store(stop)
}

// NaNError says where a NaN is.
type NaNError struct {
	Input   bool  // in an input of the program, not in the result of a call
	Shape   []int // of the input or result
	Element int   // the first, by its place in row-major order
}

func (e *NaNError) Error() string {
	index := make([]int, len(e.Shape))
	rest := e.Element
	for i, n := range slices.Backward(e.Shape) {
		index[i], rest = rest%n, rest/n
	}
	what := "makes a NaN, the first at"
	if e.Input {
		what = "takes a tensor that holds a NaN already, the first at"
	}
	return fmt.Sprintf("%s %v of %s", what, index, shape.String(e.Shape))
}

// NaNSetting reads from the environment whether barriers stop at NaN. A value other than "stop" is an
// [*environment.Error].
func NaNSetting() (bool, error) {
	switch text := os.Getenv(NaNVariable); text {
	case "":
		return false, nil
	case "stop":
		return true, nil
	default:
		return false, &environment.Error{Variable: NaNVariable, Value: text, Want: `"stop" or nothing`}
	}
}

// stopsAtNaN reports whether barriers stop at NaN.
func stopsAtNaN() (bool, error) {
	nans.once.Do(func() {
		var stop bool
		stop, nans.err = NaNSetting()
		nans.stop.Store(stop)
	})
	return nans.stop.Load(), nans.err
}

// findNaN returns the error of a run if one of its results holds a NaN.
func findNaN(ctx context.Context, g *trace.Graph, inputs, outputs []*buf.Buffer) error {
	at := slices.IndexFunc(outputs, func(b *buf.Buffer) bool { return b.FirstNaN() >= 0 })
	if at < 0 {
		return nil
	}
	roots := make([]ops.Value, 0, len(g.Roots))
	for _, e := range g.Roots {
		roots = append(roots, e.Node.Results()[e.Result])
	}
	graph, module := trace.Module(roots, compiler.Entry)
	if source, err := replay.NaN(ctx, module, inputs); err == nil && source != nil {
		op, loc := callAt(graph, source.Op.Loc)
		return &device.RunError{Op: op, Loc: loc,
			Err: &NaNError{Input: source.Input, Shape: source.Shape, Element: source.Element}}
	}
	// The reference does not tell: name the call whose result it is.
	n := g.Roots[at].Node
	return &device.RunError{Op: n.Pattern().Op.Name(), Loc: n.Location(),
		Err: &NaNError{Shape: outputs[at].Shape, Element: outputs[at].FirstNaN()}}
}
