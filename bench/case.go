package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// benchmark is one case. A case counts operations or bytes, by what bounds it, or
// nothing if its time alone counts.
type benchmark struct {
	name  string
	flops float64 // operations in a run
	bytes float64 // compulsory traffic of a run
	// operators of a run; times and allocations are of one. 0 stands for 1.
	operators int
	// once: a step takes long, so that few of them are measured, and its memory counts.
	once bool
	// loops: the program has a loop whose turns the host runs, and the turns allocate.
	loops bool
	build func(dev device.Device) work
}

// work is what a case repeats.
type work struct {
	step func()
	// prepare runs before every step, without the clock; it may be nil.
	prepare func()
	// timed is a step that measures itself. It returns its seconds, and its bytes if the case counts bytes. close ends
	// the case. They may be nil.
	timed func() (seconds, bytes float64)
	close func()
	// base does the same as step without what the case measures; it may be nil. Then
	// steps and bases alternate, and the case reports by how much a step takes longer.
	base func()
}

type tensors = []*tensor.Tensor

// function is a computation on inputs that change between runs; weights are
// constants of the closure.
type function func(x tensors) *tensor.Tensor

var benchmarks = slices.Concat(matrices(), pointwise(), rows(), convolutions(), models(),
	recurrences(), training(), overheads(), traces(), randoms(), compiles(), colds())

func find(pattern string) ([]benchmark, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("-case: %w", err)
	}
	var out []benchmark
	for _, b := range benchmarks {
		if re.MatchString(b.name) {
			out = append(out, b)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no case matches %q", pattern)
	}
	return out, nil
}

// lookup finds a case by its name. A name with the suffix _fused, under which other
// runtimes have a program of their fused operators, is our same program.
func lookup(name string) (benchmark, error) {
	for _, b := range benchmarks {
		if b.name == strings.TrimSuffix(name, "_fused") {
			return b, nil
		}
	}
	return benchmark{}, fmt.Errorf("no case %q", name)
}

// compiled repeats the cached program of f into results that are reused, which is
// how the sessions of other runtimes are measured.
func compiled(dev device.Device, inputs tensors, f function) work {
	ctx := context.Background()
	y := f(onDevice(dev, inputs))
	exe, err := lazy.Executable(ctx, y)
	check(err)
	data := lazy.Inputs(y)
	results, err := exe.Run(ctx, data)
	check(err)
	return work{step: func() { check(exe.RunInto(ctx, data, results)) }}
}

// recorded repeats everything that a user waits for: recording f, finding its
// program in the cache, and running it into a new result.
func recorded(dev device.Device, inputs tensors, f function) work {
	inputs = onDevice(dev, inputs)
	return work{step: func() { check(tensor.Sync(context.Background(), f(inputs))) }}
}

func onDevice(dev device.Device, list tensors) tensors {
	out := make(tensors, len(list))
	for i, t := range list {
		out[i] = t.To(dev)
	}
	return out
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
