package onnx

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// TestIsRandom: a model is random if any of its nodes is, in subgraphs and functions too, and by its domain's meaning.
func TestIsRandom(t *testing.T) {
	random := putNode("", "RandomNormalLike", []string{"x"}, []string{"y"})
	plain := putNode("", "Relu", []string{"x"}, []string{"y"})
	dropout := func(inputs ...string) []byte { return putNode("", "Dropout", inputs, []string{"y"}) }
	of := func(nodes ...[]byte) []byte {
		return putModel(16, putGraph(append(nodes, putValue(11, "x", 1, 2), putValue(12, "y", 1))...))
	}
	within := func(node []byte) []byte {
		return of(putNode("", "If", []string{"c"}, []string{"y"}, graphAttribute("then_branch", plain, putValue(12, "y", 1)),
			graphAttribute("else_branch", node, putValue(12, "y", 1))))
	}
	function := func(node []byte) []byte {
		call := append(nodeBody("", "F", []string{"x"}, []string{"y"}), putText(7, "mine")...)
		return putModel(16, putBytes(8, putText(1, "mine"), putInt(2, 1)), putBytes(25, putText(1, "F"), putText(10, "mine"),
			putText(4, "x"), putText(5, "y"), putBytes(7, node), putBytes(9, putText(1, ""), putInt(2, 16))),
			putGraph(putBytes(1, call), putValue(11, "x", 1, 2), putValue(12, "y", 1)))
	}
	for _, c := range []struct {
		model []byte
		want  bool
	}{
		{of(plain), false}, {of(random), true}, {of(plain, putNode("", "Multinomial", []string{"x"}, []string{"z"})), true},
		{of(dropout("x")), false}, {of(dropout("x", "p")), false}, {of(dropout("x", "p", "on")), true},
		{of(putBytes(1, nodeBody("", "RandomNormalLike", []string{"x"}, []string{"y"}), putText(7, "mine"))), false},
		{within(plain), false}, {within(random), true},
		{function(nodeBody("", "Relu", []string{"x"}, []string{"y"})), false},
		{function(nodeBody("", "Bernoulli", []string{"x"}, []string{"y"})), true},
	} {
		m, err := Read(c.model, "m")
		require.NoError(t, err)
		require.Equal(t, c.want, m.IsRandom())
	}
}

// TestRandom: a file's random numbers are the same in every run, and of the type that it says.
func TestRandom(t *testing.T) {
	draw := func() *buf.Buffer {
		return operate(t, "RandomNormal", 1, nil, intsAttribute("shape", 100), intAttribute("dtype", 11))[0]
	}
	first := draw()
	require.Equal(t, dtype.F64, first.DType)
	require.Equal(t, first.Bytes(), draw().Bytes())
	sum := 0.0
	for i := range 100 {
		sum += first.Float64(i) * first.Float64(i)
	}
	require.InDelta(t, 1, sum/100, 0.5)
}

// TestUniform: numbers lie between the bounds that the file gives, evenly.
func TestUniform(t *testing.T) {
	u := operate(t, "RandomUniform", 1, nil, intsAttribute("shape", 4000), floatAttribute("low", 2), floatAttribute("high", 5))[0]
	sum, least, most := 0.0, math.Inf(1), math.Inf(-1)
	for i := range u.Len() {
		v := u.Float64(i)
		sum, least, most = sum+v, min(least, v), max(most, v)
	}
	require.True(t, least >= 2 && least < 2.1 && most > 4.9 && most <= 5, "from %v to %v", least, most)
	require.InDelta(t, 3.5, sum/4000, 0.1)
	n := operate(t, "RandomNormal", 1, nil, intsAttribute("shape", 4000), floatAttribute("mean", 7), floatAttribute("scale", 0.5))[0]
	sum, squares := 0.0, 0.0
	for i := range n.Len() {
		sum, squares = sum+n.Float64(i), squares+math.Pow(n.Float64(i)-7, 2)
	}
	require.InDelta(t, 7, sum/4000, 0.1)
	require.InDelta(t, 0.5, math.Sqrt(squares/4000), 0.1)
}
