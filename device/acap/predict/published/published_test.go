package published_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict/published"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

func npu2(t *testing.T) *machine.Machine {
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	return m
}

func product(m, n, k int) *workload.Kernel {
	return &workload.Kernel{Name: "product", Kind: workload.KindContraction, Contraction: workload.Contraction{Batch: 1, M: m, N: n, K: k,
		A: workload.Operand{DType: dtype.BF16}, B: workload.Operand{DType: dtype.BF16}, Acc: dtype.F32, Out: dtype.BF16}}
}

// TestProduct: on all cores, tiles divide the matrices where some do, and are those of the builders: 32 rows at most in
// front of 4e9 multiply-accumulates, 64 from there on.
func TestProduct(t *testing.T) {
	m := npu2(t)
	for _, c := range []struct {
		m, n, k int
		style   string
		most    int
		divided bool
	}{
		{256, 512, 256, "drain", 32, true}, {2048, 2048, 512, "drain", 32, true}, {2048, 2048, 2048, "fused-cast", 64, true}, {100, 100, 96, "drain", 32, false},
	} {
		k := product(c.m, c.n, c.k)
		g, err := published.Product(m, k)
		require.NoError(t, err)
		require.Equal(t, m.Grid.Cores(), g.Cols*g.Rows)
		require.Equal(t, c.style, g.Style)
		require.LessOrEqual(t, g.TM, c.most)
		require.NoError(t, published.Fits(m, k, &g))
		if c.divided {
			require.Zero(t, c.m%(g.PartsM*g.TM)+c.n%(g.PartsN*g.TN)+c.k%g.KL2)
		}
		_, err = timing.Estimate(m, k, g)
		require.NoError(t, err)
	}
}

// TestOurs: a mapping has the number of cores that a kernel was measured on, more cores than there are is an error, and
// no mapping is faster than one on all cores.
func TestOurs(t *testing.T) {
	m := npu2(t)
	k := published.Rows("rmsnorm", dtype.BF16, 256, 2048)
	seconds := func(cores int) float64 {
		g, err := published.Ours(m, &k, cores)
		require.NoError(t, err)
		if cores > 0 {
			require.Equal(t, cores, g.Cols*g.Rows)
		}
		e, err := timing.Estimate(m, &k, g)
		require.NoError(t, err)
		return e.Seconds
	}
	all := seconds(0)
	for _, cores := range []int{1, 2, 8} {
		require.GreaterOrEqual(t, seconds(cores), all)
	}
	_, err := published.Ours(m, &k, m.Grid.Cores()+1)
	require.ErrorContains(t, err, "npu2 has 32")
}

// TestStreams: kernels read and write what their definitions do: each element once for each input, and parameters of a
// row once.
func TestStreams(t *testing.T) {
	elements := func(streams []workload.Stream) (sum int64) {
		for _, s := range streams {
			sum += s.Elements
		}
		return sum
	}
	for name, read := range map[string]int64{"relu": 1, "gelu": 1, "eltwise_add": 2, "silu_mul": 2} {
		k := published.Pointwise(name, dtype.BF16, 1000)
		require.NoError(t, k.Check())
		require.True(t, published.IsPointwise(name))
		require.Equal(t, read*1000, elements(k.Pointwise.In), name)
		require.Equal(t, int64(1000), elements(k.Pointwise.Out), name)
	}
	for name, read := range map[string]int64{"softmax": 8 * 64, "rope": 2 * 8 * 64, "rmsnorm": 9 * 64, "layernorm": 10 * 64} {
		k := published.Rows(name, dtype.F32, 8, 64)
		require.NoError(t, k.Check())
		require.False(t, published.IsPointwise(name))
		require.Equal(t, read, elements(k.Normalize.In), name)
		require.Equal(t, int64(8*64), elements(k.Normalize.Out), name)
	}
}

// TestAttention: the published mapping of attention is of the 32 cores of npu2, and an array with fewer columns or
// without the kernels has none.
func TestAttention(t *testing.T) {
	m := npu2(t)
	for _, masked := range []bool{false, true} {
		g, ok := published.Attention(m, masked)
		require.True(t, ok)
		require.Equal(t, masked, g.Masked)
		require.Equal(t, 32, g.Cols*g.Rows)
	}
	narrow := *m
	narrow.Grid.Cols = 4
	_, ok := published.Attention(&narrow, false)
	require.False(t, ok)
	npu1, err := machine.Preset("npu1")
	require.NoError(t, err)
	_, ok = published.Attention(npu1, false)
	require.False(t, ok)
}

// TestVector: a core of each column takes whole rows; the tiles are as large as a mem tile has space for, and divide
// the rows.
func TestVector(t *testing.T) {
	m := npu2(t)
	k := product(8192, 1, 2048)
	g, err := published.Vector(m, k)
	require.NoError(t, err)
	require.NoError(t, published.Fits(m, k, &g))
	require.Equal(t, []int{m.Grid.Cols, 1}, []int{g.Cols, g.Rows})
	require.Equal(t, 2048, g.TK)
	require.Zero(t, 8192%(m.Grid.Cols*g.TM))
}

// TestFits: a tile that no core has space for, one that no mem tile has space for and a slice that tiles do not divide
// are refused.
func TestFits(t *testing.T) {
	m := npu2(t)
	k := product(4096, 4096, 4096)
	g, err := published.Product(m, k)
	require.NoError(t, err)
	for _, change := range []func(){func() { g.TM, g.TN = 512, 512 }, func() { g.KL2 = g.TK + 1 }} {
		kept := g
		change()
		require.Error(t, published.Fits(m, k, &g))
		g = kept
	}
}
