package upstream_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/upstream"
)

func program(t testing.TB, text string, inputs ...*buf.Buffer) upstream.Program {
	t.Helper()
	module, err := mlir.Parse("program.mlir", []byte(text))
	require.NoError(t, err)
	return upstream.Program{Module: module, Inputs: inputs}
}

func find(t testing.TB) {
	err := upstream.Find()
	if err != nil && upstream.Required() {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip(err)
	}
}

const scaled = `func.func private @twice(%%x: tensor<3xf32>) -> tensor<3xf32> {
  %%0 = arith.addf %%x, %%x : tensor<3xf32>
  return %%0 : tensor<3xf32>
}
func.func @main(%%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %%c = arith.constant dense<%d.0> : tensor<3xf32>
  %%0 = func.call @twice(%%x) : (tensor<3xf32>) -> tensor<3xf32>
  %%1 = arith.mulf %%0, %%c : tensor<3xf32>
  return %%1, %%x : tensor<3xf32>, tensor<3xf32>
}`

// TestRun: many programs run in one module. A program that mlir-opt refuses, one that ends the process and one of an
// unknown type do not disturb the others.
func TestRun(t *testing.T) {
	find(t)
	x := buf.From([]float32{1, 2, 3}, 3)
	var programs []upstream.Program
	for i := range 5 {
		programs = append(programs, program(t, fmt.Sprintf(scaled, i), x))
	}
	programs[1] = program(t, `func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "no.such"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}`, x)
	programs[3] = program(t, `func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %i = arith.constant 0x10000000000000 : index
  %0 = tensor.extract %x[%i] : tensor<3xf32>
  %1 = tensor.from_elements %0, %0, %0 : tensor<3xf32>
  return %1 : tensor<3xf32>
}`, x)
	programs = append(programs, program(t, `func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}`, x))
	outcomes, err := upstream.Run(context.Background(), programs)
	require.NoError(t, err)
	for _, i := range []int{0, 2, 4} {
		require.NoError(t, outcomes[i].Err)
		require.Equal(t, []float32{2 * float32(i), 4 * float32(i), 6 * float32(i)}, buf.Slice[float32](outcomes[i].Results[0]))
		require.Equal(t, []float32{1, 2, 3}, buf.Slice[float32](outcomes[i].Results[1]))
	}
	require.ErrorContains(t, outcomes[1].Err, "unregistered dialect")
	require.Error(t, outcomes[3].Err)
	require.ErrorContains(t, outcomes[5].Err, "known extents")
}

// TestTypes: elements come back as they went, of every type.
func TestTypes(t *testing.T) {
	find(t)
	var programs []upstream.Program
	for i, elem := range []string{"i1", "i8", "ui8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"} {
		text := "func.func @main(%x: tensor<2x1xE>, %y: tensor<E>) -> (tensor<2x1xE>, tensor<E>) {\n" +
			"  return %x, %y : tensor<2x1xE>, tensor<E>\n}"
		text = strings.ReplaceAll(text, "E", elem)
		p := program(t, text)
		for _, v := range p.Module.Func("main").Body().Args {
			tt := v.Type.(mlir.TensorType)
			b := buf.New(mlir.DTypeOf(tt.Elem), tt.Shape)
			for k := range b.Bytes() {
				b.Bytes()[k] = byte(1 + 37*(k+i))
				if elem == "i1" {
					b.Bytes()[k] &= 1
				}
			}
			p.Inputs = append(p.Inputs, b)
		}
		programs = append(programs, p)
	}
	outcomes, err := upstream.Run(context.Background(), programs)
	require.NoError(t, err)
	for i, o := range outcomes {
		require.NoError(t, o.Err)
		for k, r := range o.Results {
			in := programs[i].Inputs[k]
			require.Equal(t, in.DType, r.DType)
			require.Equal(t, in.Shape, r.Shape)
			require.Equal(t, in.Bytes(), r.Bytes(), in.DType)
		}
	}
}

func Example() {
	module, _ := mlir.Parse("double", []byte(`func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = arith.addf %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}`))
	outcomes, err := upstream.Run(context.Background(), []upstream.Program{
		{Module: module, Inputs: []*buf.Buffer{buf.From([]float32{1, 2}, 2)}}})
	if err != nil {
		fmt.Println("the tools are not installed")
		return
	}
	fmt.Println(buf.Slice[float32](outcomes[0].Results[0]))
}
