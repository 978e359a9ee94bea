package reference

import (
	"fmt"
	"math"
	"slices"

	blocks "github.com/go-acap/acap/base/block"
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
)

// ordered evaluates an operation of the acap dialect as its documentation says.
func (e *evaluator) ordered(op *mlir.Operation, results []*buf.Buffer) error {
	if err := acap.Verify(op); err != nil {
		return err
	}
	in := make([]*buf.Buffer, len(op.Operands))
	for i, v := range op.Operands {
		in[i] = e.env[v]
	}
	switch op.Name {
	case "acap.after":
		copy(results[0].Bytes(), in[0].Bytes())
		return nil
	case "acap.scan":
		return scan(op, in[0], results[0])
	case "acap.sort":
		return sort(op, in[0], results[0], results[1])
	case "acap.scatter":
		return scatter(op, in, results[0])
	case "acap.search":
		search(op, in[0], in[1], results[0])
		return nil
	case "acap.unpack":
		blocks.Decode(acap.Format(op), buf.Slice[float32](results[0]), in[0].Bytes())
		return nil
	}
	key, counter := uint64(in[0].Int64(0)), uint64(in[1].Int64(0))
	for i := range results[0].Len() {
		words := kernel.Philox([4]uint32{uint32(counter), uint32(counter >> 32), uint32(i / 4), uint32(i / 4 >> 32)},
			[2]uint32{uint32(key), uint32(key >> 32)})
		store(results[0], i, intOf(dtype.I32, int64(int32(words[i%4]))))
	}
	return nil
}

// along calls f with the offset of the first element and the stride of every line.
func along(dims []int, axis int, f func(start, stride int)) {
	stride, n := shape.Strides(dims)[axis], dims[axis]
	for i := range shape.Size(dims) {
		if i/stride%n == 0 {
			f(i, stride)
		}
	}
}

func scan(op *mlir.Operation, x, out *buf.Buffer) error {
	axis, d := acap.Axis(op), mlir.DTypeOf(elem(op.Operands[0].Type))
	along(x.Shape, axis, func(start, stride int) {
		if acap.Positions(op) {
			place(op, x, out, start, stride)
			return
		}
		acc := load(x, start, d)
		store(out, start, acc)
		if d.IsFloat() {
			acc.d = dtype.F64
		}
		for i := 1; i < x.Shape[axis]; i++ {
			v := load(x, start+i*stride, d)
			v.d = acc.d
			acc = folded(acap.Kind(op), acap.Unsigned(op), acc, v)
			store(out, start+i*stride, acc)
		}
	})
	return nil
}

// place gives the positions of the running extremes of a line: where the fold of the
// extreme so far and an element equals the element, or the element is NaN.
func place(op *mlir.Operation, x, out *buf.Buffer, start, stride int) {
	axis, d := acap.Axis(op), mlir.DTypeOf(elem(op.Operands[0].Type))
	extreme, at := load(x, start, d), 0
	for i := range x.Shape[axis] {
		v := load(x, start+i*stride, d)
		extreme = folded(acap.Kind(op), acap.Unsigned(op), extreme, v)
		if !less(acap.Unsigned(op), extreme, v) && !less(acap.Unsigned(op), v, extreme) {
			at = i
		}
		store(out, start+i*stride, intOf(dtype.I64, int64(at)))
	}
}

// folded combines two numbers of one type. Bools are folded as logic.
func folded(kind string, unsigned bool, a, x number) number {
	d := a.d
	switch {
	case kind == acap.Assign:
		return x
	case kind == acap.Max || d == dtype.Bool && kind == acap.Add:
		if less(unsigned, a, x) {
			return x
		}
		return a
	case kind == acap.Min || d == dtype.Bool && kind == acap.Mul:
		if less(unsigned, x, a) && (a.f == a.f) || x.f != x.f {
			return x
		}
		return a
	case kind == acap.LogAddExp:
		high, low := max(a.f, x.f), min(a.f, x.f)
		if math.IsInf(high, 0) || high != high {
			return floatOf(d, high)
		}
		return floatOf(d, high+math.Log1p(math.Exp(low-high)))
	case d.IsFloat() && kind == acap.Add:
		return floatOf(d, a.f+x.f)
	case d.IsFloat():
		return floatOf(d, a.f*x.f)
	case kind == acap.Add:
		return intOf(d, a.i+x.i)
	}
	return intOf(d, a.i*x.i)
}

