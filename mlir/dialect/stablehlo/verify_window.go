package stablehlo

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// frame is where a window goes: an entry for each dimension.
type frame struct{ size, stride, low, high, baseDilation, dilation []int }

// paddingOf reads the attribute padding, two numbers for each dimension, none being zeros. A rank of -1 is any.
func paddingOf(f facts, rank int) ([]int, error) {
	switch a := f.Attrs.Get("padding").(type) {
	case nil:
		return nil, nil
	case mlir.DenseAttr:
		shape, _, _ := mlir.ShapeOf(a.Type)
		if len(shape) != 2 || shape[1] != 2 {
			return nil, fmt.Errorf("padding must be two numbers for each dimension, not %s", a.Type)
		}
		list, _ := mlir.IntList(a)
		return list, nil
	}
	return nil, fmt.Errorf("padding must be elements, not %s", f.Attrs.Get("padding"))
}

// windowOf reads how a window of the given size moves. Base and window name the attributes with dilations.
func windowOf(f facts, size []int, base, window string, pad []int) (frame, error) {
	w := frame{size: size}
	n := len(size)
	ones := make([]int, n)
	for i := range ones {
		ones[i] = 1
	}
	read := func(name string) (list []int, err error) {
		if list = f.ints(name); len(list) == 0 {
			return ones, nil
		}
		if err := length(name, list, n); err != nil {
			return nil, err
		}
		return list, positive(name, list)
	}
	var err [4]error
	w.stride, err[0] = read("window_strides")
	w.baseDilation, err[1] = read(base)
	w.dilation, err[2] = read(window)
	if reversal := f.ints("window_reversal"); len(reversal) > 0 {
		err[3] = length("window_reversal", reversal, n)
	}
	if err := first(append(err[:], positive("a window", size))...); err != nil {
		return w, err
	}
	if len(pad) == 0 {
		pad = make([]int, 2*n)
	}
	if len(pad) != 2*n {
		return w, fmt.Errorf("padding has %d pairs for %d dimensions", len(pad)/2, n)
	}
	for i := range n {
		w.low, w.high = append(w.low, pad[2*i]), append(w.high, pad[2*i+1])
	}
	return w, nil
}

// positive checks that all numbers that are known are greater than 0.
func positive(what string, list []int) error {
	for i, n := range list {
		if n <= 0 && n != mlir.Dynamic {
			return fmt.Errorf("%s is %d in dimension %d, and must be positive", what, n, i)
		}
	}
	return nil
}

// shape is how often the window fits in each dimension.
func (w frame) shape(base []int) []int {
	out := make([]int, len(base))
	for i, n := range base {
		if n == mlir.Dynamic || w.size[i] == mlir.Dynamic {
			out[i] = mlir.Dynamic
			continue
		}
		spread := func(n, by int) int {
			if n == 0 {
				return 0
			}
			return (n-1)*by + 1
		}
		n = spread(n, w.baseDilation[i]) + w.low[i] + w.high[i]
		if size := spread(w.size[i], w.dilation[i]); n > 0 && size <= n {
			out[i] = (n-size)/w.stride[i] + 1
		}
	}
	return out
}

func verifyReduceWindow(f facts) error {
	inputs, inits, err := f.halves()
	if err != nil {
		return err
	}
	size := f.ints("window_dimensions")
	if err := length("window_dimensions", size, len(inputs[0].Shape)); err != nil {
		return err
	}
	pad, err := paddingOf(f, len(size))
	if err != nil {
		return err
	}
	w, err := windowOf(f, size, "base_dilations", "window_dilations", pad)
	if err != nil {
		return err
	}
	sums, err := reducer(f.Regions[0], inputs, inits, size)
	if err != nil {
		return err
	}
	return f.gives(withShape(sums, w.shape(inputs[0].Shape))...)
}

func verifySelectAndScatter(f facts) error {
	x, source, init := f.in(0), f.in(1), f.in(2)
	if err := verifySelect(f.Regions[0], x); err != nil {
		return err
	}
	sums, err := reducer(f.Regions[1], []mlir.TensorType{x}, []mlir.TensorType{init}, nil)
	if err != nil {
		return err
	}
	size := f.ints("window_dimensions")
	if err := length("window_dimensions", size, len(x.Shape)); err != nil {
		return err
	}
	pad, err := paddingOf(f, len(size))
	if err != nil {
		return err
	}
	w, err := windowOf(f, size, "", "", pad)
	if err != nil {
		return err
	}
	if want := (mlir.TensorType{Shape: w.shape(x.Shape), Elem: x.Elem}); !compatible(want, source) {
		return fmt.Errorf("scatters from %s, not %s", want, source)
	}
	return f.gives(mlir.TensorType{Shape: x.Shape, Elem: sums[0].Elem})
}

// verifySelect checks a region that compares two elements.
func verifySelect(r *mlir.Region, x mlir.TensorType) error {
	elem := scalarOf(x)
	return first(takes(r, "selection", []mlir.Type{elem, elem}),
		returns(r, "selection", []mlir.Type{mlir.TensorType{Elem: mlir.I1}}))
}
