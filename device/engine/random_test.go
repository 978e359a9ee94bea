package engine

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/engine/enginetest"
	"github.com/go-acap/acap/ops"
)

// grower draws random functions. Values stay small, so that rounding does too.
type grower struct {
	*net
	values []val
}

func (g *grower) pick() val { return g.values[g.r.IntN(len(g.values))] }

// of returns a value of a shape: one that is there, or a new input.
func (g *grower) of(dims []int) val {
	for range 6 {
		if v := g.pick(); shape.Equal(v.Shape(), dims) {
			return v
		}
	}
	return g.input(dims...)
}

func (g *grower) step() val {
	x := g.pick()
	dims := x.Shape()
	rank := len(dims)
	switch g.r.IntN(12) {
	case 0:
		return g.math([]string{"tanh", "erf", "sin"}[g.r.IntN(3)], x)
	case 1:
		return g.relu(g.sub(x, g.of(dims)))
	case 2:
		return g.mul(x, g.of(dims))
	case 3: // broadcast
		small := append([]int(nil), dims...)
		for d := range small {
			if g.r.IntN(2) == 0 {
				small[d] = 1
			}
		}
		return g.add(x, g.of(small[g.r.IntN(rank+1):]))
	case 4:
		if rank > 0 {
			return g.scale(g.sum(x, g.r.IntN(rank)), 0.2)
		}
	case 5:
		if rank > 0 {
			return g.max(x, g.r.IntN(rank))
		}
	case 6:
		return g.Reshape(x, enginetest.Split(g.r, shape.Size(dims)))
	case 7:
		return g.Permute(x, g.r.Perm(rank))
	case 8: // slice
		offsets, sizes, steps := make([]int, rank), make([]int, rank), make([]int, rank)
		for d, n := range dims {
			offsets[d] = g.r.IntN(n)
			steps[d] = 1 + g.r.IntN(2)
			sizes[d] = 1 + g.r.IntN((n-1-offsets[d])/steps[d]+1)
		}
		return g.Slice(x, offsets, sizes, steps)
	case 9: // product
		if rank >= 2 {
			k := dims[rank-1]
			flat := g.Reshape(x, []int{shape.Size(dims) / k, k})
			w := g.Permute(g.of([]int{5, k}), []int{1, 0})
			return g.math("tanh", g.Contract(flat, w, dtype.F32))
		}
	case 10:
		if rank > 0 {
			return g.softmax(x)
		}
	case 11:
		if rank > 0 {
			d := g.r.IntN(rank)
			out := append([]int(nil), dims...)
			out[d] *= 2
			y := g.Concat([]val{x, g.of(dims)}, d, ops.TensorType{DType: dtype.F32, Shape: out})
			low := make([]int, rank)
			low[g.r.IntN(rank)] = 1
			return g.Pad(y, low, make([]int, rank), 0.5)
		}
	}
	return g.shift(x, 0.25)
}

// TestRandom compares random functions with their reference, fused and unfused.
func TestRandom(t *testing.T) {
	count := 300
	if testing.Short() {
		count = 60
	}
	for seed := range count {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			g := &grower{net: newNet()}
			g.r = rand.New(rand.NewPCG(uint64(seed), 7))
			for range 1 + g.r.IntN(3) {
				g.values = append(g.values, g.input(enginetest.Split(g.r, []int{6, 12, 24, 30}[g.r.IntN(4)])...))
			}
			for range 2 + g.r.IntN(14) {
				if v := g.step(); shape.Size(v.Shape()) < 2000 {
					g.values = append(g.values, v)
				}
			}
			results := []val{g.values[len(g.values)-1]}
			for range g.r.IntN(3) {
				results = append(results, g.pick())
			}
			compare(t, g.done(results...), g.inputs)
		})
	}
}
