package main

import (
	"context"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// overheads are what surrounds kernels: tiny programs run (ovh_*) or recorded and
// run (ovh_*_build), recording alone, a cached barrier alone, and the account of
// the simulated array.
func overheads() []benchmark {
	one := func(build func(device.Device, tensors, function) work, f function) func(device.Device) work {
		return func(dev device.Device) work { return build(dev, vectors(2, 4), f) }
	}
	return []benchmark{
		{name: "ovh_add4", build: one(compiled, add)},
		{name: "ovh_add4_build", build: one(recorded, add)},
		{name: "ovh_chain100", build: one(compiled, chain100)},
		{name: "ovh_chain100_build", build: one(recorded, chain100)},
		{name: "ovh_record", operators: 100, build: recording},
		{name: "ovh_barrier", operators: 1000, build: barrier},
		{name: "ovh_simulate", build: simulation},
	}
}

func chain100(t tensors) *tensor.Tensor {
	x := t[0]
	for range 50 {
		x = x.Add(t[1]).Tanh()
	}
	return x
}

// adds is a chain of n additions.
func adds(t tensors, n int) *tensor.Tensor {
	x := t[0]
	for range n {
		x = x.Add(t[1])
	}
	return x
}

func recording(dev device.Device) work {
	t := onDevice(dev, vectors(2, 4))
	return work{step: func() { adds(t, 100) }}
}

func barrier(dev device.Device) work {
	t := onDevice(dev, vectors(2, 4))
	var x *tensor.Tensor
	return work{
		prepare: func() { x = adds(t, 1000) },
		step:    func() { check(tensor.Sync(context.Background(), x)) },
	}
}

// simulation is a product with and without the account of what the array did.
func simulation(dev device.Device) work {
	x := onDevice(dev, tensors{tensor.Randn(512, 512), tensor.Randn(512, 512)})
	product := func(t tensors) *tensor.Tensor { return t[0].MatMul(t[1]) }
	exe, err := lazy.Executable(context.Background(), product(x))
	check(err)
	run := compiled(dev, x, product).step
	return work{base: run, step: func() {
		run()
		if acap.ReportOf(exe) == nil {
			panic("no report")
		}
	}}
}
