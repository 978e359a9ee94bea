package trace

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

func leaf(dims ...int) *Node { return Leaf(buf.New(dtype.F32, dims)) }

func record(t testing.TB, name string, args ...ops.Value) *Node {
	list := make([]ops.Arg, len(args))
	for i, a := range args {
		list[i] = ops.TensorArg(a)
	}
	n, err := Record(ops.MustLookup(name), list...)
	require.NoError(t, err)
	return n
}

func key(roots ...ops.Value) ops.Hash { return Collect(roots).Key }

func TestKeyIsStructural(t *testing.T) {
	a, b := leaf(2, 3), leaf(2, 3)
	sum := func(x, y ops.Value) *Node { return record(t, "add.Tensor", x, y) }
	require.Equal(t, key(sum(a, b)), key(sum(leaf(2, 3), leaf(2, 3))), "other data, same program")
	require.NotEqual(t, key(sum(a, b)), key(sum(a, a)), "a shared leaf is another program")
	require.NotEqual(t, key(sum(a, b)), key(record(t, "mul.Tensor", a, b)), "operator")
	require.NotEqual(t, key(sum(a, b)), key(sum(leaf(3), leaf(3))), "shape")

	c := leaf(2, 3)
	left := sum(sum(a, b), c)
	right := sum(a, sum(b, c))
	require.NotEqual(t, key(left), key(right), "connections")
	shared := sum(a, b)
	require.NotEqual(t, key(sum(shared, shared)), key(sum(sum(a, b), sum(a, b))), "sharing")
	require.NotEqual(t, key(left), key(left, shared), "roots")
}

func TestKeyHasAttributes(t *testing.T) {
	a, b := leaf(4), leaf(4)
	withAlpha := func(v int) ops.Hash {
		n, err := Record(ops.MustLookup("add.Tensor"), ops.TensorArg(a), ops.TensorArg(b), ops.IntArg(v))
		require.NoError(t, err)
		return key(n)
	}
	require.Equal(t, withAlpha(2), withAlpha(2))
	require.NotEqual(t, withAlpha(2), withAlpha(3))
}

func TestCollectIsIterative(t *testing.T) {
	const depth = 300_000
	var v ops.Value = leaf(1)
	one := leaf(1)
	op := ops.MustLookup("add.Tensor")
	for range depth {
		n, err := Record(op, ops.TensorArg(v), ops.TensorArg(one))
		require.NoError(t, err)
		v = n
	}
	g := Collect([]ops.Value{v})
	require.Len(t, g.Nodes, depth)
	require.Len(t, g.Leaves, 2)
}

func TestComputedNodesAreLeaves(t *testing.T) {
	a := leaf(2)
	x := record(t, "relu", a)
	y := record(t, "relu", x)
	require.Len(t, Collect([]ops.Value{y}).Nodes, 2)
	before := Collect([]ops.Value{x})
	x.SetData([]*buf.Buffer{buf.New(dtype.F32, []int{2})})
	g := Collect([]ops.Value{y})
	require.Len(t, g.Nodes, 1)
	require.Equal(t, []Edge{{x, 0}}, g.Leaves)
	before.Done()
	require.Empty(t, x.Call().Args)
}

// A node is awaited until the calls that take it have run, each once.
func TestAwaited(t *testing.T) {
	a := leaf(2)
	require.False(t, a.Awaited())
	x := record(t, "relu", a)
	y := record(t, "mul.Tensor", a, x)
	require.True(t, a.Awaited())
	for range 2 {
		Collect([]ops.Value{x}).Done()
		require.True(t, a.Awaited(), "y has not run")
	}
	Collect([]ops.Value{y}).Done()
	require.False(t, a.Awaited())
	require.False(t, x.Awaited())
	record(t, "relu", a)
	require.True(t, a.Awaited())
}

func TestKept(t *testing.T) {
	h := record(t, "relu", leaf(2))
	y := record(t, "relu", h)
	Collect([]ops.Value{y}).Done()
	z := record(t, "relu", h) // new work on a value that was computed and not kept
	require.Equal(t, []*Node{h}, Collect([]ops.Value{z}).Kept())
	require.Equal(t, []*Node{h}, Collect([]ops.Value{z, record(t, "mul.Tensor", h, h), record(t, "neg", h)}).Kept(), "once")
	require.Empty(t, Collect([]ops.Value{y}).Kept(), "no new work")
	require.Empty(t, Collect([]ops.Value{record(t, "neg", leaf(2))}).Kept())
	require.Empty(t, Collect([]ops.Value{z, h}).Kept(), "it is a root")
}

// TestKeptViews: of a view what it shows is kept, of a view of data nothing.
func TestKeptViews(t *testing.T) {
	view := func(n *Node) *Node {
		v, err := Record(ops.MustLookup("t"), ops.TensorArg(n))
		require.NoError(t, err)
		return v
	}
	x := leaf(2, 2)
	h := record(t, "relu", x)
	v, w := view(view(h)), view(x)
	Collect([]ops.Value{record(t, "mul.Tensor", v, w)}).Done()
	require.Equal(t, []*Node{h}, Collect([]ops.Value{record(t, "mul.Tensor", v, w)}).Kept())
	for _, c := range []struct {
		root  *Node
		calls int
	}{{h, 1}, {v, 1}, {w, 0}, {record(t, "neg", w), 0}} {
		roots, calls := Collect([]ops.Value{c.root}).Recomputed()
		require.Equal(t, c.calls, calls)
		require.Equal(t, c.calls > 0, len(roots) > 0)
	}
}

func TestCaller(t *testing.T) {
	n := record(t, "relu", leaf(2))
	file, line := n.Caller()
	require.Contains(t, file, "trace_test.go")
	require.Positive(t, line)
}

func BenchmarkRecord(b *testing.B) {
	x, y := leaf(64, 64), leaf(64, 64)
	op := ops.MustLookup("add.Tensor")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Record(op, ops.TensorArg(x), ops.TensorArg(y)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCollect(b *testing.B) {
	x, y := leaf(64), leaf(64)
	var v ops.Value = x
	const nodes = 1000
	for range nodes {
		v = record(b, "add.Tensor", v, y)
	}
	b.ReportAllocs()
	for b.Loop() {
		Collect([]ops.Value{v})
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/nodes, "ns/node")
}
