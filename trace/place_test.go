package trace

import (
	"path/filepath"
	"reflect"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// TestHere: calls count for who called Here, the outermost, and for their own line after it.
func TestHere(t *testing.T) {
	x := leaf(2)
	line := func(n *Node) int { _, l := n.Caller(); return l }
	var a, b *Node
	_, _, at, _ := runtime.Caller(0)
	Here(func() { // the line after
		a = record(t, "relu", x)
		Here(func() { b = record(t, "relu", x) })
	})
	require.Equal(t, []int{at + 1, at + 1}, []int{line(a), line(b)})
	own, err := Record(ops.MustLookup("relu"), ops.TensorArg(x))
	require.NoError(t, err)
	require.Equal(t, at+6, line(own))
	require.Empty(t, modes.of)
}

// TestScopes: a scope has the name and place of its calls, and one that is entered again is the same place.
func TestScopes(t *testing.T) {
	x := leaf(2)
	SetLocation(mlir.Location{File: "none.py", Line: 1}) // outside of scopes it does nothing
	require.Equal(t, "trace_test.go", record(t, "relu", x).Location().File)
	places := []mlir.Location{{}, {File: "a.py", Line: 1}, {File: "b.py", Line: 1}, {File: "a.py", Line: 2}, {File: "a.py", Line: 1, Col: 1},
		{File: "a.py", Line: 1, Name: "f"}, {File: "a.py", Line: 1, Callers: []mlir.Location{{File: "c.py", Line: 9}}},
		{File: "a.py", Line: 1, Callers: []mlir.Location{{File: "c.py", Line: 8}}}, {Fused: []mlir.Location{{File: "c.py", Line: 9}}}}
	hashes := map[ops.Hash]int{}
	for range 2 {
		for i, p := range places {
			for _, name := range []string{"net", "net/layer", ""} {
				Within(name, func() {
					Within("inner", func() {
						SetLocation(p)
						n := record(t, "relu", x)
						hashes[n.site.place.scope.hash]++
						want := p
						if p.IsUnknown() {
							want = n.Location()
							require.Equal(t, "trace_test.go", want.File)
							require.Equal(t, n.site.place.scope.String(), want.Name)
						}
						require.Equal(t, want, n.Location(), i)
						if name == "" {
							require.Equal(t, "inner", n.site.place.scope.String())
						} else {
							require.Equal(t, name+"/inner", n.site.place.scope.String())
						}
					})
				})
			}
		}
	}
	require.Len(t, hashes, 3*len(places))
	for _, n := range hashes {
		require.Equal(t, 2, n)
	}
}

// TestInternal: frames of the packages that record for others are not the user's, except frames of tests and of
// packages whose names begin alike.
func TestInternal(t *testing.T) {
	const ours = "github.com/go-acap/acap/"
	for f, want := range map[string]bool{
		"": true, "runtime.main": true, "main.main": false, ours + "tensor.Add": true, ours + "tensor/nn.(*Linear).Forward": true,
		ours + "tensor/optim.x": true, ours + "tensor/data.x": true, ours + "tensor/train.x": true, ours + "tensor/distributed.x": true,
		ours + "device.x": true, ours + "device/acap.x": true, ours + "lazy.x": true, ours + "ops.x": true, ours + "trace.x": true,
		ours + "tensorial.x": false, ours + "tensor/other.x": false, "example.com/tensor.x": false, ours + "cmd/acap.main": false,
	} {
		require.Equal(t, want, Internal(runtime.Frame{Function: f, File: "a.go"}), f)
		require.Equal(t, want && (f == "" || f == "runtime.main"), Internal(runtime.Frame{Function: f, File: "a_test.go"}), f)
	}
}

// TestDepths: a call is one deeper than the deepest of its operands, and data has no depth.
func TestDepths(t *testing.T) {
	x := leaf(2)
	a := record(t, "relu", x)
	b := record(t, "relu", a)
	c := record(t, "add.Tensor", b, x)
	d := record(t, "add.Tensor", a, c)
	require.Equal(t, []int{0, 1, 2, 3, 4}, []int{x.Depth(), a.Depth(), b.Depth(), c.Depth(), d.Depth()})
	b.SetData([]*buf.Buffer{buf.New(dtype.F32, []int{2})})
	require.Equal(t, 4, d.Depth(), "until somebody looks")
	g := Collect([]ops.Value{d})
	require.EqualValues(t, 16, g.Bytes(), "of x and b")
	require.Equal(t, 3, g.Waiting())
	g.Deepen()
	require.Equal(t, []int{0, 0, 1, 1, 2}, []int{x.Depth(), b.Depth(), a.Depth(), c.Depth(), d.Depth()})
}

// TestSizes: the memory of a call is the memory of all its results.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		n    *Node
		want int64
	}{
		{record(t, "relu", leaf(3, 5)), 60}, {apply(t, "_to_copy", leaf(3, 5), dtype.F64), 120}, {apply(t, "_to_copy", leaf(3, 5), dtype.Bool), 15},
		{apply(t, "sort", leaf(7)), 7 * (4 + 8)}, {record(t, "relu", leaf(0, 5)), 0}, {apply(t, "sum", leaf(9)), 4},
	} {
		require.Equal(t, c.want, c.n.Bytes())
	}
}

