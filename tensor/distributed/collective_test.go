package distributed_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/distributed"
)

// on runs f as ranks that must all succeed.
func on(t *testing.T, ranks int, f func(g *distributed.Group) error) {
	t.Helper()
	require.NoError(t, distributed.Run(ranks, func(g *distributed.Group) error {
		g.Timeout = time.Minute
		return f(g)
	}))
}

// drawn are small integers, which all types hold exactly, that depend on a rank.
func drawn(rank int, d dtype.DType, dims ...int) *tensor.Tensor {
	r := rand.New(rand.NewPCG(uint64(rank), 7))
	list := make([]float64, max(1, product(dims)))[:product(dims)]
	for i := range list {
		list[i] = float64(r.IntN(3))
	}
	switch d {
	case dtype.C64:
		return tensor.FromSlice(complexes[complex64](list), dims...)
	case dtype.C128:
		return tensor.FromSlice(complexes[complex128](list), dims...)
	}
	return tensor.FromSlice(list, dims...).ToDtype(d)
}

func complexes[T complex64 | complex128](list []float64) []T {
	out := make([]T, len(list))
	for i, v := range list {
		out[i] = T(complex(v, 1-v))
	}
	return out
}

func product(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

var types = []dtype.DType{dtype.Bool, dtype.U8, dtype.I8, dtype.I16, dtype.I32, dtype.I64, dtype.F16, dtype.BF16,
	dtype.F32, dtype.F64, dtype.C64, dtype.C128}

// equal compares all elements.
func equal(a, b *tensor.Tensor) error {
	if a.DType() != b.DType() || fmt.Sprint(a.Shape()) != fmt.Sprint(b.Shape()) {
		return fmt.Errorf("%#v is not of the type of %#v", a, b)
	}
	same := false
	switch a, b := a.To(host.Device()), b.To(host.Device()); a.DType() {
	case dtype.C64:
		same = slices.Equal(tensor.Data[complex64](a), tensor.Data[complex64](b))
	case dtype.C128:
		same = slices.Equal(tensor.Data[complex128](a), tensor.Data[complex128](b))
	default:
		same = a.Eq(b).All().Item() == 1
	}
	if !same {
		return fmt.Errorf("%v is not %v", a, b)
	}
	return nil
}

// Each collective gives what joining and adding up the tensors of all ranks in one place gives.
func TestCollectives(t *testing.T) {
	sizes := []int{0, 1, 7, 1000}
	if longtest.On() {
		sizes = append(sizes, 60_000)
	}
	for _, d := range types {
		for _, n := range sizes {
			all := make([]*tensor.Tensor, 8)
			for i := range all {
				all[i] = drawn(i, d, n)
			}
			for ranks := 1; ranks <= len(all); ranks++ {
				moves(t, all[:ranks])
				for r := distributed.Sum; r <= distributed.Min; r++ {
					if (d == dtype.C64 || d == dtype.C128) && r >= distributed.Max {
						continue
					}
					reductions(t, all[:ranks], r)
				}
				t.Logf("%d %v on %d ranks", n, d, ranks)
			}
		}
	}
}

// part is as much of a tensor that what all ranks have is not larger than a large tensor.
func part(x *tensor.Tensor, ranks int) *tensor.Tensor {
	if n := x.NumElements(); n > 1e6 {
		return x.Narrow(0, 0, n/ranks).Clone()
	}
	return x
}

// moves compares the collectives that move numbers.
func moves(t *testing.T, all []*tensor.Tensor) {
	t.Helper()
	parts := make([]*tensor.Tensor, len(all))
	for i, x := range all {
		parts[i] = part(x, len(all))
	}
	root, joined := len(all)/2, tensor.Cat(parts)
	on(t, len(all), func(g *distributed.Group) error {
		if err := equal(g.Broadcast(all[g.Rank()], root), all[root]); err != nil {
			return fmt.Errorf("broadcast_from: %w", err)
		}
		if err := equal(g.AllGather(parts[g.Rank()]), joined); err != nil {
			return fmt.Errorf("all_gather: %w", err)
		}
		return nil
	})
}

// reductions compares the collectives that reduce numbers.
func reductions(t *testing.T, all []*tensor.Tensor, r distributed.Reduction) {
	t.Helper()
	sum, zeros, root := all[0], all[0].ZerosLike(), len(all)/2
	parts, sums := make([]*tensor.Tensor, len(all)), make([]*tensor.Tensor, len(all))
	for i, x := range all {
		if i > 0 {
			sum = reduced(sum, x, r)
		}
		parts[i] = part(x, len(all))
		sums[i] = parts[i]
		for range len(all) - 1 { // of as many equal ones
			sums[i] = reduced(sums[i], parts[i], r)
		}
	}
	joined := tensor.Cat(parts)
	on(t, len(all), func(g *distributed.Group) error {
		if err := equal(g.AllReduce(all[g.Rank()], r), sum); err != nil {
			return fmt.Errorf("all_reduce by %v: %w", r, err)
		}
		want := zeros
		if g.Rank() == root {
			want = sum
		}
		if err := equal(g.Reduce(all[g.Rank()], root, r), want); err != nil {
			return fmt.Errorf("reduce_to by %v: %w", r, err)
		}
		if err := equal(g.ReduceScatter(joined, r), sums[g.Rank()]); err != nil {
			return fmt.Errorf("reduce_scatter by %v: %w", r, err)
		}
		return nil
	})
}

func reduced(a, b *tensor.Tensor, r distributed.Reduction) *tensor.Tensor {
	d := a.DType()
	switch {
	case d == dtype.Bool && (r == distributed.Sum || r == distributed.Max):
		return a.LogicalOr(b)
	case d == dtype.Bool:
		return a.LogicalAnd(b)
	case r == distributed.Sum:
		return a.Add(b)
	case r == distributed.Product:
		return a.Mul(b)
	case r == distributed.Max:
		return a.Maximum(b)
	}
	return a.Minimum(b)
}

// The sum over ranks is a tree of ranks, so that it does not depend on who comes first.
func TestSumsAreInOrder(t *testing.T) {
	numbers := []float32{1e8, 3, -1e8, 5, 0.1}
	for ranks := 1; ranks <= 5; ranks++ {
		want := append([]float32(nil), numbers[:ranks]...)
		for step := 1; step < ranks; step *= 2 {
			for i := 0; i+step < ranks; i += 2 * step {
				want[i] += want[i+step]
			}
		}
		on(t, ranks, func(g *distributed.Group) error {
			for range 20 {
				time.Sleep(time.Duration(rand.IntN(300)) * time.Microsecond)
				x := tensor.FromSlice([]float32{numbers[g.Rank()]})
				if got := g.AllReduce(x, distributed.Sum).Float32s()[0]; got != want[0] {
					return fmt.Errorf("%v, not %v", got, want[0])
				}
			}
			return nil
		})
	}
}

// Collectives are part of programs: of their text, and of what devices run.
func TestRecorded(t *testing.T) {
	for _, dev := range []device.Device{host.Device(), acap.Device()} {
		on(t, 3, func(g *distributed.Group) error {
			x := tensor.FromSlice([]float32{1, float32(g.Rank())}).To(dev)
			y := g.AllReduce(x.Mul(x), distributed.Sum).MulScalar(2)
			if dev != host.Device() {
				if text := lazy.GetMLIR(y); !assert.Contains(t, text, `"aten.all_reduce"(`) {
					return errors.New("no operator")
				}
			}
			return equal(y, tensor.FromSlice([]float32{6, 10}))
		})
	}
}

// Gradients of collectives are the gradients of the joined computation.
func TestGradients(t *testing.T) {
	on(t, 4, func(g *distributed.Group) error {
		rank := float32(g.Rank())
		w := tensor.FromSlice([]float32{rank + 1, 2}).RequiresGrad()
		grad := func(y *tensor.Tensor) []float32 {
			return tensor.Grad([]*tensor.Tensor{y.Mul(y).Sum()}, []*tensor.Tensor{w}, nil)[0].Float32s()
		}
		// L is the sum over ranks of Σ y²; each rank's y is S = Σ w, so that dL/dw = 4·2·S.
		assert.Equal(t, []float32{80, 64}, grad(g.AllReduce(w, distributed.Sum)))
		// Each number is in the result of each rank once: 4·2·w.
		assert.Equal(t, []float32{8 * (rank + 1), 16}, grad(g.AllGather(w)))
		// The first numbers are largest on rank 3; the second numbers are equal on all ranks.
		largest := grad(g.AllReduce(w, distributed.Max))
		assert.Equal(t, rank == 3, largest[0] == 32)
		assert.Equal(t, float32(16), largest[1])
		// Rank 1's numbers come back from all ranks.
		want := []float32{0, 0}
		if g.Rank() == 1 {
			want = []float32{16, 16}
		}
		assert.Equal(t, want, grad(g.Broadcast(w, 1)))
		// Each rank's part is four times its number.
		joined := g.AllGather(tensor.FromSlice([]float32{1, 1}).Mul(w).Narrow(0, 0, 1))
		assert.Equal(t, []float32{2 * 4 * 4 * (rank + 1), 0}, grad(g.ReduceScatter(joined, distributed.Sum)))
		return nil
	})
}

// A tensor sent takes its gradient from where it went.
func TestSendAndReceive(t *testing.T) {
	on(t, 2, func(g *distributed.Group) error {
		w := tensor.FromSlice([]float32{3, 5}).RequiresGrad()
		var loss *tensor.Tensor
		if g.Rank() == 0 {
			loss = g.Send(w, 1)
		} else {
			y := g.Receive(w.ZerosLike().RequiresGrad(), 0)
			loss = y.Mul(y).Sum()
			loss.Backward()
			if got := loss.Item(); got != 34.0 {
				return fmt.Errorf("%v of 9 and 25", got)
			}
			return nil
		}
		loss.Backward()
		return equal(w.Gradient(), tensor.FromSlice([]float32{6, 10}))
	})
}

// What ranks do differently is an error on all of them, before data move.
func TestDifferences(t *testing.T) {
	x := tensor.Ones(4)
	for want, f := range map[string]func(g *distributed.Group){
		"all_reduce of 5 f32":           func(g *distributed.Group) { g.AllReduce(tensor.Ones(4+g.Rank()), distributed.Sum).Float32s() },
		"all_reduce of 4 f32 by sum":    func(g *distributed.Group) { g.AllReduce(x, distributed.Reduction(2*g.Rank())).Float32s() },
		"broadcast of 4 f32 at rank":    func(g *distributed.Group) { g.Broadcast(x, g.Rank()).Float32s() },
		"has another program than rank": func(g *distributed.Group) { fail(g.Same(fmt.Sprint("program ", g.Rank()))) },
		"there is no rank 7 of 2":       func(g *distributed.Group) { g.Broadcast(x, 7).Float32s() },
		"is not another one of 2":       func(g *distributed.Group) { g.Send(x, g.Rank()).Float32s() },
		"has not answered for 50ms":     lonely(),
		"rank 1 failed: out of coffee":  func(g *distributed.Group) { failing(g) },
		"takes 4 of f32":                func(g *distributed.Group) { mismatched(g) },
	} {
		err := distributed.Run(2, func(g *distributed.Group) error {
			g.Timeout = time.Minute
			f(g)
			return nil
		})
		require.ErrorContains(t, err, want)
		var rank *distributed.RankError
		require.ErrorAs(t, err, &rank)
	}
}

func fail(err error) {
	if err != nil {
		panic(err)
	}
}

// lonely waits for a rank that does something else until then.
func lonely() func(g *distributed.Group) {
	alone := make(chan struct{})
	return func(g *distributed.Group) {
		g.Timeout = 50 * time.Millisecond
		if g.Rank() == 0 {
			defer close(alone)
			fail(g.Barrier())
		}
		<-alone
	}
}

func failing(g *distributed.Group) {
	if g.Rank() == 1 {
		panic(errors.New("out of coffee"))
	}
	fail(g.Barrier())
}

func mismatched(g *distributed.Group) {
	if g.Rank() == 0 {
		g.Send(tensor.Ones(3), 1).Float32s()
	} else {
		g.Receive(tensor.Ones(4), 0).Float32s()
	}
}
