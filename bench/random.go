package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// randoms are long traces in which nothing repeats (random_*): recording, compiling and running calls
// that are drawn, per call. No two runs are alike, so that none finds anything of an earlier one.
func randoms() []benchmark {
	var list []benchmark
	for power := 4; power <= 6; power++ {
		calls := 1
		for range power {
			calls *= 10
		}
		list = append(list, benchmark{name: fmt.Sprintf("random_1e%d", power), operators: calls, once: true,
			build: drawn(calls)})
	}
	return list
}

func drawn(calls int) func(device.Device) work {
	return func(dev device.Device) work {
		r := lazy.For(dev)
		r.MaxPending(0, 0) // the barrier is the only one
		t := onDevice(dev, tensors{tensor.Randn(16, 16), tensor.Randn(16, 16), tensor.Randn(16, 8), tensor.Randn(8, 16)})
		draws := rand.New(rand.NewPCG(1, 2))
		return work{
			prepare: r.Clear,
			step:    func() { check(tensor.Sync(context.Background(), draw(draws, t, calls)...)) },
		}
	}
}

// draw returns what random calls make of t: pointwise, products and reductions. As many values are alive at a
// time as t has, of its shapes.
func draw(r *rand.Rand, t tensors, calls int) tensors {
	live := append(tensors{}, t...)
	pick := func() *tensor.Tensor { return live[r.IntN(len(live))] }
	like := func(x *tensor.Tensor) *tensor.Tensor {
		for {
			if y := pick(); y.Size(0) == x.Size(0) && y.Size(1) == x.Size(1) {
				return y
			}
		}
	}
	for done := 0; done < calls; done++ {
		i := r.IntN(len(live))
		x := live[i]
		rows, columns := x.Size(0), x.Size(1)
		switch k := r.IntN(16); k {
		case 0:
			x = x.Tanh()
		case 1:
			x = x.Sigmoid()
		case 2:
			x = x.ReLU()
		case 3:
			x = x.Neg()
		case 4:
			x = x.Abs()
		case 5:
			x = x.Sin()
		case 6, 7:
			x = x.Add(like(x))
		case 8:
			x = x.Sub(like(x))
		case 9:
			x = x.Mul(like(x))
		case 10:
			x = x.Maximum(like(x))
		case 11:
			x = x.MulScalar(float64(r.IntN(4)+1) / 8)
		case 12, 13: // a product, of a shape that is there already
			if y := pick(); y.Size(0) == columns && y.Size(1) == rows || y.Size(0) == columns && y.Size(1) == columns {
				x = x.MatMul(y).Tanh()
				done++
			}
		case 14:
			x = x.Sub(x.MeanDim([]int{1}, tensor.With("keepdim", true)))
			done++
		case 15:
			x = x.Softmax(1)
		}
		live[i] = x
	}
	return live
}
