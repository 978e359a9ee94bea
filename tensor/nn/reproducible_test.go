package nn_test

import (
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"hash"
	"math"
	"os"
	"runtime"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/emulator"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// reproducible are networks and the shape of one of their inputs.
var reproducible = map[string]struct {
	make  func() nn.Module
	shape []int
}{
	"linear": {func() nn.Module { return nn.NewLinear(700, 30) }, []int{700}},
	"tiny":   {func() nn.Module { return nn.NewLinear(3, 2) }, []int{3}},
	"gelu": {func() nn.Module {
		return nn.Sequential(nn.NewLinear(20, 64), nn.Func(func(x *tensor.Tensor) *tensor.Tensor { return x.GELU() }), nn.NewLinear(64, 5))
	}, []int{20}},
	"tanh": {func() nn.Module {
		return nn.Sequential(nn.NewLinear(20, 64), act((*tensor.Tensor).Tanh), nn.NewLinear(64, 5))
	}, []int{20}},
	"conv":      {func() nn.Module { return nn.Sequential(nn.NewConv2d(3, 32, 7), act((*tensor.Tensor).ReLU)) }, []int{3, 40, 40}},
	"conv 3x3":  {func() nn.Module { return nn.NewConv2d(40, 40, 3) }, []int{40, 16, 16}},
	"depthwise": {func() nn.Module { return nn.Sequential(nn.NewDepthwiseConv2d(9, 3), nn.NewConv2d(9, 20, 1)) }, []int{9, 12, 12}},
	"norm": {func() nn.Module {
		return nn.Sequential(nn.NewConv2d(4, 8, 3), nn.NewBatchNorm2d(8), nn.NewGroupNorm(2, 8))
	}, []int{4, 9, 9}},
	"layernorm": {func() nn.Module { return nn.NewLayerNorm(300) }, []int{7, 300}},
	"rmsnorm":   {func() nn.Module { return nn.NewRMSNorm(129) }, []int{5, 129}},
	"softmax":   {func() nn.Module { return nn.Func(func(x *tensor.Tensor) *tensor.Tensor { return x.Softmax(-1) }) }, []int{3, 90}},
	"lstm":      {func() nn.Module { return nn.NewLSTM(16, 24) }, []int{6, 16}},
	"gru":       {func() nn.Module { return nn.NewGRU(16, 24) }, []int{6, 16}},
	"encoder":   {func() nn.Module { return nn.NewTransformerEncoderLayer(32, 4, 64) }, []int{20, 32}},
	"rnn":       {func() nn.Module { return nn.NewRNN(12, 20) }, []int{9, 12}},
	"residual": {func() nn.Module {
		return nn.Sequential(nn.NewConv2d(6, 6, 3), nn.NewBatchNorm2d(6),
			act(func(x *tensor.Tensor) *tensor.Tensor { return x.Add(x.Tanh()) }), nn.NewConv2d(6, 6, 3))
	}, []int{6, 12, 12}},
	"silu": {func() nn.Module {
		return nn.Sequential(nn.NewLinear(24, 40), act((*tensor.Tensor).SiLU), nn.NewRMSNorm(40), nn.NewLinear(40, 7))
	}, []int{11, 24}},
	"transposed": {func() nn.Module {
		return nn.Sequential(nn.NewConvTranspose2d(5, 7, 3), nn.NewInstanceNorm(7, true), act((*tensor.Tensor).Sigmoid))
	}, []int{5, 10, 10}},
	"decoder": {func() nn.Module {
		layers := nn.NewTransformerEncoder(2, 24, 3, 48, nn.Causal())
		return nn.Sequential(layers, nn.NewLayerNorm(24), nn.NewLinear(24, 100), act(func(x *tensor.Tensor) *tensor.Tensor { return x.Softmax(-1) }))
	}, []int{17, 24}},
	"causal": {func() nn.Module { return nn.NewTransformerEncoderLayer(32, 2, 64, nn.Causal()) }, []int{70, 32}},
	"packed": {func() nn.Module {
		packed := make([]uint8, 40*68) // rows of two blocks of 32 bytes and their scale
		for i := range packed {
			packed[i] = uint8(37 * i)
			if i%34 < 2 {
				packed[i] = []uint8{uint8(i), 0x24}[i%34]
			}
		}
		return act(func(x *tensor.Tensor) *tensor.Tensor {
			return tensor.Pack(tensor.FromSlice(packed, 40, 68).To(x.Device()), dtype.Q8_0).Rounded().Linear(x, nil)
		})
	}, []int{30, 64}},
}

type act func(x *tensor.Tensor) *tensor.Tensor

func (f act) Forward(x *tensor.Tensor) *tensor.Tensor { return f(x) }

// digestsOf computes every network for batches of 1, 3 and 8 with 1 and 2 threads, and returns the digests of the
// results of the first input: there must be one digest for each network.
func digestsOf(t *testing.T, config device.Config) map[string]map[string]bool {
	dev, err := device.Configure(host.Device(), config)
	require.NoError(t, err)
	out := map[string]map[string]bool{}
	for name, r := range reproducible {
		out[name] = map[string]bool{}
		for _, threads := range []string{"1", "2"} {
			t.Setenv("ACAP_THREADS", threads)
			for _, batch := range longtest.Some(2, 1, 8, 3) {
				tensor.Seed(5)
				m := r.make()
				nn.Eval(m)
				nn.To(m, dev)
				first := tensor.Rand(append([]int{1}, r.shape...)...)
				rest := tensor.Rand(append([]int{batch}, r.shape...)...)
				x := tensor.Cat([]*tensor.Tensor{first, rest}).Narrow(0, 0, batch).To(dev)
				y := m.Forward(x).Select(0, 0)
				h := sha256.New()
				write(h, y.Float64s())
				out[name][fmt.Sprintf("%x", h.Sum(nil)[:8])] = true
			}
		}
	}
	return out
}

func write(h hash.Hash, list []float64) {
	for _, v := range list {
		binary.Write(h, binary.LittleEndian, math.Float32bits(float32(v)))
	}
}

var updateDigests = flag.Bool("update-digests", false, "write the digests of reproducible networks to testdata")

// TestReproducible: with the config, one row of a batch has the same bits in any batch, with any number of threads,
// at every level of kernels, each in a process of its own, and on every architecture: the digests are those recorded,
// which
//
//	ACAP_EMULATOR=qemu-aarch64 GOARCH=arm64 go test -exec qemu-aarch64 -run TestReproducible ./tensor/nn
//
// compares on another processor.
func TestReproducible(t *testing.T) {
	var lines []string
	for name, digests := range digestsOf(t, device.Config{}.WithReproducible(true)) {
		require.Len(t, digests, 1, name)
		for d := range digests {
			lines = append(lines, "digest "+name+" "+d)
		}
	}
	sort.Strings(lines)
	if os.Getenv("ACAP_KERNELS") != "" {
		fmt.Println(strings.Join(lines, "\n"))
		return
	}
	const record = "testdata/reproducible.txt"
	if *updateDigests {
		require.NoError(t, os.WriteFile(record, []byte(strings.Join(lines, "\n")+"\n"), 0o644))
	}
	recorded, err := os.ReadFile(record)
	require.NoError(t, err)
	require.Equal(t, strings.Split(strings.TrimSpace(string(recorded)), "\n"), lines)
	levels := []string{"portable", "avx2"}
	if runtime.GOARCH != "amd64" {
		levels = levels[:1]
	}
	for _, level := range levels {
		cmd := emulator.Again("-test.run=^TestReproducible$")
		cmd.Env = append(os.Environ(), "ACAP_KERNELS="+level)
		text, err := cmd.CombinedOutput()
		if strings.Contains(string(text), "the level of this machine") {
			continue
		}
		require.NoError(t, err, "%s", text)
		var other []string
		for _, l := range strings.Split(string(text), "\n") {
			if strings.HasPrefix(l, "digest ") {
				other = append(other, l)
			}
		}
		require.Equal(t, lines, other, level)
	}
}
