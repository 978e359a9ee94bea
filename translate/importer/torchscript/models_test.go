package torchscript

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect/arith"
	_ "github.com/go-acap/acap/mlir/dialect/aten"
	_ "github.com/go-acap/acap/mlir/dialect/builtin"
	_ "github.com/go-acap/acap/mlir/dialect/func"
	"github.com/go-acap/acap/ops"
)

// The files of testdata/models are models that PyTorch 1.13 traced, without their weights: the
// sizes of the storages stand in sizes.txt. Their programs are whole.
var models = []struct {
	name       string
	parameters int
	inputs     []ops.TensorType
	result     string
}{
	{"mlp", 4, input(dtype.F32, 4, 784), "tensor<4x10xf32>"},
	{"lenet", 10, input(dtype.F32, 2, 1, 28, 28), "tensor<2x10xf32>"},
	{"resnet_narrow", 74, input(dtype.F32, 1, 3, 64, 64), "tensor<1x10xf32>"},
	{"mobilenetv2_narrow", 98, input(dtype.F32, 1, 3, 64, 64), "tensor<1x10xf32>"},
	{"gpt_tiny", 29, input(dtype.I64, 2, 16), "tensor<2x16x97xf32>"},
	{"vit_tiny", 32, input(dtype.F32, 1, 3, 32, 32), "tensor<1x10xf32>"},
	{"lstm", 19, input(dtype.I64, 2, 7), "tensor<2x5xf32>"},
	{"unet_tiny", 20, input(dtype.F32, 1, 1, 16, 16), "tensor<1x1x16x16xf32>"},
}

func input(d dtype.DType, dims ...int) []ops.TensorType {
	return []ops.TensorType{{DType: d, Shape: dims}}
}

// restore returns the .pt file of a model with zeros for weights.
func restore(t *testing.T, name string) []byte {
	z, err := zip.OpenReader("testdata/models/" + name + ".zip")
	require.NoError(t, err)
	defer z.Close()
	var members []member
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		if f.Name == "sizes.txt" {
			lines := bufio.NewScanner(r)
			for lines.Scan() {
				var name string
				var size int
				_, err := fmt.Sscan(lines.Text(), &name, &size)
				require.NoError(t, err)
				members = append(members, member{name, string(make([]byte, size))})
			}
			continue
		}
		body, err := io.ReadAll(r)
		require.NoError(t, err)
		members = append(members, member{f.Name, string(body)})
	}
	return pack(t, members...)
}

func TestModels(t *testing.T) {
	for _, c := range models {
		t.Run(c.name, func(t *testing.T) {
			m, err := read(restore(t, c.name))
			require.NoError(t, err)
			assert.Len(t, m.Parameters(), c.parameters)
			module, err := m.Import(c.inputs)
			if unknown := (*ops.UnknownError)(nil); errors.As(err, &unknown) {
				t.Skipf("the operator set is not complete: %v", err)
			}
			require.NoError(t, err)

			block := module.Func("main").Body()
			require.Len(t, block.Terminator().Operands, 1)
			assert.Equal(t, c.result, block.Terminator().Operands[0].Type.String())
			used := map[string]bool{}
			for _, op := range block.Ops {
				assert.True(t, strings.HasPrefix(op.Loc.File, "code/__torch__"), "%v", op.Loc)
				if op.Name == "arith.constant" {
					used[op.Result().Name] = true
				}
			}
			for _, p := range m.Parameters() {
				assert.Equal(t, !strings.HasSuffix(p.Name, "num_batches_tracked"), used[p.Name], p.Name)
			}

			text := module.Text(mlir.PrintOptions{Locations: true})
			back, err := mlir.Parse(c.name+".mlir", []byte(text))
			require.NoError(t, err)
			assert.Equal(t, text, back.Text(mlir.PrintOptions{Locations: true}))
		})
	}
}