// TestSameWithNumbersThatVary: calls that differ in a number that varies are the same.
func TestSameWithNumbersThatVary(t *testing.T) {
	defer ForgetNumbers()
	x := leaf(4)
	of := func(by float64, last string) *Sketch {
		y := apply(t, "mul.Scalar", record(t, "neg", x), by) // one line
		return sketch(record(t, last, y))
	}
	a, b := of(2, "cos"), of(3, "exp")
	require.Equal(t, 1, a.Same(b))
	require.Equal(t, "scalar", a.Differ(b).Kind)
	varied := of(2, "cos").Varied(of(3, "cos"))
	require.Len(t, varied, 1)
	require.False(t, varied[0].Refused())
	require.True(t, varied[0].Open())
	require.Equal(t, 2, a.Same(b))
	require.Equal(t, "operator", a.Differ(b).Kind)
	require.Empty(t, of(2, "cos").Varied(of(3, "cos")))
	require.Nil(t, of(2, "cos").Differ(of(3, "cos")))
	require.Empty(t, of(2, "cos").Varied(of(3, "exp")), "there is another difference")

	elsewhere, err := Record(ops.MustLookup("mul.Scalar"), ops.TensorArg(x), ops.FloatArg(5))
	require.NoError(t, err)
	require.Empty(t, Collect([]ops.Value{elsewhere}).Numbers, "another line")
	require.EqualValues(t, 1, lines.varying.Load())
	ForgetNumbers()
	require.Zero(t, lines.varying.Load())
	for i := range lines.kinds {
		require.False(t, lines.kinds[i].Load())
	}
	require.Equal(t, 1, a.Same(b))
	varied = of(2, "cos").Varied(of(3, "cos"))
	varied[0].Refuse()
	require.True(t, varied[0].Refused())
	require.False(t, varied[0].Open(), "refused for good")
	require.Zero(t, lines.varying.Load())
}

