package acap

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

var _ = register(mlir.OpDef{Name: "acap.unpack", Traits: mlir.Pure, Operands: 1, Results: 1,
	Verify: verifyUnpack, Parse: parseUnpack, Print: printUnpack})

func init() { Kernels["acap.unpack"] = Kernel{"move", unpackKernel} }

// Unpack appends the values of blocks of a format in x, a tensor of bytes (i8) whose rows are whole blocks.
func Unpack(b *mlir.Builder, x *mlir.Value, f dtype.Format, rounds bool) *mlir.Value {
	t, _ := x.Type.(mlir.TensorType)
	return b.Create("acap.unpack", []*mlir.Value{x}, []mlir.Type{unpacked(t, f)}, unpacking(f.String(), rounds)).Result()
}

// Format returns the format of the blocks that an unpack reads.
func Format(op *mlir.Operation) dtype.Format {
	s, _ := op.Attrs.Get("format").(mlir.StringAttr)
	f, _ := dtype.FormatNamed(string(s))
	return f
}

// Rounds reports whether products with the values of an unpack may round their other operand to 8 bits.
func Rounds(op *mlir.Operation) bool { return op.Attrs.Get("rounds") != nil }

// unpacking are the attributes of an unpack, in alphabetical order.
func unpacking(format string, rounds bool) mlir.Attrs {
	return flag(mlir.Attrs{{Name: "format", Value: mlir.StringAttr(format)}}, "rounds", rounds)
}

// unpacked is the type of the values of blocks in a tensor of bytes.
func unpacked(t mlir.TensorType, f dtype.Format) mlir.TensorType {
	out := mlir.TensorType{Shape: slices.Clone(t.Shape), Elem: mlir.F32}
	if last := len(out.Shape) - 1; last >= 0 && f.Bytes() > 0 {
		out.Shape[last] = out.Shape[last] / f.Bytes() * f.Block()
	}
	return out
}

// parseUnpack reads %x q8_0 rounds : T.
func parseUnpack(p *mlir.Parser, op *mlir.Operation) {
	x := p.Operand()
	format := p.Keyword()
	op.Attrs = unpacking(format, p.Accept("rounds"))
	p.Expect(":")
	op.Operands = []*mlir.Value{p.Resolve(x, p.Type())}
	t, ok := op.Operands[0].Type.(mlir.TensorType)
	if !ok && !p.Failed() {
		p.ErrorAt(op.Loc, "acap.unpack reads a tensor, not %s", op.Operands[0].Type)
	}
	op.SetResults(unpacked(t, Format(op)))
}

func printUnpack(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	p.Text(" " + Format(op).String())
	printFlag(p, op, "rounds")
	p.Text(" : ")
	p.Type(op.Operands[0].Type)
}

func verifyUnpack(op *mlir.Operation) error {
	t, err := static("the operand", op.Operands[0])
	if err = firstOf(err, attributes(op, []string{"format"}, "rounds")); err != nil {
		return err
	}
	f, last := Format(op), len(t.Shape)-1
	switch {
	case f.Bytes() == 0:
		return fmt.Errorf("there are no blocks of the format %s", op.Attrs.Get("format"))
	case last < 0 || mlir.DTypeOf(t.Elem).Size() != 1 || !mlir.DTypeOf(t.Elem).IsInt():
		return fmt.Errorf("blocks are rows of bytes, not %s", t)
	case t.Shape[last]%f.Bytes() != 0:
		return fmt.Errorf("rows of %d bytes are not whole blocks of %s, of %d", t.Shape[last], f, f.Bytes())
	}
	return wantType("the result", op.Results[0], unpacked(t, f))
}

func unpackKernel(op *mlir.Operation, name string, p []kernel.Port) kernel.Kernel {
	p[0].DType, p[0].Format = dtype.U8, Format(op)
	return &kernel.Unpack{Name: name, X: p[0], Out: p[1]}
}
