package trace_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// recorder records calls on vectors of two elements.
type recorder struct {
	t    *testing.T
	leaf *trace.Node
}

func newRecorder(t *testing.T) *recorder {
	return &recorder{t, trace.Leaf(buf.From([]float32{1, 2}, 2))}
}

func (r *recorder) call(name string, args ...ops.Value) ops.Value {
	var list []ops.Arg
	for _, a := range args {
		list = append(list, ops.TensorArg(a))
	}
	n, err := trace.Record(ops.MustLookup(name), list...)
	require.NoError(r.t, err)
	return n
}

// compute stands for the run of a program.
func compute(g *trace.Graph) {
	for _, e := range g.Roots {
		var data []*buf.Buffer
		for range e.Node.Types() {
			data = append(data, buf.From([]float32{0, 0}, 2))
		}
		e.Node.SetData(data)
	}
	g.Done()
}

// runPieces computes a value in pieces, checks that each needs no more than most calls, and returns the
// number of distinct programs and of calls.
func runPieces(t *testing.T, root ops.Value, most int) (programs map[ops.Hash]int, calls int) {
	programs = map[ops.Hash]int{}
	g := trace.Collect([]ops.Value{root})
	for _, values := range append(g.Pieces(most), []ops.Value{root}) {
		require.NotEmpty(t, values)
		piece := trace.Collect(values)
		require.LessOrEqual(t, len(piece.Nodes), most)
		require.NotEmpty(t, piece.Nodes)
		programs[piece.Key]++
		calls += len(piece.Nodes)
		compute(piece)
	}
	require.False(t, edge(root).Pending())
	return programs, calls
}

func edge(v ops.Value) *trace.Node {
	n, _ := trace.Of(v)
	return n
}

// The turns of a loop are one program, wherever it begins, however long a turn is, and whatever is
// before and after.
func TestPiecesOfLoops(t *testing.T) {
	for _, turn := range []int{1, 2, 7, 100, 300, 700} {
		t.Run(fmt.Sprint(turn), func(t *testing.T) {
			r := newRecorder(t)
			names := []string{"tanh", "exp", "neg", "sigmoid", "cos"}
			random := rand.New(rand.NewPCG(uint64(turn), 1))
			body := make([]string, turn)
			for i := range body {
				body[i] = names[random.IntN(len(names))]
			}
			var x ops.Value = r.leaf
			calls := 0
			one := func(name string, args ...ops.Value) {
				x = r.call(name, append([]ops.Value{x}, args...)...)
				calls++
			}
			for i := range 37 {
				one(names[i*i%5])
			}
			early := x
			turns := 20_000 / turn
			for range turns {
				for _, name := range body {
					one(name)
				}
				one("add.Tensor", early)
			}
			for i := range 53 {
				one(names[i*i%3])
			}
			const most = 512
			programs, ran := runPieces(t, x, most)
			require.Equal(t, calls, ran, "every call runs once")
			most4 := 4 + (turn+1)/most*2 // before, turns, and what is left of them and after
			require.LessOrEqual(t, len(programs), most4)
		})
	}
}

// Loops within loops repeat as the outer one does.
func TestPiecesOfNestedLoops(t *testing.T) {
	r := newRecorder(t)
	var x ops.Value = r.leaf
	for range 100 {
		x = r.call("cos", x)
		for range 12 {
			for _, name := range []string{"tanh", "exp", "neg", "sigmoid", "sin"} {
				x = r.call(name, x)
			}
		}
		x = r.call("relu", r.call("abs", x))
	}
	programs, _ := runPieces(t, x, 512)
	require.LessOrEqual(t, len(programs), 5)
}

// What does not repeat itself is divided, too, and every call runs once.
func TestPiecesOfRandomTraces(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 2))
		r := newRecorder(t)
		values := []ops.Value{r.leaf}
		for range 3000 {
			last := values[len(values)-1]
			other := values[max(0, len(values)-1-random.IntN(30))]
			name := []string{"add.Tensor", "mul.Tensor", "maximum"}[random.IntN(3)]
			values = append(values, r.call(name, last, other))
		}
		_, calls := runPieces(t, values[len(values)-1], 100+random.IntN(1000))
		require.Equal(t, 3000, calls)
	}
}

// A piece ends where little crosses: a loop whose state is small in one place is cut there.
func TestPiecesEndWhereLittleCrosses(t *testing.T) {
	r := newRecorder(t)
	wide := trace.Leaf(buf.From(make([]float32, 64*2), 64, 2))
	var x ops.Value = r.leaf
	for range 400 {
		x = r.call("tanh", r.call("exp", r.call("add.Tensor", x, wide)))
		n, err := trace.Record(ops.MustLookup("mean.dim"), ops.TensorArg(x), ops.IntsArg([]int{0}), ops.BoolArg(false))
		require.NoError(t, err)
		x = n
	}
	for _, values := range trace.Collect([]ops.Value{x}).Pieces(500) {
		require.Len(t, values, 1)
		require.Equal(t, []int{2}, values[0].Type().Shape)
	}
}
