package onnx

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
)

// TestConstantsOfFunctions: a function has the model's weights and nodes.
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

// TestRefusedGraphs: what subgraphs, functions and tensors of a model get wrong is an error that says it.
func TestRefusedGraphs(t *testing.T) {
	neg := putNode("", "Neg", []string{"x"}, []string{"r"})
	side := func(name string, outputs ...string) []byte {
		parts := [][]byte{neg}
		for _, o := range outputs {
			parts = append(parts, putValue(12, o, 1))
		}
		return graphAttribute(name, parts...)
	}
	list := graphAttribute("else_branch", putNode("", "SequenceConstruct", []string{"x"}, []string{"r"}), putValue(12, "r", 1))
	branch := func(cond string, sides ...[]byte) []byte {
		return putNode("", "If", []string{cond}, []string{"y"}, sides...)
	}
	body := func(parts ...[]byte) []byte { return graphAttribute("body", parts...) }
	in, out := func(name string) []byte { return putValue(11, name, 1, 2) }, func(name string) []byte { return putValue(12, name, 1, 2) }
	two := append(append([][]byte{}, putIntegers("flags", 0, 1)), putNode("", "Cast", []string{"flags"}, []string{"two"}, intAttribute("to", 9)))
	loop := func(inputs []string, graph []byte) []byte { return putNode("", "Loop", inputs, []string{"y"}, graph) }
	scan := func(count int64, inputs []string, graph []byte) []byte {
		return putNode("", "Scan", inputs, []string{"y"}, graph, intAttribute("num_scan_inputs", count))
	}
	step := body(putNode("", "Neg", []string{"a"}, []string{"b"}), in("a"), out("b"))
	function := func(parts ...[]byte) []byte {
		return putBytes(25, append([][]byte{putText(1, "F"), putText(10, "mine")}, parts...)...)
	}
	call := putBytes(1, nodeBody("", "F", []string{"x"}, []string{"y"}), putText(7, "mine"))
	sparse := putBytes(1, nodeBody("", "Neg", []string{"x"}, []string{"y"}))
	for _, c := range []struct {
		want    string
		version int64
		parts   [][]byte // of the model's graph, whose input is x of two elements
		more    [][]byte // of the model
	}{
		{want: "attribute then_branch is missing", parts: [][]byte{branch("c", side("else_branch", "r"))}},
		{want: "attribute else_branch is missing", parts: [][]byte{branch("c", side("then_branch", "r"))}},
		{want: "the condition has 2 elements", parts: append(two, branch("two", side("then_branch", "r"), side("else_branch", "r")))},
		{want: `the elements of "x" must be known`, parts: [][]byte{branch("x", side("then_branch", "r"), list)}},
		{want: "a branch has no output 0", parts: [][]byte{branch("x", side("then_branch", "r"), side("else_branch"))}},
		{want: "a branch has no output 0", parts: [][]byte{branch("x", side("then_branch"), side("else_branch", "r"))}},
		{want: "the subgraph has 0 outputs for 1", parts: [][]byte{branch("c", side("then_branch"), side("else_branch"))}},
		{want: `output "z" is the result of no node`, parts: [][]byte{branch("c", side("then_branch", "z"), side("else_branch", "z"))}},
		{want: "input \"a\" of a branch is the result of no node before", parts: [][]byte{branch("c", graphAttribute("then_branch", in("a"), out("a")),
			graphAttribute("else_branch", in("a"), out("a")))}},
		{want: "attribute body is missing", parts: [][]byte{putNode("", "Loop", []string{"", "", "x"}, []string{"y"})}},
		{want: "the body has 1 outputs for 1 values", parts: [][]byte{loop([]string{"", "", "x"}, body(in("a"), out("a")))}},
		{want: "the subgraph takes 1 inputs, not 3", parts: [][]byte{loop([]string{"", "", "x"}, body(in("a"), out("a"), out("a")))}},
		{want: `"condition" must be known`, parts: [][]byte{loop([]string{"", "x", "x"}, body(in("a"), in("b"), in("c"), out("b"), out("c")))}},
		{want: `output "o" of no iteration has no type`, parts: [][]byte{putIntegers("n", 0),
			loop([]string{"n", ""}, body(in("a"), in("b"), out("b"), putBytes(12, putText(1, "o"))))}},
		{want: `output "o" of no iteration has no type`, parts: [][]byte{putWeights("w", []int64{0, 2}),
			scan(1, []string{"w"}, body(in("a"), putBytes(12, putText(1, "o"), putBytes(2, putBytes(1, putInt(1, 1))))))}},
		{want: `output "o" of no iteration has an open shape`, parts: [][]byte{putWeights("w", []int64{0, 2}),
			scan(1, []string{"w"}, body(in("a"), putValue(12, "o", 1, 2, -1)))}},
		{want: "0 scan inputs of 1 inputs", parts: [][]byte{scan(0, []string{"x"}, step)}},
		{want: "2 scan inputs of 1 inputs", parts: [][]byte{scan(2, []string{"x"}, step)}},
		{want: "1 scan inputs of 3 inputs", parts: [][]byte{scan(1, []string{"x", "x", "x"}, step)}},
		{want: "the inputs differ in the number of slices", parts: [][]byte{putWeights("w", []int64{3}, 1, 2, 3), scan(2, []string{"x", "w"}, step)}},
		{want: "axis 0 of a tensor of 0 dimensions", parts: [][]byte{putBytes(5, putInt(2, 1), putFloat(4, 1), putText(8, "w")), scan(1, []string{"w"}, step)}},
		{want: "0 scan inputs of 2 inputs", version: 8, parts: [][]byte{scan(0, []string{"", "x"}, step)}},
		{want: "2 scan inputs of 2 inputs", version: 8, parts: [][]byte{scan(2, []string{"", "x"}, step)}},
		{want: "1 scan inputs of 4 inputs", version: 8, parts: [][]byte{scan(1, []string{"", "x", "x", "x"}, step)}},
		{want: "sequences of different lengths are not supported", version: 8, parts: [][]byte{scan(1, []string{"x", "x"}, step)}},
		{want: "the inputs differ in the size of the batch", version: 8, parts: [][]byte{putWeights("w", []int64{3, 1}, 1, 2, 3), scan(2, []string{"", "x", "w"}, step)}},
		{want: "the inputs differ in the size of the batch", version: 8, parts: [][]byte{putBytes(5, putInt(2, 1), putFloat(4, 1), putText(8, "w")), scan(1, []string{"", "w"}, step)}},
		{want: "sequences of 2 and 1 items", parts: [][]byte{putNode("", "SequenceConstruct", []string{"x", "x"}, []string{"s"}),
			putNode("", "SequenceConstruct", []string{"x"}, []string{"u"}), putNode("", "SequenceMap", []string{"s", "u"}, []string{"y"},
				body(in("a"), in("b"), out("a")))}},
		{want: "the body has 0 outputs for 1", parts: [][]byte{putNode("", "SequenceConstruct", []string{"x"}, []string{"s"}),
			putNode("", "SequenceMap", []string{"s"}, []string{"y"}, body(in("a")))}},
		{want: `output "y" is no tensor`, parts: [][]byte{putNode("", "SequenceConstruct", []string{"x"}, []string{"y"})}},
		{want: `output "y" is no tensor`, parts: [][]byte{putNode("", "Optional", nil, []string{"y"})}},
		{want: `output "r" is the result of no node`, parts: [][]byte{call}, more: [][]byte{function(putText(4, "a"), putText(5, "r"))}},
		{want: "sparse initializers are not supported", parts: [][]byte{sparse, putBytes(15)}},
		{want: "subgraphs are nested more than", parts: [][]byte{nested(300)}},
		{want: "[1] of texts has 0 elements", parts: [][]byte{putNode("", "ConstantOfShape", []string{"flag"}, []string{"y"},
			append(putText(1, "value"), putBytes(5, putInt(1, 1), putInt(2, 8))...))}},
		{want: "attribute value is not one text", parts: [][]byte{putNode("", "ConstantOfShape", []string{"flag"}, []string{"y"},
			append(putText(1, "value"), putBytes(5, putInt(1, 2), putInt(2, 8), putText(6, "a"), putText(6, "b"))...))}},
		{want: `output "y" is no tensor of numbers`, parts: [][]byte{putNode("", "ConstantOfShape", []string{"flag"}, []string{"y"},
			append(putText(1, "value"), putBytes(5, putInt(1, 1), putInt(2, 8), putText(6, "a"))...))}},
		{want: "attribute value is not one number", parts: [][]byte{putIntegers("n", 2), putNode("", "ConstantOfShape", []string{"n"}, []string{"y"},
			append(putText(1, "value"), putBytes(5, putInt(1, 2), putInt(2, 1), putFloat(4, 1), putFloat(4, 1))...))}},
		{want: `input "w" has texts, not numbers`, parts: [][]byte{putBytes(5, putInt(1, 1), putInt(2, 8), putText(6, "a"), putText(8, "w")),
			putNode("", "Neg", []string{"w"}, []string{"y"})}},
		{want: "unknown element type 99", parts: [][]byte{putBytes(5, putInt(1, 1), putInt(2, 99), putText(8, "w")), putNode("", "Neg", []string{"w"}, []string{"y"})}},
		{want: "65 dimensions; up to 64 are supported", parts: [][]byte{putWeights("w", make([]int64, 65))}},
		{want: "has no output", parts: [][]byte{putNode("", "Neg", []string{"x"}, nil)}},
	} {
		version := c.version
		if version == 0 {
			version = 16
		}
		flag := [][]byte{putIntegers("flag", 1), putNode("", "Squeeze", []string{"flag"}, []string{"one"}), putNode("", "Cast", []string{"one"}, []string{"c"}, intAttribute("to", 9))}
		parts := append(append(flag, c.parts...), putValue(11, "x", 1, 2), putValue(12, "y", 1))
		m, err := Read(putModel(version, append(c.more, putBytes(8, putText(1, "mine"), putInt(2, 1)), putGraph(parts...))...), "m")
		if err == nil {
			_, err = m.Import([]ops.TensorType{f32(2)})
		}
		assert.ErrorContains(t, err, c.want)
		assert.NotContains(t, fmt.Sprint(err), "BUG")
	}
}

