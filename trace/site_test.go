package trace

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

func TestNodeFillsCacheLine(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) == 8 {
		require.EqualValues(t, 64, unsafe.Sizeof(Node{}))
	}
}

func recordArgs(t testing.TB, name string, args ...ops.Arg) *Node {
	n, err := Record(ops.MustLookup(name), args...)
	require.NoError(t, err)
	return n
}

func TestSitesAreShared(t *testing.T) {
	p := Parameter(buf.New(dtype.F32, []int{2, 3}), nil)
	variants := []func() *Node{
		func() *Node { return record(t, "relu", leaf(2, 3)) },
		func() *Node { // another line
			n, err := Record(ops.MustLookup("relu"), ops.TensorArg(p))
			require.NoError(t, err)
			return n
		},
		func() *Node { return record(t, "relu", leaf(3, 2)) },
		func() *Node { return record(t, "relu", Leaf(buf.New(dtype.F64, []int{2, 3}))) },
		func() *Node { return record(t, "add.Tensor", leaf(2, 3), leaf(2, 3)) },
		func() *Node { return record(t, "add.Tensor", leaf(2, 3), leaf(1, 3)) },
	}
	for _, list := range [][]int{{6}, {3, 2}, {2, 3}} {
		variants = append(variants, func() *Node {
			return recordArgs(t, "view", ops.TensorArg(leaf(6)), ops.IntsArg(list))
		})
	}
	for _, alpha := range []ops.Arg{ops.IntArg(1), ops.IntArg(2), ops.FloatArg(2)} {
		variants = append(variants, func() *Node {
			return recordArgs(t, "add.Tensor", ops.TensorArg(leaf(2)), ops.TensorArg(leaf(2)), alpha)
		})
	}
	seen := map[*site]bool{}
	for i, f := range variants {
		var first, second *Node
		for k := range 2 { // one line for both
			first, second = second, f()
			require.Equal(t, k == 1, seen[second.site], "variant %d, time %d", i, k)
			seen[second.site] = true
		}
		require.Equal(t, first.Types(), second.Types())
	}
}

// A scope is the same place when it is entered again.
func TestSitesOfScopes(t *testing.T) {
	seen := map[*site]int{}
	for range 2 {
		for _, name := range []string{"a", "b"} {
			var n *Node
			Within(name, func() { n = record(t, "relu", leaf(2)) })
			require.Equal(t, name, n.site.place.scope.String())
			seen[n.site]++
		}
	}
	require.Len(t, seen, 2)
}

// What a call was recorded with does not change with the caller's lists.
func TestRecordCopiesLists(t *testing.T) {
	dims := []int{2, 3}
	n := recordArgs(t, "view", ops.TensorArg(leaf(6)), ops.IntsArg(dims))
	dims[0], dims[1] = 3, 2
	require.Equal(t, []int{2, 3}, n.Type().Shape)
	require.Equal(t, []int{2, 3}, n.Call().Ints(1))
}

// The call of a node is the call that was recorded, with defaults: optional tensors, lists, and results other than the
// first.
func TestCallIsRestored(t *testing.T) {
	x, y := leaf(4, 4), leaf(4, 4)
	both := recordArgs(t, "sort", ops.TensorArg(x)).Results()
	cat := recordArgs(t, "cat", ops.TensorsArg([]ops.Value{both[0], y, x, y, x}), ops.IntArg(1))
	require.Equal(t, []ops.Value{both[0], y, x, y, x}, cat.Call().Tensors(0))
	require.Equal(t, 1, cat.Call().Int(1))
	gather := recordArgs(t, "gather", ops.TensorArg(x), ops.IntArg(0), ops.TensorArg(both[1]))
	require.Equal(t, x, gather.Call().Tensor(0))
	require.Equal(t, both[1], gather.Call().Tensor(2))
	clamp := recordArgs(t, "clamp.Tensor", ops.TensorArg(x), ops.Arg{}, ops.TensorArg(y))
	require.Nil(t, clamp.Call().Tensor(1))
	require.Equal(t, y, clamp.Call().Tensor(2))
	require.Equal(t, 1, recordArgs(t, "add.Tensor", ops.TensorArg(x), ops.TensorArg(y)).Call().Int(2))
}

