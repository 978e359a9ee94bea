package tileexact_test

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/kernel/native"
	"github.com/go-acap/acap/mlir/importer/torchscript"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
)

// weights are random: vectors about one, so that they may be variances, and
// matrices that keep the size of what they multiply.
func weights(size int, r *rand.Rand) []byte {
	var out []byte
	for range size / 4 {
		v := 0.5 + r.Float64()
		if size > 2048 {
			v = (2*r.Float64() - 1) * 2 / math.Sqrt(float64(size/4))
		}
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(v)))
	}
	return append(out, make([]byte, size%4)...)
}

// restore reads a model of the importer's tests, which come without weights: the
// sizes of the storages stand in sizes.txt.
func restore(t *testing.T, name string, r *rand.Rand) *torchscript.Model {
	z, err := zip.OpenReader("../../../mlir/importer/torchscript/testdata/models/" + name + ".zip")
	require.NoError(t, err)
	defer z.Close()
	var file bytes.Buffer
	to := zip.NewWriter(&file)
	add := func(name string, body []byte) {
		w, err := to.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		require.NoError(t, err)
		_, err = w.Write(body)
		require.NoError(t, err)
	}
	for _, f := range z.File {
		from, err := f.Open()
		require.NoError(t, err)
		if f.Name == "sizes.txt" {
			for lines := bufio.NewScanner(from); lines.Scan(); {
				var name string
				var size int
				_, err := fmt.Sscan(lines.Text(), &name, &size)
				require.NoError(t, err)
				add(name, weights(size, r))
			}
			continue
		}
		body, err := io.ReadAll(from)
		require.NoError(t, err)
		add(f.Name, body)
	}
	require.NoError(t, to.Close())
	m, err := torchscript.Read(bytes.NewReader(file.Bytes()), int64(file.Len()), name+".pt")
	require.NoError(t, err)
	return m
}

// TestModels walks every kernel of whole models. Only a table that no core can
// hold may be left out.
func TestModels(t *testing.T) {
	for _, c := range []struct {
		name    string
		input   []int
		tokens  int // 0 for images
		skipped int
	}{
		{"mlp", []int{4, 784}, 0, 0},
		{"lenet", []int{2, 1, 28, 28}, 0, 0},
		{"resnet_narrow", []int{1, 3, 64, 64}, 0, 0},
		{"mobilenetv2_narrow", []int{1, 3, 64, 64}, 0, 1},
		{"gpt_tiny", []int{2, 16}, 97, 0},
		{"vit_tiny", []int{1, 3, 32, 32}, 0, 0},
		{"lstm", []int{2, 7}, 50, 0},
		{"unet_tiny", []int{1, 1, 16, 16}, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, 6))
			input := ops.S(c.input...).Fill(r)
			if c.tokens > 0 {
				input = buf.New(dtype.I64, c.input)
				for i := range input.Len() {
					input.SetInt64(i, int64(r.IntN(c.tokens)))
				}
			}
			module, err := restore(t, c.name, r).Import([]ops.TensorType{{DType: input.DType,
				Shape: c.input}})
			require.NoError(t, err)
			check := &tileexact.Checker{Machine: preset(t, "npu1"), Native: native.Compile}
			exe, err := compiler.CompileWith(context.Background(), module, check.Backend)
			require.NoError(t, err)
			defer exe.Close()
			_, err = exe.Run(context.Background(), []*buf.Buffer{input})
			require.NoError(t, err)
			y := tally{reasons: make(map[string]int)}
			y.add(t, c.name, check.Kernels)
			y.log(t, c.name)
			if y.all == 0 || y.walked < y.all-c.skipped {
				t.Errorf("%d of %d kernels walked", y.walked, y.all)
			}
		})
	}
}
