package precision_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/mlirtest"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/passes"
	"github.com/go-acap/acap/translate/passes/precision"
)

func TestAutocast(t *testing.T) {
	mlirtest.Passes(t, "testdata/autocast.mlir", func(names string, module *mlir.Operation) error {
		pipeline, err := passes.Parse(names)
		if err != nil {
			return err
		}
		return pipeline.Run(module)
	})
}

// TestEverySample: whatever the operator, the module stays valid, keeps its signature, and its
// products of f32 are computed in the 16-bit type.
func TestEverySample(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	products := 0
	for _, op := range ops.All() {
		if op.Samples == nil || op.Draws {
			continue
		}
		for _, s := range op.Samples() {
			call, err := op.Functional().NewCall(s.Args(r)...)
			if errors.Is(err, ops.ErrDataDependent) {
				continue
			}
			require.NoError(t, err, op.Name())
			for _, to := range precision.Types() {
				module, _ := call.Program()
				types := mlir.TypesOf(module.Func("main").Body().Terminator().Operands)
				require.NoError(t, precision.Autocast(module, to), op.Name())
				require.NoError(t, mlir.Verify(module), "%s\n%s", op.Name(), module)
				body := module.Func("main").Body()
				for i, v := range body.Ops[len(body.Ops)-1].Operands {
					require.True(t, mlir.SameType(types[i], v.Type), "%s: %v is not %v", op.Name(), v.Type, types[i])
				}
				module.Walk(func(o *mlir.Operation) {
					if precision.PolicyOf(o.Name) != precision.Lower || ops.Lookup(o.Name) == nil {
						return
					}
					for _, v := range o.Operands {
						d := mlir.DTypeOf(v.Type.(mlir.TensorType).Elem)
						require.NotEqual(t, dtype.F32, d, "%s\n%s", op.Name(), module)
					}
					products++
				})
			}
		}
	}
	require.Greater(t, products, 100)
}

// Operators compare what they are given with one another, also in the middle of what they consist of.
func TestValuesAreCompared(t *testing.T) {
	module, err := mlir.Parse("layer.mlir", []byte(`
func.func @main(%x: tensor<1x2x4xf32>, %in: tensor<12x4xf32>, %bias: tensor<12xf32>, %square: tensor<4x4xf32>, %line: tensor<4xf32>)
    -> tensor<1x2x4xf32> {
  %0 = "aten._transformer_encoder_layer_fwd"(%x, %in, %bias, %square, %line, %line, %line, %line, %line, %square, %line, %square, %line)
    {embed_dim = 4 : i64, num_heads = 2 : i64, use_gelu = true, norm_first = true, eps = 1.0e-05 : f64,
     operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0>}
    : (tensor<1x2x4xf32>, tensor<12x4xf32>, tensor<12xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
       tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}`))
	require.NoError(t, err)
	require.NoError(t, precision.Autocast(module, dtype.BF16))
	require.Contains(t, module.String(), "aten.linear", "it is expanded")
	require.NoError(t, mlir.Verify(module))
}

func TestPolicy(t *testing.T) {
	for name, want := range map[string]precision.Policy{
		"aten.linear": precision.Lower, "_convolution": precision.Lower, "convolution_backward": precision.Lower,
		"_softmax": precision.Single, "_softmax_backward_data": precision.Single, "sum.dim_IntList": precision.Single,
		"native_layer_norm_backward": precision.Single, "linalg_matmul": precision.Lower, "linalg_inv": precision.Single,
		"add.Tensor": precision.Widest, "cat": precision.Widest, "relu": precision.Follow, "nonsense": precision.Follow,
	} {
		require.Equal(t, want, precision.PolicyOf(name), name)
	}
}

func TestParseType(t *testing.T) {
	d, err := precision.ParseType("bfloat16")
	require.NoError(t, err)
	require.Equal(t, dtype.BF16, d)
	for _, name := range []string{"f32", "i8", "", "x"} {
		_, err := precision.ParseType(name)
		require.Error(t, err, name)
	}
}

// The table in the guide is the one in the code.
func TestTableInGuide(t *testing.T) {
	guide, err := os.ReadFile("../../../docs/precision.md")
	require.NoError(t, err)
	table := "| computes in | operators |\n|---|---|\n"
	for _, row := range []struct {
		title  string
		policy precision.Policy
	}{{"the 16-bit type, sums in f32", precision.Lower}, {"f32", precision.Single}, {"the widest type of its operands", precision.Widest}} {
		table += "| " + row.title + " | " + strings.Join(precision.Operators(row.policy), ", ") + " |\n"
	}
	table += "| the type of what it is given | all others |\n"
	require.True(t, strings.Contains(string(guide), table), "docs/precision.md needs this table:\n%s", table)
}
