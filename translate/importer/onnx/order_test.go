package onnx

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
)

// TestOrder: nodes that stand before those whose results they need, themselves or their branches, run behind them.
func TestOrder(t *testing.T) {
	flag := func(v int64) []byte { return putIntegers("flag", v) }
	side := func(name string, value string) []byte { return graphAttribute(name, putBytes(12, putText(1, value))) }
	nodes := [][]byte{
		putNode("", "Neg", []string{"b"}, []string{"y"}),
		putNode("", "If", []string{"c"}, []string{"b"}, side("then_branch", "a"), side("else_branch", "d")),
		putNode("", "Cast", []string{"one"}, []string{"c"}, intAttribute("to", 9)),
		putNode("", "Squeeze", []string{"flag"}, []string{"one"}),
		putNode("", "Mul", []string{"a", "a"}, []string{"d"}),
		putNode("", "Add", []string{"x", "x"}, []string{"a"}),
	}
	model := func(parts ...[]byte) []byte {
		return putModel(16, putGraph(append(parts, putValue(11, "x", 1, 1), putValue(12, "y", 1, 1))...))
	}
	for v, want := range map[int64]float32{0: -36, 1: -6} {
		got := runModel(t, model(append(nodes, flag(v))...), buf.From([]float32{3}, 1))
		require.Equal(t, []float32{want}, buf.Slice[float32](got[0]))
	}
	m, err := Read(model(putNode("", "Neg", []string{"z"}, []string{"y"}), putNode("", "Neg", []string{"y"}, []string{"z"})), "m")
	require.NoError(t, err)
	_, err = m.Import([]ops.TensorType{f32(1)})
	require.ErrorContains(t, err, "is the result of no node before")
}
