package onnx

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/mlir"
)

// TestGuards: a model that is specialised for [1 -2 3], and for what else it takes, is right for other inputs that
// agree in what was read, and refuses those that do not, with the node that read it.
func TestGuards(t *testing.T) {
	x := func(v ...float32) *buf.Buffer { return buf.From(v, len(v)) }
	mask := func(v ...bool) *buf.Buffer { return buf.From(v, len(v)) }
	whole := func(v ...int64) *buf.Buffer { return buf.From(v, len(v)) }
	side := func(attribute, op, out string) []byte {
		return graphAttribute(attribute, putNode("", op, []string{"x"}, []string{out}), putValue(12, out, 1))
	}
	for name, c := range map[string]struct {
		model, other []byte // nodes, and a further input
		made         []*buf.Buffer
		right        []*buf.Buffer
		want         []float32
		wrong        []*buf.Buffer
		what         string
	}{
		"Compress": {putNode("pick", "Compress", []string{"x", "m"}, []string{"y"}, intAttribute("axis", 0)), putValue(11, "m", 9, 3),
			[]*buf.Buffer{x(1, -2, 3), mask(true, false, true)}, []*buf.Buffer{x(7, 8, 9), mask(true, false, true)}, []float32{7, 9},
			[]*buf.Buffer{x(7, 8, 9), mask(true, true, true)}, `(input m) at m:`},
		"If": {append(putNode("", "ReduceSum", []string{"x"}, []string{"s"}, intAttribute("keepdims", 0)),
			append(putNode("", "Cast", []string{"s"}, []string{"b"}, intAttribute("to", 9)),
				putNode("choice", "If", []string{"b"}, []string{"y"}, side("then_branch", "Neg", "p"), side("else_branch", "Abs", "q"))...)...), nil,
			[]*buf.Buffer{x(1, -2, 3)}, []*buf.Buffer{x(-4, 5, 6)}, []float32{4, -5, -6}, []*buf.Buffer{x(1, 1, -2)}, "was true, and is false"},
		"Tile": {putNode("", "Tile", []string{"x", "k"}, []string{"y"}), putValue(11, "k", 7, 1),
			[]*buf.Buffer{x(1, -2, 3), whole(2)}, []*buf.Buffer{x(4, 5, 6), whole(2)}, []float32{4, 5, 6, 4, 5, 6},
			[]*buf.Buffer{x(4, 5, 6), whole(1)}, "was 2, and is 1"},
	} {
		parts := [][]byte{putValue(11, "x", 1, 3)}
		if c.other != nil {
			parts = append(parts, c.other)
		}
		m, err := Read(putModel(13, putGraph(append(parts, c.model, putValue(12, "y", 1))...)), "m")
		require.NoError(t, err, name)
		module, err := m.Specialize(c.made, onHost)
		require.NoError(t, err, name)
		run := func(inputs []*buf.Buffer) ([]*buf.Buffer, error) {
			return onHost(module.Clone(map[*mlir.Value]*mlir.Value{}), inputs)
		}
		out, err := run(c.right)
		require.NoError(t, err, name)
		require.Equal(t, c.want, buf.Slice[float32](out[0]), name)
		_, err = run(c.wrong)
		require.ErrorContains(t, err, "the program was made for other inputs", name)
		require.ErrorContains(t, err, c.what, name)
	}
}
