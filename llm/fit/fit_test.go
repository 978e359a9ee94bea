package fit_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/go-acap/acap/base/longtest/heap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/llm/fit"
	"github.com/go-acap/acap/llm/fit/fittest"
	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/mlir"
)

// sizes are the sizes of a model of 1.8 million weights.
var sizes = llmtest.Sizes{Layers: 2, Width: 256, Heads: 4, KVHeads: 2, Hidden: 512, Vocabulary: 1024, Context: 2048, Seed: 1}

func write(t *testing.T) string {
	path := llmtest.File(t, sizes)
	return path
}

// TestParts: weights and cache by hand. The file has f32; the table of embeddings is looked up in the file and not
// held.
func TestParts(t *testing.T) {
	r, err := fit.Model(write(t), fit.Options{Length: 1000, Sequences: 2, Memory: 1 << 30})
	require.NoError(t, err)
	layer := 256*(256+128+128+256) + 3*256*512 + 2*256 // q, k, v and output; gate, up and down; two norms
	weights := 4 * (2*layer + 256 + 1024*256)          // the last norm, and the head
	places := (2000+31)/32*32 + 32                     // whole pages, and the one of nobody
	cache := 2 * 2 * 2 * 64 * places * 2               // keys and values, layers, heads, width; f16
	bytes := map[string]int64{}
	sum := int64(0)
	for _, p := range r.Parts {
		bytes[p.Name] = p.Bytes
		sum += p.Bytes
	}
	require.EqualValues(t, weights, bytes["weights"])
	require.EqualValues(t, cache, bytes["cache"])
	require.Equal(t, sum, r.Needs)
	require.True(t, r.Fits)
	require.Equal(t, 2048, r.Longest, "all of what the model was made for")
}

// TestLongest: the longest sequences that fit do, and sequences of one token more do not.
func TestLongest(t *testing.T) {
	path := write(t)
	some, err := fit.Model(path, fit.Options{Length: 1000, Memory: 1 << 30})
	require.NoError(t, err)
	r, err := fit.Model(path, fit.Options{Length: 2048, Memory: some.Needs})
	require.NoError(t, err)
	require.False(t, r.Fits)
	require.GreaterOrEqual(t, r.Longest, 1000)
	require.ErrorContains(t, r.Err(), fmt.Sprintf("up to %d tokens of each sequence fit", r.Longest))
	for more, fits := range map[int]bool{0: true, 1: false} {
		r, err := fit.Model(path, fit.Options{Length: r.Longest + more, Memory: some.Needs})
		require.NoError(t, err)
		require.Equal(t, fits, r.Fits, more)
	}
	none, err := fit.Model(path, fit.Options{Memory: 1 << 20})
	require.NoError(t, err)
	require.Zero(t, none.Longest)
	require.NotContains(t, none.Verdict(), "up to")
}

// TestTimes: a prompt is its pieces, and a token waits for what it reads at least: the weights of all products, as
// bf16.
func TestTimes(t *testing.T) {
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	r, err := fit.Model(write(t), fit.Options{Length: 600, Memory: 1 << 30, Machine: m})
	require.NoError(t, err)
	products := int64(2*(256*(256+128+128+256)+3*256*512) + 1024*256)
	require.Greater(t, r.Token.Read, 2*products)
	require.Greater(t, r.Token.Seconds, float64(2*products)/m.DDR.Read.Value)
	require.Less(t, r.Token.Seconds, r.Prompt.Seconds)
	require.Equal(t, 2*r.Token.Kernels, r.Prompt.Kernels, "599 tokens are two pieces")
	require.Contains(t, r.String(), "a token behind 599 on npu2")
}

func TestModule(t *testing.T) {
	module, err := mlir.Parse("m", []byte(`func.func @main(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
		%0 = "aten.relu"(%a) : (tensor<64x128xf32>) -> tensor<64x128xf32>
		return %0 : tensor<64x128xf32> }`))
	require.NoError(t, err)
	npu1, err := machine.Preset("npu1")
	require.NoError(t, err)
	r, err := fit.Module("m", module, fit.Options{Memory: 1 << 20, Machine: npu1})
	require.NoError(t, err)
	require.False(t, r.Fits)
	require.EqualValues(t, 64*128*4, r.Parts[0].Bytes, "the input: there are no weights")
	require.GreaterOrEqual(t, r.Parts[1].Bytes, int64(64*128*4), "the result")
	require.EqualValues(t, 64*128*4, r.Run.Read)
	require.Positive(t, r.Run.Joules)
}

// recorder is a test that only notes why it failed.
type recorder struct{ said string }

func (r *recorder) Helper()                           {}
func (r *recorder) Fatalf(format string, args ...any) { r.said = fmt.Sprintf(format, args...) }

func TestHelper(t *testing.T) {
	path := write(t)
	for memory, says := range map[string]string{"1G": "", "2M": "does not fit", "many": "want a size in bytes"} {
		r := new(recorder)
		fittest.Fits(r, path, memory, fit.Options{})
		require.Contains(t, r.said, says, memory)
		require.Equal(t, says == "", r.said == "", memory)
	}
	r := new(recorder)
	fittest.Fits(r, path, "1G", fit.Options{Length: 4096})
	require.Contains(t, r.said, "was made for up to 2048")
	fittest.Fits(r, path+"x", "1G", fit.Options{})
	require.Contains(t, r.said, "no such file")
}
