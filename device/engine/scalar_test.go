package engine

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/scalar"
	"github.com/go-acap/acap/mlir"
)

// compareText compares a function of two inputs that returns one tensor.
func compareText(t *testing.T, text string, inputs ...*buf.Buffer) {
	t.Helper()
	m, err := mlir.Parse("test.mlir", []byte(text))
	require.NoError(t, err)
	compare(t, m.Funcs()[0], inputs)
}

func binaryText(op, in, out string) string {
	t, r := "tensor<16x"+in+">", "tensor<16x"+out+">"
	return fmt.Sprintf("func.func @main(%%x: %s, %%y: %s) -> %s {\n  %%r = %s %%x, %%y : %s\n  return %%r : %s\n}",
		t, t, r, op, t, r)
}

func TestFloatOperations(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	x := buf.From([]float32{0, 1, -1, 2.5, -2.5, inf, -inf, nan, 0.5, 3, -0.25, 7, 1e-3, nan, inf, 2}, 16)
	y := buf.From([]float32{1, 1, 2, 2.5, 0.5, 1, -1, 1, nan, -3, 4, 2, 1e3, nan, inf, -0.5}, 16)
	for _, name := range strings.Fields("addf subf mulf divf remf maximumf minimumf maxnumf minnumf") {
		t.Run(name, func(t *testing.T) { compareText(t, binaryText("arith."+name, "f32", "f32"), x, y) })
	}
	for _, p := range strings.Fields("false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true") {
		t.Run("cmpf "+p, func(t *testing.T) { compareText(t, binaryText("arith.cmpf "+p+",", "f32", "i1"), x, y) })
	}
	names := []string{"arith.negf"}
	for i := range scalar.Functions {
		if f := &scalar.Functions[i]; f.Operands == 1 && f.MLIR != "" && f.MLIR != "math.erfc" { // newer than the dialect's text
			names = append(names, f.MLIR)
		}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			compareText(t, fmt.Sprintf("func.func @main(%%x: tensor<16xf32>) -> tensor<16xf32> {\n"+
				"  %%r = %s %%x : tensor<16xf32>\n  return %%r : tensor<16xf32>\n}", name), x)
		})
	}
}

func TestIntegerOperations(t *testing.T) {
	names := strings.Fields("addi subi muli divsi divui ceildivsi ceildivui floordivsi remsi remui " +
		"andi ori xori maxsi maxui minsi minui")
	for _, width := range []string{"i8", "i16", "i32", "i64"} {
		d := map[string]dtype.DType{"i8": dtype.I8, "i16": dtype.I16, "i32": dtype.I32, "i64": dtype.I64}[width]
		x, y := buf.New(d, []int{16}), buf.New(d, []int{16})
		for i := range 16 {
			x.SetInt64(i, int64(uint64(i*i+3)*0x9e3779b97f4a7c15)>>(64-d.Bits()))
			y.SetInt64(i, int64(uint64(i+5)*0xc2b2ae3d27d4eb4f)>>(64-d.Bits())|1)
		}
		y.SetInt64(3, 3)
		y.SetInt64(4, 7)
		least := buf.New(d, []int{16}) // and what lies around zero, by numbers of both signs
		for i := range 16 {
			least.SetInt64(i, -1<<(d.Bits()-1)+int64(i/8))
			if i%8 >= 6 {
				least.SetInt64(i, int64(i/8))
			}
		}
		small := buf.New(d, []int{16})
		for i, v := range []int64{1, -1, 2, -2, 3, -3, 7, -128, 1, -1, 127, -2, 3, -5, -1, 5} {
			small.SetInt64(i, v)
		}
		for _, name := range names {
			t.Run(name+" "+width, func(t *testing.T) {
				compareText(t, binaryText("arith."+name, width, width), x, y)
				compareText(t, binaryText("arith."+name, width, width), least, small)
			})
		}
		for _, p := range strings.Fields("eq ne slt sle sgt sge ult ule ugt uge") {
			t.Run("cmpi "+p+" "+width, func(t *testing.T) {
				compareText(t, binaryText("arith.cmpi "+p+",", width, "i1"), x, y)
			})
		}
		shift := buf.New(d, []int{16})
		for i := range 16 {
			shift.SetInt64(i, int64(i%d.Bits()))
		}
		for _, name := range []string{"shli", "shrsi", "shrui"} {
			t.Run(name+" "+width, func(t *testing.T) {
				compareText(t, binaryText("arith."+name, width, width), x, shift)
			})
		}
	}
}

func TestBoolOperations(t *testing.T) {
	x, y := make([]bool, 16), make([]bool, 16)
	for i := range x {
		x[i], y[i] = i&1 != 0, i&2 != 0
	}
	for _, name := range strings.Fields("addi subi muli andi ori xori maxsi maxui minsi minui") {
		t.Run(name, func(t *testing.T) {
			compareText(t, binaryText("arith."+name, "i1", "i1"), buf.From(x, 16), buf.From(y, 16))
		})
	}
	for _, p := range strings.Fields("eq ne slt sle sgt sge ult ule ugt uge") {
		t.Run("cmpi "+p, func(t *testing.T) {
			compareText(t, binaryText("arith.cmpi "+p+",", "i1", "i1"), buf.From(x, 16), buf.From(y, 16))
		})
	}
}
