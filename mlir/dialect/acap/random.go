package acap

import (
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

var _ = register(mlir.OpDef{Name: "acap.rng", Traits: mlir.Pure, Operands: 2, Results: 1,
	Verify: verifyRandom, Parse: parseRandom, Print: printRandom})

func init() { Kernels["acap.rng"] = Kernel{"random", randomKernel} }

// Random appends random bits (i32) of a shape; key and counter are tensor<i64>.
func Random(b *mlir.Builder, key, counter *mlir.Value, dims []int) *mlir.Value {
	return b.Create("acap.rng", []*mlir.Value{key, counter},
		[]mlir.Type{mlir.TensorType{Shape: dims, Elem: mlir.I32}}, nil).Result()
}

// parseRandom reads %key, %counter : T.
func parseRandom(p *mlir.Parser, op *mlir.Operation) {
	refs := p.OperandsN(2)
	p.Expect(":")
	number := mlir.TensorType{Shape: []int{}, Elem: mlir.I64}
	op.Operands = p.ResolveAll(refs, []mlir.Type{number, number})
	op.SetResults(p.Type())
}

func printRandom(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Values(op.Operands)
	p.Text(" : ")
	p.Type(op.Results[0].Type)
}

func verifyRandom(op *mlir.Operation) error {
	number := mlir.TensorType{Shape: []int{}, Elem: mlir.I64}
	t, err := static("the result", op.Results[0])
	return firstOf(err, attributes(op, nil), wantType("the key", op.Operands[0], number),
		wantType("the counter", op.Operands[1], number),
		wantType("the result", op.Results[0], mlir.TensorType{Shape: t.Shape, Elem: mlir.I32}))
}

func randomKernel(_ *mlir.Operation, name string, p []kernel.Port) kernel.Kernel {
	return &kernel.Random{Name: name, Key: p[0], Counter: p[1], Out: p[2]}
}
