package onnx

import (
	"testing"
)

// TestSequences: lists of tensors, taken apart and put together.
func TestSequences(t *testing.T) {
	const head = "x = f32 2x3: 1 2 3 4 5 6\na = f32 2: 1 2\nb = f32 2: 3 4\none = i64: 1\nneg = i64: -2\n"
	checkEach(t, head,
		"s = SequenceConstruct(a, b)\ny = ConcatFromSequence(s) axis=0\nwant y = f32 4: 1 2 3 4",
		"s = SequenceConstruct(a, b)\ny = ConcatFromSequence(s) axis=1 new_axis=1\nwant y = f32 2x2: 1 3 2 4",
		"s = SequenceConstruct(a, b)\ny = ConcatFromSequence(s) axis=-1 new_axis=1\nwant y = f32 2x2: 1 3 2 4",
		"s = SequenceConstruct(a, b)\nr = SequenceErase(s)\ny = ConcatFromSequence(r) axis=0\nwant y = f32 2: 1 2",
		"s = SequenceConstruct(a, b)\nr = SequenceErase(s, neg)\ny = ConcatFromSequence(r) axis=0\nwant y = f32 2: 3 4",
		"s = SequenceConstruct(a, b)\nr = SequenceInsert(s, b, one)\ny = ConcatFromSequence(r) axis=0\nwant y = f32 6: 1 2 3 4 3 4",
		"s = SequenceConstruct(b, a)\nr = SequenceInsert(s, b)\ny = ConcatFromSequence(r) axis=0\nwant y = f32 6: 3 4 1 2 3 4",
		"s = SequenceEmpty()\nr = SequenceInsert(s, b)\ny = SequenceLength(r)\nwant y = i64: 1",
		"s = SequenceConstruct(a, b)\ny = SequenceAt(s, neg)\nwant y = f32 2: 1 2",
		"s = SequenceConstruct(a, b)\ny = SequenceAt(s, one)\nwant y = f32 2: 3 4",
		"s = SplitToSequence(x) axis=1\ny = SequenceAt(s, one)\nwant y = f32 2x1: 2 5",
		"s = SplitToSequence(x) axis=1 keepdims=0\ny = SequenceAt(s, one)\nwant y = f32 2: 2 5",
		"two = i64: 2\ns = SplitToSequence(x, two) axis=1 keepdims=0\ny = SequenceAt(s, one)\nn = SequenceLength(s)\nwant y = f32 2x1: 3 6\nwant n = i64: 2",
		"z = i64 2: 1 2\ns = SplitToSequence(x, z) axis=-1\ny = SequenceAt(s, one)\nwant y = f32 2x2: 2 3 5 6",
	)
}
