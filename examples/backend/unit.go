package main

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
)

// unit is the back end: it says what it supports, and compiles groups of that.
type unit struct{ runs *atomic.Int64 }

// runs counts what the unit has computed.
var runs atomic.Int64

func init() {
	device.Register(device.Driver{Name: "unit", Doc: "matrix products with bias and relu",
		Open: func(string) (device.Device, error) { return compiler.NewDevice(unit{&runs}), nil }})
}

// Name implements [device.Backend].
func (unit) Name() string { return "unit" }

// Form implements [device.Backend]: groups come in the aten dialect.
func (unit) Form() string { return "" }

// Smallest implements [device.Backend].
func (unit) Smallest() int { return device.SmallestGroup }

// Supports implements [device.Backend]: products of f32 matrices, sums with a matrix or a row, and
// relu.
func (unit) Supports(op *mlir.Operation) error {
	switch op.Name {
	case "aten.mm", "aten.relu":
	case "aten.add.Tensor":
		if a := op.Attrs.Get("alpha"); a != nil && a.String() != "1 : i64" {
			return errors.New("a sum with a factor")
		}
		if len(shapeOf(op.Operands[0])) < len(shapeOf(op.Operands[1])) {
			return errors.New("the row comes first")
		}
	default:
		return errors.New("neither mm, add nor relu")
	}
	for _, v := range append(op.Operands[:len(op.Operands):len(op.Operands)], op.Results...) {
		t, ok := v.Type.(mlir.TensorType)
		if !ok || mlir.DTypeOf(t.Elem) != dtype.F32 {
			return errors.New("not f32")
		}
	}
	result := shapeOf(op.Result())
	if len(result) != 2 {
		return errors.New("no matrix")
	}
	if op.Name == "aten.add.Tensor" {
		left, right := shapeOf(op.Operands[0]), shapeOf(op.Operands[1])
		if left[0] != result[0] || left[1] != result[1] || right[len(right)-1] != result[1] || len(right) == 2 && right[0] != result[0] {
			return errors.New("a sum of other shapes than of a matrix and a matrix or a row")
		}
	}
	return nil
}

func shapeOf(v *mlir.Value) []int {
	t, _ := v.Type.(mlir.TensorType)
	return t.Shape
}

// CompileGroup implements [device.Backend]. A product whose only user adds a row, and what clips that
// sum, become one instruction.
func (u unit) CompileGroup(_ context.Context, g *device.GroupSource) (device.GroupProgram, error) {
	p := &program{runs: u.runs, place: map[*mlir.Value]int{}}
	for _, v := range g.Func.Body().Args {
		p.add(v)
	}
	uses := mlir.CountUses(g.Func)
	last := map[*mlir.Value]*instruction{} // what makes a value, as long as it can take more
	for _, op := range g.Func.Body().Ops {
		switch {
		case op.Name == "arith.constant":
			return nil, errors.New("the unit keeps no constants")
		case op.Name == "func.return":
			for _, v := range op.Operands {
				p.results = append(p.results, p.place[v])
			}
			continue
		}
		before := last[op.Operands[0]]
		joins := before != nil && uses[op.Operands[0]] == 1 && !before.relu
		switch {
		case joins && op.Name == "aten.relu":
			before.relu = true
		case joins && op.Name == "aten.add.Tensor" && before.product && before.bias < 0 && p.has(op.Operands[1], before):
			before.bias = p.place[op.Operands[1]]
		default:
			i := &instruction{product: op.Name == "aten.mm", a: p.place[op.Operands[0]], b: -1, bias: -1, relu: op.Name == "aten.relu"}
			if i.product {
				i.b = p.place[op.Operands[1]]
			} else if op.Name == "aten.add.Tensor" {
				i.bias = p.place[op.Operands[1]]
			}
			i.shape = shapeOf(op.Result())
			p.code = append(p.code, i)
			before = i
			before.out = p.add(op.Result())
		}
		p.place[op.Result()] = before.out
		last[op.Result()] = before
	}
	return p, nil
}

// program is a list of instructions on numbered matrices.
type program struct {
	runs    *atomic.Int64
	place   map[*mlir.Value]int
	count   int
	code    []*instruction
	results []int
}

// instruction computes relu(a·b + bias), or a part of it.
type instruction struct {
	product, relu   bool
	a, b, bias, out int // -1: not there
	shape           []int
}

func (p *program) add(v *mlir.Value) int {
	p.place[v] = p.count
	p.count++
	return p.count - 1
}

// has reports whether a value is there when an instruction runs.
func (p *program) has(v *mlir.Value, i *instruction) bool { return p.place[v] < i.out }

// Memory implements [device.GroupProgram].
func (p *program) Memory() int64 {
	var n int64
	for _, i := range p.code {
		n += int64(i.shape[0]) * int64(i.shape[1]) * 4
	}
	return n
}

// Close implements [device.GroupProgram].
func (p *program) Close() {}

// RunInto implements [device.GroupProgram].
func (p *program) RunInto(ctx context.Context, inputs, results []*buf.Buffer) error {
	matrices := make([][]float32, p.count)
	for i, b := range inputs {
		matrices[i] = buf.Slice[float32](b)
	}
	for _, i := range p.code {
		if err := ctx.Err(); err != nil {
			return err
		}
		matrices[i.out] = i.run(matrices)
	}
	for i, k := range p.results {
		copy(buf.Slice[float32](results[i]), matrices[k])
	}
	p.runs.Add(1)
	return nil
}

func (i *instruction) run(matrices [][]float32) []float32 {
	rows, columns := i.shape[0], i.shape[1]
	out := make([]float32, rows*columns)
	if i.product {
		a, b := matrices[i.a], matrices[i.b]
		inner := 0
		if rows > 0 {
			inner = len(a) / rows
		}
		for r := range rows {
			for k := range inner {
				for c := range columns {
					out[r*columns+c] += a[r*inner+k] * b[k*columns+c]
				}
			}
		}
	} else {
		copy(out, matrices[i.a])
	}
	for k := range out {
		if i.bias >= 0 {
			out[k] += matrices[i.bias][k%len(matrices[i.bias])]
		}
		if i.relu && out[k] < 0 {
			out[k] = 0
		}
	}
	return out
}
