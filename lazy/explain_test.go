package lazy_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/trace"
)

// matrix is positive definite.
func matrix(n int) *trace.Node {
	b := buf.New(dtype.F32, []int{n, n})
	for i := range n {
		b.SetFloat64(i*n+i, 2)
	}
	return trace.Leaf(b)
}

func TestExplain(t *testing.T) {
	r := newRuntime(t)
	make := func() value {
		x := value{r, matrix(32)}
		return x.call(t, "mm", x.v).call(t, "cholesky").call(t, "relu")
	}
	y := make()
	e, err := lazy.Explain(y)
	require.NoError(t, err)
	require.Nil(t, lazy.Data(y.v), "nothing runs")
	require.Equal(t, 3, e.Calls)
	require.Len(t, e.Kernels, 3)
	require.False(t, e.Cached)
	var kinds []string
	for _, k := range e.Kernels {
		kinds = append(kinds, k.Kind)
		require.NotEmpty(t, k.Calls)
		require.Len(t, k.Where, 1)
	}
	require.Equal(t, []string{"contraction", "host", "pointwise"}, kinds)
	require.Equal(t, []string{"mm"}, e.Kernels[0].Calls)
	require.Positive(t, e.Kernels[0].Cycles)
	require.EqualValues(t, 32*32*32, e.Kernels[0].MACs)
	require.NotEmpty(t, e.Kernels[1].Problem)
	require.EqualValues(t, 4*32*32, e.Inputs)
	require.GreaterOrEqual(t, e.Peak, int64(2*4*32*32))
	require.Contains(t, e.String(), "3 calls in 2 kernels and 1 calls on the host")
	_, err = json.Marshal(e)
	require.NoError(t, err)

	again, err := lazy.Explain(make())
	require.NoError(t, err)
	require.True(t, again.Cached)
	require.Equal(t, e.Key, again.Key)

	a, err := lazy.ExplainAnalyze(context.Background(), y)
	require.NoError(t, err)
	require.NotNil(t, lazy.Data(y.v), "it is the barrier")
	z := make()
	require.NoError(t, lazy.Sync(context.Background(), z))
	require.Equal(t, data(z), data(y))
	require.Positive(t, a.Measured)
	for _, k := range a.Kernels {
		require.Positive(t, k.Measured)
	}
	require.Contains(t, a.String(), "measured")
	_, err = lazy.Explain(y)
	require.ErrorContains(t, err, "nothing to explain")
}

// TestExplainPortable: a kernel for which this processor has no machine code says so, and why.
func TestExplainPortable(t *testing.T) {
	if cpu.Detect().Level == cpu.Portable {
		t.Skip("all kernels are portable here")
	}
	r := newRuntime(t)
	x := value{r, leaf(3, 1, 2)}
	e, err := lazy.Explain(x.call(t, "sort"), x.call(t, "exp"))
	require.NoError(t, err)
	for _, k := range e.Kernels {
		if k.Kind == "sort" {
			require.Contains(t, k.Portable, "sorts of 1 lines")
			require.Contains(t, e.String(), k.Name+": runs as portable Go: "+k.Portable)
		} else {
			require.Empty(t, k.Portable)
		}
	}
}

// Lines are the lines of the trace that is explained, whoever compiled the program.
func TestExplainOwnLines(t *testing.T) {
	r := newRuntime(t)
	x := value{r, leaf(1, 2)}
	_, err := lazy.Explain(x.call(t, "neg"))
	require.NoError(t, err)
	trace.Within("here", func() {
		trace.SetLocation(modelLine)
		e, err := lazy.Explain(x.call(t, "neg"))
		require.NoError(t, err)
		require.Equal(t, []string{"model.py:5"}, e.Kernels[0].Where)
		require.Equal(t, "model.py:5", e.Lines[0].Where)
	})
}

var modelLine = mlir.Location{File: "model.py", Line: 5}
