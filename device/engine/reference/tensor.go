package reference

import (
	"fmt"

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
		return slice(op, in[0], out, false)
	case "tensor.insert_slice":
		copy(out.Bytes(), in[1].Bytes())
		return slice(op, out, in[0], true)
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
		return e.pad(op, in[0], out)
	case "tensor.generate":
		return e.generate(op, out)
	}
	return fmt.Errorf("operation is not supported")
}

// slice copies between a slice of whole and part, whose elements are in order.
func slice(op *mlir.Operation, whole, part *buf.Buffer, insert bool) error {
	offsets, ok1 := mlir.IntList(op.Attrs.Get("static_offsets"))
	sizes, ok2 := mlir.IntList(op.Attrs.Get("static_sizes"))
	steps, ok3 := mlir.IntList(op.Attrs.Get("static_strides"))
	if !ok1 || !ok2 || !ok3 || shape.Size(sizes) != part.Len() {
		return fmt.Errorf("slice is not static")
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

func (e *evaluator) pad(op *mlir.Operation, in, out *buf.Buffer) error {
	low, ok := mlir.IntList(op.Attrs.Get("static_low"))
	if !ok {
		return fmt.Errorf("padding is not static")
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
