package lazy_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// idle is a device whose programs do nothing, so that many of them cost little.
type idle struct{ device.Device }

func (d idle) Compile(context.Context, *mlir.Operation) (device.Executable, error) {
	return &idleProgram{}, nil
}

type idleProgram struct{ device.Executable }

func (p *idleProgram) RunInto(context.Context, []*buf.Buffer, []*buf.Buffer) error { return nil }
func (p *idleProgram) Fallbacks() map[string]int                                   { return nil }
func (p *idleProgram) Memory() device.Memory                                       { return device.Memory{} }

// newIdle returns a runtime that has compiled nothing.
func newIdle() *lazy.Runtime { return lazy.For(&struct{ idle }{idle{acap.Device()}}) }

// chain computes calls one after the other on n numbers.
func chain(t *testing.T, r *lazy.Runtime, n int, names ...string) {
	v := value{r, leaf(make([]float32, n)...)}
	for _, name := range names {
		v = v.call(t, name)
	}
	require.NoError(t, lazy.Sync(context.Background(), v))
}

// TestWhyIsBounded: the last 256 programs are remembered, and each is compared with the 64 that were used last.
func TestWhyIsBounded(t *testing.T) {
	for _, between := range []int{63, 64} {
		r := newIdle()
		chain(t, r, 1, "neg", "cos")
		for n := range between {
			chain(t, r, n+1, "exp")
		}
		chain(t, r, 2, "neg", "cos")
		list := r.WhyRecompiled()
		last := list[len(list)-1]
		require.Equal(t, between+2, last.Program)
		if between < 64 {
			require.Equal(t, 1, last.Nearest)
			require.Equal(t, "shape", last.Difference.Kind)
		} else {
			require.Zero(t, last.Nearest)
			require.Nil(t, last.Difference)
		}
	}
	r := newIdle()
	for n := range 260 {
		chain(t, r, n+1, "exp")
		list := r.WhyRecompiled()
		require.Len(t, list, min(n+1, 256))
		require.Equal(t, n+1, list[len(list)-1].Program)
		require.Equal(t, max(n-256, -1)+2, list[0].Program)
	}
}

// TestAdvice: each kind of difference has its advice.
func TestAdvice(t *testing.T) {
	x := leaf(1, 2)
	frozen := trace.Constant(buf.New(dtype.F32, []int{2}))
	of := func(d dtype.DType, dims ...int) *trace.Node { return trace.Leaf(buf.New(d, dims)) }
	call := func(r *lazy.Runtime, name string, args ...any) value {
		var list []ops.Arg
		for _, a := range args {
			if v, ok := a.(ops.Value); ok {
				list = append(list, ops.TensorArg(v))
			} else {
				list = append(list, ops.ArgOf(a))
			}
		}
		return value{r, must(r.Record(ops.MustLookup(name), list...))}
	}
	one := func(name string, args ...any) func(*lazy.Runtime) []lazy.Value {
		return func(r *lazy.Runtime) []lazy.Value { return []lazy.Value{call(r, name, args...)} }
	}
	both := func(r *lazy.Runtime) []lazy.Value {
		y := call(r, "neg", x)
		return []lazy.Value{y, call(r, "cos", y.v)}
	}
	second := func(r *lazy.Runtime) []lazy.Value { return both(r)[1:] }
	third := func(r *lazy.Runtime) []lazy.Value { return []lazy.Value{call(r, "exp", call(r, "neg", x).v)} }
	buckets := func(list ...int) *trace.Node {
		return x.Vary(x.Data(0), trace.Dynamic{Dim: 0, Buckets: list})
	}
	for _, c := range []struct {
		kind, advice string
		was, now     func(*lazy.Runtime) []lazy.Value
	}{
		{"scalar", "1 decides what is computed, and stays part of the program",
			one("cumsum", of(dtype.F32, 2, 2), 0), one("cumsum", of(dtype.F32, 2, 2), 1)},
		{"shape", "pad or bucket: f32[2] and f32[3] are two programs", one("neg", x), one("neg", of(dtype.F32, 3))},
		{"dtype", "convert before the loop: f32[2] and f64[2] are two programs", one("neg", x), one("neg", of(dtype.F64, 2))},
		{"constant", "freeze a weight before the first use", one("neg", x), one("neg", frozen)},
		{"dynamic", "give an input the same dynamic dimensions and buckets in every step",
			one("neg", buckets(1)), one("neg", buckets(1, 1))}, // which are too small, so that both are exact
		{"results", "ask for the same values in every step, or Sync the step's values before reading one", second, both},
		{"extra call", "put a Sync at the end of every step, so that each has the same calls", one("neg", x), second},
		{"missing call", "put a Sync at the end of every step, so that each has the same calls", second, one("neg", x)},
		{"operator", "", second, third},
	} {
		r := newIdle()
		for _, f := range []func(*lazy.Runtime) []lazy.Value{c.was, c.now} {
			require.NoError(t, lazy.Sync(context.Background(), f(r)...), c.kind)
		}
		list := r.WhyRecompiled()
		require.Len(t, list, 2, c.kind)
		require.NotNil(t, list[1].Difference, c.kind)
		require.Equal(t, c.kind, list[1].Difference.Kind)
		require.Equal(t, c.advice, list[1].Advice, c.kind)
	}
}
