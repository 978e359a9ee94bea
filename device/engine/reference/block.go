package reference

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// block is the body of an operation, ready to run at many points.
type block struct {
	steps  []blockStep
	regs   []number
	args   []int
	yields []int
	point  []int // the current loop indices
}

type blockStep struct {
	op      *mlir.Operation
	in, out []int
	table   *buf.Buffer // of tensor.extract
}

// compile gives every value of the body a register; env has what comes from outside.
func (e *evaluator) compile(body *mlir.Block) (*block, error) {
	b := &block{}
	numbers := map[*mlir.Value]int{}
	register := func(v *mlir.Value) int {
		n := len(b.regs)
		numbers[v] = n
		b.regs = append(b.regs, number{d: mlir.DTypeOf(elem(v.Type))})
		return n
	}
	read := func(v *mlir.Value) (int, error) {
		if n, ok := numbers[v]; ok {
			return n, nil
		}
		t := e.env[v]
		if t == nil || t.Len() != 1 {
			return 0, fmt.Errorf("a body uses a value that has no scalar here")
		}
		n := register(v)
		b.regs[n] = load(t, 0, b.regs[n].d)
		return n, nil
	}
	for _, a := range body.Args {
		b.args = append(b.args, register(a))
	}
	for _, op := range body.Ops {
		s := blockStep{op: op}
		operands := op.Operands
		if op.Name == "tensor.extract" {
			s.table = e.env[operands[0]]
			if s.table == nil {
				return nil, fmt.Errorf("tensor.extract of an unknown tensor")
			}
			operands = operands[1:]
		}
		for _, v := range operands {
			n, err := read(v)
			if err != nil {
				return nil, err
			}
			s.in = append(s.in, n)
		}
		if op == body.Terminator() {
			b.yields = s.in
			return b, nil
		}
		for _, r := range op.Results {
			if err := mlir.CheckNumber(r.Type); err != nil {
				return nil, op.Errorf("%w", err)
			}
			s.out = append(s.out, register(r))
		}
		b.steps = append(b.steps, s)
	}
	return nil, fmt.Errorf("a body has no terminator")
}

// run computes the yields from the arguments.
func (b *block) run(args []number) ([]number, error) {
	for i, a := range args {
		if i < len(b.args) {
			b.regs[b.args[i]] = a
		}
	}
	x := make([]number, 0, 4)
	for i := range b.steps {
		s := &b.steps[i]
		x = x[:0]
		for _, n := range s.in {
			x = append(x, b.regs[n])
		}
		y, err := b.step(s, x)
		if err != nil {
			return nil, err
		}
		for k, n := range s.out {
			b.regs[n] = y[k]
		}
	}
	out := make([]number, len(b.yields))
	for i, n := range b.yields {
		out[i] = b.regs[n]
	}
	return out, nil
}

func (b *block) step(s *blockStep, x []number) ([]number, error) {
	op := s.op
	switch op.Name {
	case "arith.constant":
		d := mlir.DTypeOf(op.Results[0].Type)
		switch a := op.Attrs.Get("value").(type) {
		case mlir.IntegerAttr:
			return []number{intOf(d, a.Value)}, nil
		case mlir.FloatAttr:
			return []number{floatOf(d, a.Value)}, nil
		}
	case "linalg.index":
		if d, ok := op.Attrs.Get("dim").(mlir.IntegerAttr); ok && int(d.Value) < len(b.point) {
			return []number{intOf(dtype.I64, int64(b.point[d.Value]))}, nil
		}
	case "tensor.extract":
		i := 0
		for k, stride := range shape.Strides(s.table.Shape) {
			if x[k].i < 0 || x[k].i >= int64(s.table.Shape[k]) {
				return nil, fmt.Errorf("index %d is out of range for an extent of %d", x[k].i, s.table.Shape[k])
			}
			i += int(x[k].i) * stride
		}
		return []number{load(s.table, i, mlir.DTypeOf(op.Results[0].Type))}, nil
	case "affine.apply":
		if m, ok := op.Attrs.Get("map").(mlir.AffineMapAttr); ok && len(m.Map.Results) == 1 {
			index := make([]int, len(x))
			for i := range x {
				index[i] = int(x[i].i)
			}
			return []number{intOf(dtype.I64, int64(affine(m.Map.Results[0], index, m.Map.Dims)))}, nil
		}
	default:
		if y, ok := scalarOp(op, x); ok {
			return y, nil
		}
	}
	return nil, fmt.Errorf("%s is not supported in a body", op.Name)
}

// affine evaluates an expression; symbols follow the dims.
func affine(e *mlir.AffineExpr, index []int, dims int) int {
	switch e.Kind {
	case mlir.AffineDim:
		return index[e.Value]
	case mlir.AffineSymbol:
		return index[dims+e.Value]
	case mlir.AffineConstant:
		return e.Value
	}
	x, y := affine(e.LHS, index, dims), affine(e.RHS, index, dims)
	switch e.Kind {
	case mlir.AffineAdd:
		return x + y
	case mlir.AffineMul:
		return x * y
	}
	if y == 0 {
		return 0 // not defined
	}
	q := x / y
	if q*y != x && (x < 0) != (y < 0) {
		q--
	}
	switch {
	case e.Kind == mlir.AffineFloorDiv:
		return q
	case e.Kind == mlir.AffineMod:
		return x - q*y
	case q*y != x:
		return q + 1
	}
	return q
}