// less orders numbers as acap.sort does: NaN is the largest.
func less(unsigned bool, a, b number) bool {
	switch {
	case a.d.IsFloat():
		return a.f < b.f || a.f == a.f && b.f != b.f
	case unsigned || a.d == dtype.Bool || a.d == dtype.U8:
		return a.unsigned() < b.unsigned()
	}
	return a.i < b.i
}

func sort(op *mlir.Operation, x, values, positions *buf.Buffer) error {
	axis, d := acap.Axis(op), mlir.DTypeOf(elem(op.Operands[0].Type))
	var order [][]int // the positions of each line
	along(x.Shape, axis, func(start, stride int) {
		line := make([]int, x.Shape[axis])
		for i := range line {
			line[i] = i
		}
		slices.SortStableFunc(line, func(i, j int) int {
			a, b := load(x, start+i*stride, d), load(x, start+j*stride, d)
			if acap.Descending(op) {
				a, b = b, a
			}
			switch {
			case less(acap.Unsigned(op), a, b):
				return -1
			case less(acap.Unsigned(op), b, a):
				return 1
			}
			return 0
		})
		for i, from := range line {
			line[i] = start + from*stride
		}
		order = append(order, line)
	})
	next := 0
	along(values.Shape, axis, func(start, stride int) {
		line := order[next]
		next++
		for i := range values.Shape[axis] {
			from := line[acap.First(op)+i]
			store(values, start+i*stride, load(x, from, d))
			inLine := shape.Strides(x.Shape)[axis]
			store(positions, start+i*stride, intOf(dtype.I64, int64(from/inLine%x.Shape[axis])))
		}
	})
	return nil
}

func scatter(op *mlir.Operation, in []*buf.Buffer, out *buf.Buffer) error {
	axis, d := acap.Axis(op), mlir.DTypeOf(elem(op.Operands[2].Type))
	copy(out.Bytes(), in[2].Bytes())
	updates, index := in[0], in[1]
	next := 0
	return shape.Points(updates.Shape, func(point []int) error {
		at, to := 0, 0
		for k, i := range point {
			if index.Shape[k] != 1 {
				at += i * shape.Strides(index.Shape)[k]
			}
			if k != axis {
				to += i * shape.Strides(out.Shape)[k]
			}
		}
		place := index.Int64(at)
		if place < 0 || place >= int64(out.Shape[axis]) {
			return fmt.Errorf("index %d is out of range for an extent of %d", place, out.Shape[axis])
		}
		to += int(place) * shape.Strides(out.Shape)[axis]
		store(out, to, folded(acap.Kind(op), acap.Unsigned(op), load(out, to, d), load(updates, next, d)))
		next++
		return nil
	})
}

// search counts, for every value, the elements of its line that come before the value.
func search(op *mlir.Operation, values, sequence, out *buf.Buffer) {
	d, n := mlir.DTypeOf(elem(op.Operands[0].Type)), sequence.Shape[len(sequence.Shape)-1]
	each := values.Len() // values of a line
	if len(sequence.Shape) > 1 {
		each = values.Shape[len(values.Shape)-1]
	}
	for i := range values.Len() {
		x, count := load(values, i, d), int64(0)
		for j := range n {
			y := load(sequence, i/each*n+j, d)
			before := less(acap.Unsigned(op), y, x) || x.f != x.f
			if before || acap.Right(op) && !less(acap.Unsigned(op), x, y) {
				count++
			}
		}
		store(out, i, intOf(dtype.I64, count))
	}
}
