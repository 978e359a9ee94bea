package mlir_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/mlirtest"
)

func TestDenseValues(t *testing.T) {
	shape := mlir.TensorType{Shape: []int{2, 2}, Elem: mlir.I16}
	a := mlir.DenseInts(shape, []int64{1, -2, 3, 32767})
	if got, ok := a.Int(); !ok || !slices.Equal(got, []int{1, -2, 3, 32767}) {
		t.Errorf("got %v", got)
	}
	splat := mlir.DenseFloats(mlir.TensorType{Shape: []int{3}, Elem: mlir.BF16}, []float64{0.1})
	if got, ok := splat.Float(); !ok || got[2] != 0.10009765625 || !splat.IsSplat() {
		t.Errorf("got %v", got)
	}
	if equal := mlir.DenseInts(shape, []int64{7, 7, 7, 7}); !equal.IsSplat() {
		t.Error("equal elements should be a splat")
	}
	if _, err := mlir.NewDense(shape, make([]byte, 7)); err == nil {
		t.Error("no error for 7 bytes")
	}
}

// TestElementText: the elements of every type read back as the same bytes.
func TestElementText(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, text := range []string{"i1", "i4", "i8", "i16", "i32", "i64", "si8", "ui8", "ui64", "index",
		"f16", "bf16", "f32", "f64", "f8E5M2", "f8E4M3FN", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ",
		"f8E4M3", "f8E3M4", "f8E8M0FNU", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN", "complex<f32>", "complex<f64>", "complex<i8>"} {
		elem, err := mlir.ParseType(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{3, 60, 101} { // list, list, hex
			want := mlir.DenseAttr{Type: mlir.TensorType{Shape: []int{n}, Elem: elem},
				Data: randomElements(rng, elem, n)}
			got, err := mlir.ParseAttribute(want.String())
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if d := got.(mlir.DenseAttr); !bytes.Equal(d.Data, want.Data) {
				t.Errorf("%s: %s reads as\n%x, not\n%x", text, want, d.Data, want.Data)
			}
		}
	}
}

// randomElements returns patterns that are the canonical ones of their values.
func randomElements(rng *rand.Rand, elem mlir.Type, n int) []byte {
	data := make([]byte, n*mlir.ElementSize(elem))
	for i := range data {
		data[i] = byte(rng.Uint32())
		switch elem.String() {
		case "i1":
			data[i] &= 1
		case "i4":
			data[i] = byte(int8(data[i]<<4) >> 4)
		case "f4E2M1FN":
			data[i] &= 15
		case "f6E2M3FN", "f6E3M2FN":
			data[i] &= 63
		}
	}
	return clearNaN(data, elem)
}

// clearNaN replaces NaN patterns by zeros, because text keeps only some of the patterns.
func clearNaN(data []byte, elem mlir.Type) []byte {
	if c, ok := elem.(mlir.ComplexType); ok {
		elem = c.Elem
	}
	if _, ok := elem.(mlir.FloatType); !ok {
		return data
	}
	size := mlir.ElementSize(elem)
	a := mlir.DenseAttr{Type: mlir.TensorType{Shape: []int{len(data) / size}, Elem: elem}, Data: data}
	for i := range len(data) / size {
		if math.IsNaN(a.FloatAt(i)) {
			clear(data[i*size : (i+1)*size])
		}
	}
	return data
}

// TestFloatTextUpstream compares the text of floats with mlir-opt's.
func TestFloatTextUpstream(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	module := mlir.NewModule()
	for range 400 {
		for _, elem := range []mlir.Type{mlir.F32, mlir.F64, mlir.F16, mlir.BF16} {
			v := math.Ldexp(rng.Float64()-0.5, rng.IntN(30)-15)
			if rng.IntN(2) == 0 {
				v = math.Round(v*1000) / 1000
			}
			if rng.IntN(4) == 0 {
				v = math.Round(v)
			}
			b := mlir.At(module.Body())
			b.Create("arith.constant", nil, []mlir.Type{elem},
				mlir.Attrs{{Name: "value", Value: mlir.RoundedFloat(v, elem)}})
		}
	}
	text := module.Text(mlir.PrintOptions{})
	theirs := strings.Split(mlirtest.Upstream(t, text, "mlir-opt-19"), "\n")
	for i, line := range strings.Split(text, "\n") {
		if theirs[i] != line {
			t.Fatalf("line %d:\n got %s\nwant %s", i+1, line, theirs[i])
		}
	}
}

// TestResource: large weights go to the end of the text, where mlir-opt reads them.
func TestResource(t *testing.T) {
	data := make([]byte, 4<<20)
	for i := range data {
		data[i] = byte(i * 7)
	}
	weights := mlir.TensorType{Shape: []int{1024, 1024}, Elem: mlir.F32}
	module := mlir.NewModule()
	for range 2 { // the second uses the same bytes
		mlir.At(module.Body()).Create("arith.constant", nil, []mlir.Type{weights},
			mlir.Attrs{{Name: "value", Value: mlir.ResourceAttr{Key: "conv.weight", Type: weights, Data: data}}})
	}
	text := module.Text(mlir.PrintOptions{})
	if len(text) > 2*len(data)+1000 {
		t.Errorf("the bytes are printed more than once: %d", len(text))
	}
	again, err := mlir.Parse("weights.mlir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	got := again.Body().Ops[1].Attrs.Get("value").(mlir.ResourceAttr)
	if !bytes.Equal(got.Data, data) {
		t.Error("the bytes differ")
	}
	if elided := module.Text(mlir.PrintOptions{ElideLargerThan: 10}); len(elided) > 1000 {
		t.Errorf("elided text of %d bytes", len(elided))
	}
	mlirtest.Upstream(t, text, "mlir-opt-19")
}

func TestResourceSize(t *testing.T) {
	const text = `"a.b"() {v = dense_resource<k> : tensor<4xi32>} : () -> ()
{-# dialect_resources: {builtin: {k: "0x0400000001020304"}} #-}`
	_, err := mlir.Parse("short.mlir", []byte(text))
	if err == nil || !strings.Contains(err.Error(), "does not hold a tensor<4xi32>") {
		t.Errorf("got %v", err)
	}
}

func TestOfType(t *testing.T) {
	to := mlir.TensorType{Shape: []int{2}, Elem: mlir.IntegerType{Width: 32}}
	from := mlir.TensorType{Shape: []int{2}, Elem: mlir.IntegerType{Width: 32, Signedness: mlir.Signed}}
	data := make([]byte, 8)
	require.Equal(t, mlir.DenseAttr{Type: to, Data: data}, mlir.OfType(mlir.DenseAttr{Type: from, Data: data}, to))
	require.Equal(t, mlir.ResourceAttr{Key: "w", Type: to, Data: data}, mlir.OfType(mlir.ResourceAttr{Key: "w", Type: from, Data: data}, to))
	require.Nil(t, mlir.OfType(mlir.StringAttr("text"), to))
	require.Nil(t, mlir.OfType(nil, to))
}

// TestOneValueForNoElements: a value that stands for all elements is no data where there are none.
func TestOneValueForNoElements(t *testing.T) {
	for _, text := range []string{"dense<(1,2)> : tensor<0xcomplex<i32>>", "dense<1> : tensor<0xi32>"} {
		m, err := mlir.Parse("x.mlir", []byte(`"t.t"() {a = `+text+`} : () -> ()`))
		require.NoError(t, err)
		require.Empty(t, m.Body().Ops[0].Attrs.Get("a").(mlir.DenseAttr).Data, text)
	}
}
