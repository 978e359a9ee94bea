package nn

import (
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/tensor"
)

// Module is a layer or a model of one input and one output.
type Module interface {
	// Forward computes the output.
	Forward(x *tensor.Tensor) *tensor.Tensor
	// Parameters returns what training changes, in a fixed order.
	Parameters() []*tensor.Tensor
	// To moves the parameters to a device and returns the module.
	To(d device.Device) Module
}

// Func is a function as a module without parameters.
type Func func(x *tensor.Tensor) *tensor.Tensor

// Forward implements [Module].
func (f Func) Forward(x *tensor.Tensor) *tensor.Tensor { return f(x) }

// Parameters implements [Module].
func (f Func) Parameters() []*tensor.Tensor { return nil }

// To implements [Module].
func (f Func) To(device.Device) Module { return f }

// ReLU is max(x, 0).
var ReLU Module = Func(func(x *tensor.Tensor) *tensor.Tensor { return x.ReLU() })

// Flatten keeps the first dimension and joins the others.
var Flatten Module = Func(func(x *tensor.Tensor) *tensor.Tensor {
	return x.View([]int{x.Size(0), -1})
})

// MaxPool2d is the maximum over square windows.
func MaxPool2d(size, stride, padding int) Module {
	return Func(func(x *tensor.Tensor) *tensor.Tensor {
		return x.MaxPool2d([]int{size, size}, tensor.With("stride", []int{stride, stride}),
			tensor.With("padding", []int{padding, padding}))
	})
}

// sequential runs modules one after the other.
type sequential []Module

// Sequential chains modules.
func Sequential(modules ...Module) Module { return sequential(modules) }

func (s sequential) Forward(x *tensor.Tensor) *tensor.Tensor {
	for _, m := range s {
		x = m.Forward(x)
	}
	return x
}

func (s sequential) Parameters() []*tensor.Tensor {
	var all []*tensor.Tensor
	for _, m := range s {
		all = append(all, m.Parameters()...)
	}
	return all
}

func (s sequential) To(d device.Device) Module {
	for i, m := range s {
		s[i] = m.To(d)
	}
	return s
}

// move replaces tensors by their copies on a device.
func move(d device.Device, tensors ...**tensor.Tensor) {
	for _, t := range tensors {
		if *t == nil {
			continue
		}
		grad := (*t).NeedsGrad()
		*t = (*t).To(d)
		if grad {
			(*t).RequiresGrad()
		} else {
			(*t).Freeze()
		}
	}
}

// present drops absent parameters.
func present(list ...*tensor.Tensor) []*tensor.Tensor {
	var out []*tensor.Tensor
	for _, t := range list {
		if t != nil {
			out = append(out, t)
		}
	}
	return out
}
