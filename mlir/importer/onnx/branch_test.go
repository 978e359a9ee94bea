package onnx

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor/buf"
)

// TestBranches: the branch that the condition chooses gives the results, also where those of the branches have other
// shapes or types, and of another kind, and where the condition is an input.
func TestBranches(t *testing.T) {
	side := func(name string, parts ...[]byte) []byte {
		return graphAttribute(name, append(parts, putValue(12, "r", 1))...)
	}
	weights := func(values ...float32) [][]byte {
		return [][]byte{putNode("", "Identity", []string{"w"}, []string{"r"}), putWeights("w", []int64{int64(len(values))}, values...)}
	}
	list := func(values ...float32) [][]byte {
		return [][]byte{putNode("", "SequenceConstruct", []string{"w"}, []string{"r"}), putWeights("w", []int64{int64(len(values))}, values...)}
	}
	integers := [][]byte{putNode("", "Identity", []string{"w"}, []string{"r"}), putIntegers("w", 7, 8)}
	for _, c := range []struct {
		then, otherwise [][]byte
		yes, no         []float64
	}{
		{weights(1, 2), weights(3, 4), []float64{1, 2}, []float64{3, 4}},
		{weights(1, 2), weights(3, 4, 5), []float64{1, 2}, []float64{3, 4, 5}},
		{weights(1, 2), integers, []float64{1, 2}, []float64{7, 8}},
		{weights(1, 2), list(3, 4), []float64{1, 2}, []float64{3, 4}},
		{list(1, 2), weights(3, 4), []float64{1, 2}, []float64{3, 4}},
		{list(1, 2), list(3), []float64{1, 2}, []float64{3}},
	} {
		m, err := Read(putModel(16, putGraph(
			putNode("", "If", []string{"c"}, []string{"y"}, side("then_branch", c.then...), side("else_branch", c.otherwise...)),
			putValue(11, "c", 9), putValue(12, "y", 1))), "m")
		require.NoError(t, err)
		for cond, want := range map[int64][]float64{1: c.yes, 0: c.no} {
			b := buf.From([]bool{cond == 1})
			bound, err := m.Bind([]Value{{Tensor: b}}, onHost)
			require.NoError(t, err)
			out, err := onHost(bound.Module, bound.Inputs)
			require.NoError(t, err)
			values, err := bound.Results(out)
			require.NoError(t, err)
			have := values[0].Tensor
			if values[0].IsSequence {
				require.Len(t, values[0].Sequence, 1)
				have = values[0].Sequence[0].Tensor
			}
			require.Equal(t, len(want), have.Len())
			for i, w := range want {
				require.Equal(t, w, have.Float64(i))
			}
		}
	}
}

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

// TestConstantsOfFunctions: the weights and the nodes in a function are those of the model.
func TestConstantsOfFunctions(t *testing.T) {
	weights := append(putText(1, "value"), putBytes(5, putInt(1, 2), putInt(2, 1), putFloat(4, 3), putFloat(4, 5))...)
	call := append(nodeBody("", "F", []string{"x"}, []string{"y"}), putText(7, "mine")...)
	m, err := Read(putModel(16, putBytes(8, putText(1, "mine"), putInt(2, 1)),
		putBytes(25, putText(1, "F"), putText(10, "mine"), putText(4, "a"), putText(5, "r"),
			putBytes(7, nodeBody("", "Constant", nil, []string{"w"}, weights)),
			putBytes(7, nodeBody("", "Add", []string{"a", "w"}, []string{"r"})), putBytes(9, putText(1, ""), putInt(2, 16))),
		putGraph(putBytes(1, call), putValue(11, "x", 1, 2), putValue(12, "y", 1))), "m")
	require.NoError(t, err)
	require.Equal(t, 3, m.nodes)
	bound, err := m.Bind([]Value{{Tensor: buf.From([]float32{1, 2}, 2)}}, onHost)
	require.NoError(t, err)
	out, err := onHost(bound.Module, bound.Inputs)
	require.NoError(t, err)
	require.Equal(t, []float32{4, 7}, buf.Slice[float32](out[0]))
}

// TestWorkAddsUp: work and steps are counted over the whole evaluation, up to their bounds.
func TestWorkAddsUp(t *testing.T) {
	refused := func(f func()) (err error) {
		defer catch("m", &err)
		f()
		return nil
	}
	ev := &evaluator{maxSteps: 10}
	require.NoError(t, refused(func() { ev.work(maxWork / 2); ev.work(maxWork - maxWork/2); ev.work(0) }))
	require.ErrorContains(t, refused(func() { ev.work(1) }), "more than 134217728 elements")
	require.ErrorContains(t, refused(func() { ev.work(-1) }), "more than 134217728 elements")
	require.NoError(t, refused(func() { ev.step(4); ev.step(6) }))
	require.ErrorContains(t, refused(func() { ev.step(1) }), "the model runs more than 10 nodes and calls")
}