// TestComputed: what a call computed at once has data, and gradients flow through it to its operands if one is wanted.
func TestComputed(t *testing.T) {
	for _, grad := range []bool{false, true} {
		x := leaf(3)
		if grad {
			x = Parameter(buf.New(dtype.F32, []int{3}), nil)
		}
		call := &ops.Call{Op: ops.MustLookup("neg"), Args: []ops.Arg{ops.TensorArg(x)}}
		n := Computed(call, []*buf.Buffer{buf.From([]float32{1, 2, 3}, 3)})
		require.False(t, n.Pending())
		require.Equal(t, grad, n.NeedsGrad())
		require.Equal(t, []int{3}, n.Type().Shape)
		if grad {
			require.Equal(t, []Edge{{x, 0}}, n.sources())
			require.Equal(t, []*Node{x}, Parameters([]ops.Value{n}))
		} else {
			require.Empty(t, n.Call().Args, "it keeps nothing")
		}
		NoGrad(func() {
			require.False(t, Computed(call, []*buf.Buffer{buf.New(dtype.F32, []int{3})}).NeedsGrad())
		})
		detached := Computed(&ops.Call{Op: ops.MustLookup("nonzero"), Args: []ops.Arg{ops.TensorArg(x)}}, []*buf.Buffer{buf.New(dtype.I64, []int{2, 1})})
		require.False(t, detached.NeedsGrad())
	}
}

// TestLineOfUser: a call is recorded at the innermost line of the user, the same place whether its address is
// remembered or searched for.
func TestLineOfUser(t *testing.T) {
	x := []ops.Arg{ops.TensorArg(leaf(2))}
	relu := ops.MustLookup("relu")
	own := func() *Node {
		n, err := Record(relu, x...)
		require.NoError(t, err)
		return n
	}
	reflected := func() *Node { // reflect stands between
		return reflect.ValueOf(Record).CallSlice([]reflect.Value{reflect.ValueOf(relu), reflect.ValueOf(x)})[0].Interface().(*Node)
	}
	places := map[place]int{}
	_, _, at, _ := runtime.Caller(0)
	for range 3 {
		for i, f := range []func() *Node{own, reflected} {
			first := f()
			file, line := first.Caller()
			require.Equal(t, "place_test.go", filepath.Base(file))
			require.Equal(t, []int{at - 8, at - 3}[i], line)
			for j := range mostKnown { // all forgotten, or taken by others
				atomic.StoreUint64(&userPCs[j], uint64(i))
			}
			require.Same(t, first.site, f().site)
			for j := range mostKnown {
				atomic.StoreUint32(&betweenPCs[j], uint32(i))
			}
			require.Same(t, first.site, f().site)
			for j, user := range userPCs {
				require.True(t, user <= 1 || uint32(user) != betweenPCs[j], "an address is in one list")
			}
			places[first.site.place]++
		}
	}
	require.Len(t, places, 2)
}

// TestInnerLineOfUser: an inner line of the user's counts, also where the outer one was met before. Behind more frames
// than are looked at no line is known, and no frame is taken for the user's that others come by.
func TestInnerLineOfUser(t *testing.T) {
	relu, x := ops.MustLookup("relu"), []ops.Arg{ops.TensorArg(leaf(2))}
	line := func(call func([]reflect.Value) []reflect.Value, levels int) int {
		args := []reflect.Value{reflect.ValueOf(relu), reflect.ValueOf(x)}
		for range levels {
			call, args = reflect.ValueOf(call).Call, []reflect.Value{reflect.ValueOf(args)}
		}
		results := call(args)
		for range levels {
			results = results[0].Interface().([]reflect.Value)
		}
		_, line := results[0].Interface().(*Node).Caller()
		return line
	}
	_, _, at, _ := runtime.Caller(0)
	own := func([]reflect.Value) []reflect.Value {
		n, err := Record(relu, x...)
		return []reflect.Value{reflect.ValueOf(n), reflect.ValueOf(err)}
	}
	record := reflect.ValueOf(Record).CallSlice
	for range 2 {
		require.Equal(t, at-7, line(record, 0))
		require.Equal(t, at-7, line(record, 2))
		require.Equal(t, at+2, line(own, 0))
		require.Equal(t, at+2, line(own, 2))
		require.Equal(t, at-7, line(record, mostCalls/4))
		before := userPCs
		require.NotEqual(t, at-7, line(record, mostCalls))
		require.True(t, before == userPCs)
		require.Equal(t, at+2, line(own, mostCalls))
	}
}
