package tileexact_test

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer/torchscript"
)

// weights are random: vectors are about one, because variances are positive, and matrices keep the magnitude of their
// operands.
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
// sizes of the storages are in sizes.txt.
func restore(t *testing.T, name string, r *rand.Rand) *torchscript.Model {
	z, err := zip.OpenReader("../../../translate/importer/torchscript/testdata/models/" + name + ".zip")
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

// TestModels walks every kernel of whole models.
func TestModels(t *testing.T) { on(t, walkModels) }

func walkModels(t *testing.T, m *machine.Machine) {
	for i, c := range []struct {
		name   string
		input  []int
		tokens int // 0 for images
	}{
		{"mlp", []int{4, 784}, 0},
		{"lenet", []int{2, 1, 28, 28}, 0},
		{"resnet_narrow", []int{1, 3, 64, 64}, 0},
		{"mobilenetv2_narrow", []int{1, 3, 64, 64}, 0},
		{"gpt_tiny", []int{2, 16}, 97},
		{"vit_tiny", []int{1, 3, 32, 32}, 0},
		{"lstm", []int{2, 7}, 50},
		{"unet_tiny", []int{1, 1, 16, 16}, 0},
	} {
		if !longtest.On() && i%4 > 0 {
			continue // a usual run has every fourth model
		}
		if longtest.On() && (i+slices.Index(arrays, m.Name))%2 > 0 {
			continue // a long run has each model on every second array
		}
		r := rand.New(rand.NewPCG(5, 6))
		input := ops.S(c.input...).Fill(r)
		if c.tokens > 0 {
			input = buf.New(dtype.I64, c.input)
			for i := range input.Len() {
				input.SetInt64(i, int64(r.IntN(c.tokens)))
			}
		}
		module, err := restore(t, c.name, r).Import([]ops.TensorType{{DType: input.DType, Shape: c.input}})
		require.NoError(t, err)
		if n := run(t, c.name, m, module, []*buf.Buffer{input}); n == 0 {
			t.Errorf("%s has no kernels", c.name)
		}
	}
}