// nested is a node with subgraphs inside of each other.
func nested(depth int) []byte {
	node := putNode("", "Neg", []string{"x"}, []string{"y"})
	for range depth {
		node = putNode("", "If", []string{"c"}, []string{"y"}, graphAttribute("then_branch", node, putValue(12, "y", 1)))
	}
	return node
}

// TestFunctionDefaults: a function's attributes have the values of the call, and without one their defaults.
func TestFunctionDefaults(t *testing.T) {
	ref := append(putText(1, "alpha"), putText(21, "slope")...)
	slope := func(v float32) []byte { return append(putText(1, "slope"), putFloat(2, v)...) }
	function := putBytes(25, putText(1, "Leak"), putText(10, "mine"), putText(4, "a"), putText(5, "r"), putBytes(11, slope(0.5)),
		putBytes(7, nodeBody("", "LeakyRelu", []string{"a"}, []string{"r"}, ref)), putBytes(9, putText(1, "ai.onnx"), putInt(2, 16)))
	for want, attributes := range map[float32][][]byte{-2: nil, -1: {slope(0.25)}} {
		got := runModel(t, putModel(16, putBytes(8, putText(1, "mine"), putInt(2, 1)), function,
			putGraph(putBytes(1, nodeBody("", "Leak", []string{"x"}, []string{"y"}, attributes...), putText(7, "mine")), putValue(11, "x", 1, 1), putValue(12, "y", 1))),
			buf.From([]float32{-4}, 1))
		require.Equal(t, []float32{want}, buf.Slice[float32](got[0]))
	}
}
