package tosa

import (
	"cmp"
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// Checks of operations with windows in TOSA 1.0. A window goes whole steps: what would be left over at the end is an
// error, as is an output of another extent. Extents that are open are not checked.

// axisNames are the axes of windows of two and of three dimensions.
var axisNames = map[int][]string{2: {"height", "width"}, 3: {"depth", "height", "width"}}

// window is one axis of an operation with windows.
type window struct {
	name                             string
	in, kernel, stride, dilation     int
	before, after                    int // of padding
	out                              int
	paddingBelowKernel, transposedBy bool
}

// check compares the output with what the input gives.
func (w *window) check() error {
	switch {
	case w.stride < 1:
		return fmt.Errorf("the stride of the %s is %d, want at least 1", w.name, w.stride)
	case w.dilation < 1:
		return fmt.Errorf("the dilation of the %s is %d, want at least 1", w.name, w.dilation)
	case w.kernel == 0:
		return fmt.Errorf("the kernel has no %s", w.name)
	case !w.transposedBy && (w.before < 0 || w.after < 0):
		return fmt.Errorf("the padding of the %s is %d and %d, want no negative number", w.name, w.before, w.after)
	case w.in < 0 || w.kernel < 0:
		return nil
	case w.paddingBelowKernel && (w.before >= w.kernel || w.after >= w.kernel):
		return fmt.Errorf("the padding of the %s is %d and %d, want less than the kernel's %d", w.name, w.before, w.after, w.kernel)
	case w.transposedBy && (w.before <= -w.kernel || w.after <= -w.kernel):
		return fmt.Errorf("the padding of the %s is %d and %d, want more than -%d", w.name, w.before, w.after, w.kernel)
	}
	var want int
	if w.transposedBy {
		want = (w.in-1)*w.stride + w.before + w.after + w.kernel
	} else {
		free := w.in - 1 + w.before + w.after - (w.kernel-1)*w.dilation
		if free < 0 || free%w.stride != 0 {
			return fmt.Errorf("a kernel of %d with dilation %d leaves %d of the %s of %d with padding %d and %d, which is no whole number of strides of %d",
				w.kernel, w.dilation, free, w.name, w.in, w.before, w.after, w.stride)
		}
		want = free/w.stride + 1
	}
	if w.out >= 0 && w.out != want {
		return fmt.Errorf("the %s of the output is %d, want %d", w.name, w.out, want)
	}
	return nil
}

// windows are the axes of an operation whose kernel has the given extents; lists are the names of the attributes of
// strides, dilations and padding, empty for none.
func windows(op *mlir.Operation, kernel []int, stride, dilation, pad string, change func(*window)) error {
	in, out := extents(op.Operands[0]), extents(op.Results[0])
	rank := len(kernel)
	list := func(name string) []int {
		n, _ := mlir.IntList(op.Attrs.Get(name))
		return n
	}
	strides, dilations, padding := list(stride), list(dilation), list(pad)
	if len(strides) != rank || dilation != "" && len(dilations) != rank || len(padding) != 2*rank {
		return nil // which the form refuses
	}
	at := func(shape []int, i int) int {
		if shape == nil {
			return mlir.Dynamic
		}
		return shape[i+1]
	}
	for i, name := range axisNames[rank] {
		w := window{name: name, in: at(in, i), kernel: kernel[i], stride: strides[i], dilation: 1, before: padding[2*i], after: padding[2*i+1], out: at(out, i)}
		if dilation != "" {
			w.dilation = dilations[i]
		}
		change(&w)
		if err := w.check(); err != nil {
			return err
		}
	}
	return nil
}

// pooled checks a pool; zero points have the types of what they are subtracted from.
func pooled(op *mlir.Operation) error {
	kernel, _ := mlir.IntList(op.Attrs.Get("kernel"))
	if len(kernel) != 2 {
		return nil
	}
	if len(op.Operands) == 3 {
		if err := accumulated(op); err != nil {
			return err
		}
		if err := zeroFits(op.Operands[1], op.Operands[0]); err != nil {
			return err
		}
		if err := zeroFits(op.Operands[2], op.Results[0]); err != nil {
			return err
		}
	}
	if err := fits(op.Results[0], []int{first(extents(op.Operands[0])), mlir.Dynamic, mlir.Dynamic, last(extents(op.Operands[0]))}); err != nil {
		return err
	}
	for _, n := range kernel {
		if n < 1 {
			return fmt.Errorf("the kernel has the extents %v, want at least 1", kernel)
		}
	}
	return windows(op, kernel, "stride", "", "pad", func(w *window) { w.paddingBelowKernel = true })
}

// convolved checks a convolution. Filters are [out, kernel…, in], filters of each channel [kernel…, in, factor].
func convolved(op *mlir.Operation) error {
	in, filter := extents(op.Operands[0]), extents(op.Operands[1])
	if err := cmp.Or(mixed(op), accumulated(op)); err != nil {
		return err
	}
	for i, v := range op.Operands[:2] {
		if err := zeroFits(op.Operands[3+i], v); err != nil {
			return err
		}
	}
	if filter == nil {
		return nil
	}
	kernel, channels := filter[1:len(filter)-1], filter[0]
	reads := last(filter)
	if op.Name == "tosa.depthwise_conv2d" {
		kernel, reads, channels = filter[:2], filter[2], mlir.Dynamic
		if filter[2] >= 0 && filter[3] >= 0 {
			channels = filter[2] * filter[3]
		}
	}
	if n := last(in); n >= 0 && reads >= 0 && n != reads {
		return fmt.Errorf("the filter reads %d channels, and the input has %d", reads, n)
	}
	if n := first(extents(op.Operands[2])); n > 1 && channels >= 0 && n != channels {
		return fmt.Errorf("the bias has %d elements, want 1 or %d", n, channels)
	}
	want := make([]int, len(kernel)+2)
	for i := range want {
		want[i] = mlir.Dynamic
	}
	want[0], want[len(want)-1] = first(in), channels
	if err := fits(op.Results[0], want); err != nil {
		return err
	}
	if op.Name == "tosa.transpose_conv2d" {
		return windows(op, kernel, "stride", "", "out_pad", func(w *window) { w.transposedBy = true })
	}
	return windows(op, kernel, "stride", "dilation", "pad", func(*window) {})
}

// resized checks the extents of a resize, where its numbers are constants.
func resized(op *mlir.Operation) error {
	scale, offset, border := shapeOf(op.Operands[1]), shapeOf(op.Operands[2]), shapeOf(op.Operands[3])
	in, out := extents(op.Operands[0]), extents(op.Results[0])
	if len(scale) != 4 || len(offset) != 2 || len(border) != 2 || in == nil || out == nil {
		return nil
	}
	for i, name := range axisNames[2] {
		up, down := scale[2*i], scale[2*i+1]
		if up < 1 || down < 1 {
			return fmt.Errorf("the scale of the %s is %d / %d, want positive numbers", name, up, down)
		}
		if in[i+1] < 0 {
			continue
		}
		free := (in[i+1]-1)*up - offset[i] + border[i]
		if free < 0 || free%down != 0 {
			return fmt.Errorf("the %s of %d by %d / %d with offset %d and border %d is no whole number", name, in[i+1], up, down, offset[i], border[i])
		}
		if want := free/down + 1; out[i+1] >= 0 && out[i+1] != want {
			return fmt.Errorf("the %s of the output is %d, want %d", name, out[i+1], want)
		}
	}
	return fits(op.Results[0], []int{in[0], mlir.Dynamic, mlir.Dynamic, in[3]})
}

func first(shape []int) int {
	if len(shape) == 0 {
		return mlir.Dynamic
	}
	return shape[0]
}

func last(shape []int) int {
	if len(shape) == 0 {
		return mlir.Dynamic
	}
	return shape[len(shape)-1]
}
