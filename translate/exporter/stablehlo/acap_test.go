package stablehlo_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	_ "github.com/go-acap/acap/base/longtest/heap"
	"github.com/go-acap/acap/mlir"
	exporter "github.com/go-acap/acap/translate/exporter/stablehlo"
	importer "github.com/go-acap/acap/translate/importer/stablehlo"
)

// Sorts, scans and scatters of all kinds of elements, special ones among them, keep their meaning: which of
// equal elements comes first, where NaN stands, what is larger without a sign.
func TestStructured(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		elem string
		d    dtype.DType
	}{{"f32", dtype.F32}, {"f16", dtype.F16}, {"f64", dtype.F64}, {"i32", dtype.I32}, {"i8", dtype.I8}, {"i64", dtype.I64}, {"i1", dtype.Bool}} {
		x := buf.New(c.d, []int{3, 9})
		for i := range x.Len() {
			switch {
			case !c.d.IsFloat():
				x.SetInt64(i, r.Int64N(7)-3)
			case i%5 == 0:
				x.SetFloat64(i, []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0}[r.IntN(5)])
			default:
				x.SetFloat64(i, float64(r.IntN(5))-2.5)
			}
		}
		index := buf.New(dtype.I64, []int{3, 9})
		for i := range index.Len() {
			index.SetInt64(i, r.Int64N(3))
		}
		first := buf.New(dtype.I64, []int{1, 9})
		for i := range first.Len() {
			first.SetInt64(i, index.Int64(i))
		}
		in := "tensor<3x9x" + c.elem + ">"
		var lines []string
		for _, flags := range []string{"", " unsigned"} {
			if flags != "" && c.d.IsFloat() {
				continue
			}
			lines = append(lines,
				"%0:2 = acap.sort %x axis 1"+flags+" from 0 : "+in+" to "+in,
				"%0:2 = acap.sort %x axis 1 descending"+flags+" from 2 : "+in+" to tensor<3x4x"+c.elem+">",
				"%0 = acap.scan max %x axis 1"+flags+" : "+in,
				"%0 = acap.scan min %x axis 0 positions"+flags+" : "+in,
				"%0 = acap.scatter max %x at %i into %y axis 1"+flags+" : "+in+", tensor<3x9xi64> into "+in,
				"%0 = acap.scatter min %x at %j into %y axis 1"+flags+" : "+in+", tensor<1x9xi64> into "+in)
		}
		lines = append(lines,
			"%0 = acap.scan max %x axis 1 positions : "+in,
			"%0 = acap.scan add %x axis 1 : "+in,
			"%0 = acap.scan mul %x axis 0 : "+in,
			"%0 = acap.scatter assign %x at %i into %y axis 0 : "+in+", tensor<3x9xi64> into "+in,
			"%0 = acap.scatter add %x at %j into %y axis 1 : "+in+", tensor<1x9xi64> into "+in)
		if c.d.IsFloat() {
			lines = append(lines, "%0 = acap.scan logaddexp %x axis 1 : "+in)
		}
		for _, line := range lines {
			module := structured(t, line, in)
			inputs := []*buf.Buffer{x, x, index, first}
			want, err := run(t, module, inputs)
			require.NoError(t, err, line)
			module = structured(t, line, in)
			require.NoError(t, exporter.Export(module), line)
			require.NoError(t, mlir.Verify(module), module)
			again, err := mlir.Parse("again.mlir", []byte(module.String()))
			require.NoError(t, err, module)
			require.NoError(t, importer.Lower(again), module)
			got, err := run(t, again, inputs)
			require.NoError(t, err)
			for i := range want {
				requireClose(t, want[i], got[i], module)
			}
		}
	}
}

// structured is a program of one operation of dialect acap on x, y and indices i and j.
func structured(t *testing.T, line, in string) *mlir.Operation {
	arguments := "%x: " + in + ", %y: " + in + ", %i: tensor<3x9xi64>, %j: tensor<1x9xi64>"
	results := "%0"
	if strings.HasPrefix(line, "%0:2") {
		results = "%0#0, %0#1"
	}
	body := "func.func @main(" + arguments + ") {\n" + line + "\nreturn\n}"
	module, err := mlir.Parse("x.mlir", []byte(body))
	require.NoError(t, err, body)
	types := module.Func("main").Body().Ops[0].Results
	result := types[0].Type.String()
	if len(types) == 2 {
		result = "(" + result + ", " + types[1].Type.String() + ")"
	}
	text := "func.func @main(" + arguments + ") -> " + result + " {\n" + line + "\nreturn " + results + " : "
	for i, v := range types {
		if i > 0 {
			text += ", "
		}
		text += v.Type.String()
	}
	module, err = mlir.Parse("x.mlir", []byte(text+"\n}"))
	require.NoError(t, err, text)
	return module
}
