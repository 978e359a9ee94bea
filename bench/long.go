package main

import (
	"context"
	"fmt"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// traces are long traces that no program has been compiled for (trace_*): recording, compiling and
// running the steps of a loop without a barrier, per call. Those of trace_cached_* have their programs.
func traces() []benchmark {
	var list []benchmark
	for power := 4; power <= 6; power++ {
		calls := 1
		for range power {
			calls *= 10
		}
		list = append(list,
			benchmark{name: fmt.Sprintf("trace_1e%d", power), operators: calls, once: true, build: unbroken(calls, true)},
			benchmark{name: fmt.Sprintf("trace_cached_1e%d", power), operators: calls, once: true, build: unbroken(calls, false)})
	}
	return list
}

func unbroken(calls int, cold bool) func(device.Device) work {
	return func(dev device.Device) work {
		r := lazy.For(dev)
		r.MaxPending(0, 0) // the barrier is the only one
		t := onDevice(dev, tensors{tensor.Randn(16, 16), tensor.Randn(16, 16), tensor.Randn(16)})
		return work{
			prepare: func() {
				if cold {
					r.Clear()
				}
			},
			step: func() { check(tensor.Sync(context.Background(), steps(t, calls))) },
		}
	}
}

// steps is a loop of ten calls a turn.
func steps(t tensors, calls int) *tensor.Tensor {
	x, w, b := t[0], t[1], t[2]
	for range calls / 10 {
		h := x.MatMul(w).Add(b).Sigmoid()
		h = h.Mul(x).Add(h).Tanh()
		x = x.Sub(h.MulScalar(0.1)).Sin().Add(b)
	}
	return x
}