func TestRecordAllocatesNode(t *testing.T) {
	x := ops.TensorArg(leaf(2))
	op := ops.MustLookup("where.self")
	cond := ops.TensorArg(Leaf(buf.New(dtype.Bool, []int{2})))
	require.EqualValues(t, 1, testing.AllocsPerRun(100, func() {
		if _, err := Record(op, cond, x, x); err != nil {
			t.Fatal(err)
		}
	}))
}

// Two calls that have a place in common are both kept, whichever comes last.
func TestSitesShareAPlace(t *testing.T) {
	a, b := ops.Hash{Lo: 7, Hi: 1000}, ops.Hash{Lo: 7 + uint64(len(sites)), Hi: 2000}
	defer func(before [3]*site) {
		for i, at := range []*atomic.Pointer[site]{first(a), second(a), second(b)} {
			at.Store(before[i])
		}
	}([3]*site{first(a).Load(), second(a).Load(), second(b).Load()})
	for range 3 {
		for _, key := range []ops.Hash{a, b} {
			if known(key) == nil {
				(&site{}).keep(key, place{})
			}
		}
	}
	of := [2]*site{known(a), known(b)}
	require.NotContains(t, of, (*site)(nil))
	require.Equal(t, of, [2]*site{known(a), known(b)})
	(&site{}).keep(a, place{}) // another goroutine was as far
	require.Equal(t, of[1], known(b))
}

// Looking up who called takes memory once, also where what is known of addresses was driven out.
func TestCallersAllocateOnce(t *testing.T) {
	x := ops.TensorArg(leaf(2))
	op := ops.MustLookup("relu")
	require.EqualValues(t, 1, testing.AllocsPerRun(20, func() {
		for i := range betweenPCs {
			atomic.StoreUint32(&betweenPCs[i], 0)
			atomic.StoreUint64(&userPCs[i], 0)
		}
		if _, err := Record(op, x); err != nil {
			t.Fatal(err)
		}
	}), "the node")
}

// Sites keep nothing of what they were recorded with.
func TestSitesKeepNoNodes(t *testing.T) {
	var gone atomic.Bool
	func() {
		x := leaf(3, 1, 4)
		runtime.AddCleanup(x, func(struct{}) { gone.Store(true) }, struct{}{})
		record(t, "relu", x)
	}()
	require.Eventually(t, func() bool { runtime.GC(); return gone.Load() }, time.Minute, time.Millisecond)
}

func BenchmarkRecordNew(b *testing.B) {
	x := ops.TensorArg(leaf(64, 64))
	op := ops.MustLookup("add.Scalar")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := Record(op, x, ops.IntArg(i)); err != nil {
			b.Fatal(err)
		}
	}
}

// A notebook's cells have no frames: no line is better than one of the interpreter.
func TestUserFrame(t *testing.T) {
	frames := func(functions ...string) func() (runtime.Frame, bool) {
		i := -1
		return func() (runtime.Frame, bool) {
			i++
			return runtime.Frame{PC: 1, Function: functions[i], File: functions[i] + ".go", Line: i}, i+1 < len(functions)
		}
	}
	const ours = "github.com/go-acap/acap/"
	for want, list := range map[string][]string{
		"main.main":           {ours + "trace.Record", ours + "tensor.(*Tensor).Add", "main.main", "runtime.main"},
		"":                    {ours + "tensor.(*Tensor).Add", "reflect.Value.call", "reflect.Value.Call", interpreter + "fast.call", "main.cell"},
		"main.byReflection":   {ours + "tensor.(*Tensor).Add", "reflect.Value.Call", "main.byReflection", "main.main"},
		ours + "nn.Something": {ours + "tensor.(*Tensor).Add", ours + "nn.Something"},
		ours + "tensor.init":  {ours + "tensor.(*Tensor).Add", ours + "tensor.init"},
	} {
		require.Equal(t, want, User(frames(list...)).Function)
	}
}
