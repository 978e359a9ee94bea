package reference

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// tensorOp evaluates an operation of the tensor dialect.
func (e *evaluator) tensorOp(op *mlir.Operation, results []*buf.Buffer) error {
	in := make([]*buf.Buffer, len(op.Operands))
	for i, v := range op.Operands {
		in[i] = e.env[v]
	}
	out := results[0]
	switch op.Name {
	case "tensor.empty":
		return nil
	case "tensor.collapse_shape", "tensor.expand_shape", "tensor.reshape", "tensor.cast",
		"tensor.bitcast":
		copy(out.Bytes(), in[0].Bytes())
		return nil
	case "tensor.splat":
		for i := range out.Len() {
			store(out, i, load(in[0], 0, out.DType))
		}
		return nil
	case "tensor.from_elements":
		for i := range out.Len() {
			store(out, i, load(in[i], 0, out.DType))
		}
		return nil
	case "tensor.dim":
		store(out, 0, intOf(dtype.I64, int64(in[0].Shape[in[1].Int64(0)])))
		return nil
	case "tensor.rank":
		store(out, 0, intOf(dtype.I64, int64(len(in[0].Shape))))
		return nil
	case "tensor.extract_slice":
		return slice(op, in[0], out, in[1:], false)
	case "tensor.insert_slice":
		copy(out.Bytes(), in[1].Bytes())
		return slice(op, out, in[0], in[2:], true)
	case "tensor.extract":
		i, err := position(in[0].Shape, in[1:])
		if err == nil {
			store(out, 0, load(in[0], i, out.DType))
		}
		return err
	case "tensor.insert":
		i, err := position(out.Shape, in[2:])
		if err == nil {
			copy(out.Bytes(), in[1].Bytes())
			store(out, i, load(in[0], 0, out.DType))
		}
		return err
	case "tensor.concat":
		return concat(op, in, out)
	case "tensor.pad":
		return e.pad(op, in[0], in[1:], out)
	case "tensor.generate":
		return e.generate(op, out)
	}
	return fmt.Errorf("operation is not supported")
}

// listed reads a list of numbers of an operation. Computed numbers are the next operands of the operation; listed
// returns the operands behind them.
func listed(op *mlir.Operation, name string, operands []*buf.Buffer) (list []int, rest []*buf.Buffer, err error) {
	list, ok := mlir.IntList(op.Attrs.Get(name))
	if !ok {
		return nil, nil, fmt.Errorf("there is no %s", name)
	}
	list = slices.Clone(list)
	for i, n := range list {
		if n != mlir.DynamicStride {
			continue
		}
		if len(operands) == 0 {
			return nil, nil, fmt.Errorf("%s has more open numbers than there are operands", name)
		}
		list[i], operands = int(operands[0].Int64(0)), operands[1:]
	}
	return list, operands, nil
}

// slice copies between a slice of whole and part, whose elements are in order. operands are the numbers that are
// computed.
func slice(op *mlir.Operation, whole, part *buf.Buffer, operands []*buf.Buffer, insert bool) error {
	var lists [3][]int
	for i, name := range [3]string{"static_offsets", "static_sizes", "static_strides"} {
		var err error
		if lists[i], operands, err = listed(op, name, operands); err != nil {
			return err
		}
		if len(lists[i]) != len(whole.Shape) {
			return fmt.Errorf("%s does not have %d numbers", name, len(whole.Shape))
		}
	}
	offsets, sizes, steps := lists[0], lists[1], lists[2]
	for d, n := range whole.Shape {
		if offset, size, step := offsets[d], sizes[d], steps[d]; offset < 0 || size < 0 || step < 1 || offset > n ||
			size > 0 && (size > n || size-1 > (n-1-offset)/step) {
			return fmt.Errorf("slice %d:%d:%d of an extent of %d", offset, size, step, n)
		}
	}
	if shape.Size(sizes) != part.Len() {
		return fmt.Errorf("a slice of %v as %v", sizes, part.Shape)
	}
	strides, next := shape.Strides(whole.Shape), 0
	return shape.Points(sizes, func(point []int) error {
		at := 0
		for d, i := range point {
			at += (offsets[d] + i*steps[d]) * strides[d]
		}
		if insert {
			store(whole, at, load(part, next, whole.DType))
		} else {
			store(part, next, load(whole, at, whole.DType))
		}
		next++
		return nil
	})
}

func concat(op *mlir.Operation, in []*buf.Buffer, out *buf.Buffer) error {
	axis, _ := op.Attrs.Get("dim").(mlir.IntegerAttr)
	d := int(axis.Value)
	strides, at := shape.Strides(out.Shape), 0
	for _, b := range in {
		next := 0
		err := shape.Points(b.Shape, func(point []int) error {
			i := at * strides[d]
			for k, x := range point {
				i += x * strides[k]
			}
			store(out, i, load(b, next, out.DType))
			next++
			return nil
		})
		if err != nil {
			return err
		}
		at += b.Shape[d]
	}
	return nil
}

func (e *evaluator) pad(op *mlir.Operation, in *buf.Buffer, operands []*buf.Buffer, out *buf.Buffer) error {
	low, operands, err := listed(op, "static_low", operands)
	if err != nil {
		return err
	}
	high, _, err := listed(op, "static_high", operands)
	if err != nil {
		return err
	}
	for d, n := range in.Shape {
		if len(low) != len(in.Shape) || len(high) != len(low) || len(out.Shape) != len(low) || n+low[d]+high[d] != out.Shape[d] {
			return fmt.Errorf("%v with padding of %v and %v is not %v", in.Shape, low, high, out.Shape)
		}
	}
	body, err := e.compile(op.Body())
	if err != nil {
		return err
	}
	strides, next := shape.Strides(in.Shape), 0
	return shape.Points(out.Shape, func(point []int) error {
		at, inside := 0, true
		args := make([]number, len(point))
		for d, i := range point {
			args[d] = intOf(dtype.I64, int64(i))
			i -= low[d]
			inside = inside && i >= 0 && i < in.Shape[d]
			at += i * strides[d]
		}
		if inside {
			store(out, next, load(in, at, out.DType))
		} else {
			y, err := body.run(args)
			if err != nil {
				return err
			}
			store(out, next, y[0])
		}
		next++
		return nil
	})
}

func (e *evaluator) generate(op *mlir.Operation, out *buf.Buffer) error {
	body, err := e.compile(op.Body())
	if err != nil {
		return err
	}
	next := 0
	return shape.Points(out.Shape, func(point []int) error {
		args := make([]number, len(point))
		for d, i := range point {
			args[d] = intOf(dtype.I64, int64(i))
		}
		y, err := body.run(args)
		if err != nil {
			return err
		}
		store(out, next, y[0])
		next++
		return nil
	})
}

// position is the number of the element at indices.
func position(dims []int, indices []*buf.Buffer) (int, error) {
	at := 0
	for k, stride := range shape.Strides(dims) {
		x := indices[k].Int64(0)
		if x < 0 || x >= int64(dims[k]) {
			return 0, fmt.Errorf("index %d is out of range", x)
		}
		at += int(x) * stride
	}
	return at, nil
}
