package nn

import (
	"fmt"
	"strconv"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// Module is a layer or a model of one input and one output. A model is a struct whose
// exported fields are tensors, layers, and slices of them; functions such as
// [Parameters], [To] and [StateDict] find them there. They take models of several inputs,
// too, whose Forward is another.
type Module interface {
	Forward(x *tensor.Tensor) *tensor.Tensor
}

// Func is a function as a module without parameters.
type Func func(x *tensor.Tensor) *tensor.Tensor

// Forward calls the function.
func (f Func) Forward(x *tensor.Tensor) *tensor.Tensor {
	trace.Need("func", "the function", f)
	return f(x)
}

// String implements [fmt.Stringer].
func (f Func) String() string { return "Func" }

// applyOptions gives a layer that is being made to its options.
func applyOptions[L any, O ~func(L)](op string, layer L, options []O) {
	for _, o := range options {
		if o == nil {
			trace.Raise(&tensor.ArgError{Op: op, Detail: "an option is nil"})
		}
		o(layer)
	}
}

// maxLayers bounds the layers of a stack, so that a wrong number does not fill the memory.
const maxLayers = 1 << 14

func checkLayers(op string, n int) {
	if n < 1 || n > maxLayers {
		trace.Raise(&tensor.ArgError{Op: op, Detail: fmt.Sprintf("%d layers; there are 1 to %d", n, maxLayers)})
	}
}

// Flatten keeps the first dimension and joins the others.
var Flatten Module = named("Flatten()", func(x *tensor.Tensor) *tensor.Tensor {
	return x.Reshape([]int{x.Size(0), -1})
})

// Identity returns its input.
var Identity Module = named("Identity()", func(x *tensor.Tensor) *tensor.Tensor { return x })

// function is a module without parameters that has a name.
type function struct {
	hook
	name string
	f    func(x *tensor.Tensor) *tensor.Tensor
}

func named(name string, f func(x *tensor.Tensor) *tensor.Tensor) *function {
	return &function{name: name, f: f}
}

func (f *function) Forward(x *tensor.Tensor) *tensor.Tensor { return f.f(x) }

func (f *function) String() string { return f.name }

// Sequence runs modules one after the other.
type Sequence struct {
	hook
	modules []Module
}

// Sequential returns modules as a chain: each gets the output of the one before. A module that is nil panics with a
// [*tensor.ArgError].
func Sequential(modules ...Module) *Sequence {
	for i, m := range modules {
		if m == nil {
			trace.Raise(&tensor.ArgError{Op: "sequential", Detail: fmt.Sprintf("module %d is nil", i)})
		}
	}
	return &Sequence{modules: modules}
}

// Forward calls the modules one after the other.
func (s *Sequence) Forward(x *tensor.Tensor) *tensor.Tensor {
	for _, m := range s.modules {
		x = m.Forward(x)
	}
	return s.seen(x)
}

// Modules returns the modules in order.
func (s *Sequence) Modules() []Module { return s.modules }

// Parameters is [Parameters] of the sequence.
func (s *Sequence) Parameters() []*tensor.Tensor { return Parameters(s) }

// To is [To] of the sequence, which it returns.
func (s *Sequence) To(d device.Device) *Sequence {
	To(s, d)
	return s
}

// String is [Summary] of the sequence.
func (s *Sequence) String() string { return Summary(s) }

func (s *Sequence) members() []member {
	list := make([]member, len(s.modules))
	for i, m := range s.modules {
		list[i] = member{name: strconv.Itoa(i), module: m}
	}
	return list
}
