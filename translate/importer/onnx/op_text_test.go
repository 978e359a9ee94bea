package onnx

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

func textsOf(list ...string) Value {
	return Value{Texts: &Texts{Shape: []int{len(list)}, Elements: list}}
}

func shaped(v Value, dims ...int) Value {
	return Value{Texts: &Texts{Shape: dims, Elements: v.Texts.Elements}}
}

func numbersOf[T dtype.Go](list ...T) Value { return Value{Tensor: buf.From(list, len(list))} }

// bindOne makes a model of one node, whose inputs are given, and runs it.
func bindOne(op string, outputs int, inputs []Value, attributes ...[]byte) ([]Value, error) {
	return bindIn("", 24, op, outputs, inputs, attributes...)
}

// bindIn is bindOne for an operator of a version of a domain.
func bindIn(domain string, version int64, op string, outputs int, inputs []Value, attributes ...[]byte) ([]Value, error) {
	var parts [][]byte
	var names, results []string
	for i := range inputs {
		names = append(names, string(rune('a'+i)))
		parts = append(parts, putBytes(11, putText(1, names[i])))
	}
	for i := range outputs {
		results = append(results, string(rune('A'+i)))
		parts = append(parts, putBytes(12, putText(1, results[i])))
	}
	node := putBytes(1, nodeBody("", op, names, results, attributes...), putText(7, domain))
	m, err := Read(putModel(24, putBytes(8, putText(1, domain), putInt(2, version)), putGraph(append(parts, node)...)), "m")
	if err != nil {
		return nil, err
	}
	bound, err := m.Bind(inputs, onHost)
	if err != nil {
		return nil, err
	}
	tensors, err := onHost(bound.Module, bound.Inputs)
	if err != nil {
		return nil, err
	}
	return bound.Results(tensors)
}

// requireValue compares texts, or numbers.
func requireValue(t *testing.T, want, have Value, what string) {
	t.Helper()
	if want.Texts != nil {
		require.NotNil(t, have.Texts, what)
		require.True(t, slices.Equal(want.Texts.Shape, have.Texts.Shape) && slices.Equal(want.Texts.Elements, have.Texts.Elements),
			"%s: %q in %v, not %q in %v", what, want.Texts.Elements, want.Texts.Shape, have.Texts.Elements, have.Texts.Shape)
		return
	}
	if want.Map != nil {
		require.NotNil(t, have.Map, what)
		requireValue(t, want.Map.Keys, have.Map.Keys, what+", keys")
		requireValue(t, want.Map.Items, have.Map.Items, what+", items")
		return
	}
	if want.IsSequence {
		require.True(t, have.IsSequence, what)
		require.Len(t, have.Sequence, len(want.Sequence), what)
		for i, w := range want.Sequence {
			requireValue(t, w, have.Sequence[i], what)
		}
		return
	}
	require.NotNil(t, have.Tensor, what)
	require.NoError(t, agree(have, want, 1e-6, false), what)
}

func textAttribute(name string, list ...string) []byte {
	out := putText(1, name)
	if len(list) == 1 {
		return append(out, putText(4, list[0])...)
	}
	for _, s := range list {
		out = append(out, putText(9, s)...)
	}
	return out
}

// TestTexts: operators on texts, and those that move elements of any type.
func TestTexts(t *testing.T) {
	abc := textsOf("a", "B", "c d")
	for _, c := range []struct {
		op         string
		in, want   []Value
		attributes [][]byte
	}{
		{"Equal", []Value{abc, textsOf("a")}, []Value{numbersOf(true, false, false)}, nil},
		{"StringConcat", []Value{abc, textsOf("x")}, []Value{textsOf("ax", "Bx", "c dx")}, nil},
		{"StringConcat", []Value{shaped(textsOf("a", "b"), 2, 1), textsOf("x", "é")}, []Value{shaped(textsOf("ax", "aé", "bx", "bé"), 2, 2)}, nil},
		{"RegexFullMatch", []Value{textsOf("ab", "xab", "b")}, []Value{numbersOf(true, false, true)}, [][]byte{textAttribute("pattern", "a?b|c")}},
		{"StringSplit", []Value{textsOf("a,b,,c", "x")}, []Value{shaped(textsOf("a", "b", "", "c", "x", "", "", ""), 2, 4), numbersOf[int64](4, 1)}, [][]byte{textAttribute("delimiter", ",")}},
		{"StringSplit", []Value{textsOf(" a  b c ", "")}, []Value{shaped(textsOf("a", "b", "c", "", "", ""), 2, 3), numbersOf[int64](3, 0)}, nil},
		{"StringSplit", []Value{textsOf(" a  b  c ")}, []Value{shaped(textsOf("a", "b  c"), 1, 2), numbersOf[int64](2)}, [][]byte{intAttribute("maxsplit", 1)}},
		{"StringSplit", []Value{textsOf("a-b-c")}, []Value{shaped(textsOf("a", "b-c"), 1, 2), numbersOf[int64](2)}, [][]byte{intAttribute("maxsplit", 1), textAttribute("delimiter", "-")}},
		{"StringSplit", []Value{shaped(textsOf(), 0)}, []Value{shaped(textsOf(), 0, 0), numbersOf[int64]()}, nil},
		{"StringNormalizer", []Value{abc}, []Value{textsOf("A", "C D")}, [][]byte{textAttribute("case_change_action", "UPPER"), append(textAttribute("stopwords"), putText(9, "b")...)}},
		{"StringNormalizer", []Value{shaped(abc, 1, 3)}, []Value{shaped(textsOf("a", "B", "c d"), 1, 3)}, [][]byte{intAttribute("is_case_sensitive", 1), append(textAttribute("stopwords"), putText(9, "b")...)}},
		{"StringNormalizer", []Value{shaped(textsOf("x"), 1, 1)}, []Value{shaped(textsOf(""), 1, 1)}, [][]byte{textAttribute("case_change_action", "LOWER"), append(textAttribute("stopwords"), putText(9, "x")...)}},
		{"Cast", []Value{textsOf("1.5", "-2e3", "+INF", "nan", "-inf")}, []Value{numbersOf(1.5, -2000, float32(math.Inf(1)), float32(math.NaN()), float32(math.Inf(-1)))}, [][]byte{intAttribute("to", 1)}},
		{"Cast", []Value{textsOf("100", "-3")}, []Value{numbersOf[int64](100, -3)}, [][]byte{intAttribute("to", 7)}},
		{"Cast", []Value{abc}, []Value{abc}, [][]byte{intAttribute("to", 8)}},
		{"Cast", []Value{numbersOf(true, false)}, []Value{textsOf("true", "false")}, [][]byte{intAttribute("to", 8)}},
		{"Cast", []Value{numbersOf(0.1, 2, 1e-7, float32(math.NaN()), float32(math.Inf(-1)))}, []Value{textsOf("0.1", "2.0", "0.0000001", "NaN", "-INF")}, [][]byte{intAttribute("to", 8)}},
		{"Cast", []Value{numbersOf(0.1)}, []Value{textsOf("0.1")}, [][]byte{intAttribute("to", 8)}},
		{"Cast", []Value{numbersOf[uint64](math.MaxUint64)}, []Value{textsOf("18446744073709551615")}, [][]byte{intAttribute("to", 8)}},
		{"Cast", []Value{numbersOf[int8](-5)}, []Value{textsOf("-5")}, [][]byte{intAttribute("to", 8)}},
		{"CastLike", []Value{numbersOf[int64](7), abc}, []Value{textsOf("7")}, nil},
		{"CastLike", []Value{textsOf("7"), numbersOf[int64](0)}, []Value{numbersOf[int64](7)}, nil},
		{"Identity", []Value{abc}, []Value{abc}, nil},
		{"Shape", []Value{abc}, []Value{numbersOf[int64](3)}, nil},
		{"Reshape", []Value{textsOf("a", "b"), numbersOf[int64](2, 1)}, []Value{shaped(textsOf("a", "b"), 2, 1)}, nil},
		{"Gather", []Value{abc, numbersOf[int64](2, 0, -2)}, []Value{textsOf("c d", "a", "B")}, nil},
		{"Concat", []Value{abc, textsOf("x")}, []Value{textsOf("a", "B", "c d", "x")}, [][]byte{intAttribute("axis", 0)}},
		{"Where", []Value{numbersOf(true, false, true), abc, textsOf("no")}, []Value{textsOf("a", "no", "c d")}, nil},
		{"Transpose", []Value{shaped(textsOf("a", "b", "c", "d"), 2, 2)}, []Value{shaped(textsOf("a", "c", "b", "d"), 2, 2)}, nil},
		{"Slice", []Value{abc, numbersOf[int64](1), numbersOf[int64](3)}, []Value{textsOf("B", "c d")}, nil},
		{"Tile", []Value{textsOf("a", "b"), numbersOf[int64](2)}, []Value{textsOf("a", "b", "a", "b")}, nil},
		{"Constant", nil, []Value{textsOf("x", "y")}, [][]byte{textAttribute("value_strings", "x", "y")}},
		{"Constant", nil, []Value{shaped(textsOf("x"))}, [][]byte{textAttribute("value_string", "x")}},
		{"TfIdfVectorizer", []Value{textsOf("one", "two", "one", "six")}, []Value{numbersOf[float32](2, 1, 1)}, [][]byte{
			textAttribute("pool_strings", "one", "two", "two", "one"), listAttribute("ngram_counts", 0, 2), listAttribute("ngram_indexes", 0, 1, 2),
			intAttribute("max_gram_length", 2), textAttribute("mode", "TF")}},
	} {
		have, err := bindOne(c.op, len(c.want), c.in, c.attributes...)
		require.NoError(t, err, c.op)
		for i, w := range c.want {
			requireValue(t, w, have[i], c.op)
		}
	}
}

// listAttribute is an attribute of whole numbers.
func listAttribute(name string, list ...int64) []byte {
	out := putText(1, name)
	for _, v := range list {
		out = append(out, putInt(8, v)...)
	}
	return out
}

// TestRefusedTexts: what no operator does with texts says so.
func TestRefusedTexts(t *testing.T) {
	abc := textsOf("a", "b")
	for _, c := range []struct {
		op         string
		in         []Value
		want       string
		attributes [][]byte
	}{
		{"Add", []Value{abc, abc}, `input "a" has texts, not numbers`, nil},
		{"Equal", []Value{abc, numbersOf[int64](1)}, `input "b" has no texts`, nil},
		{"Equal", []Value{abc, textsOf("a", "b", "c")}, "broadcast", nil},
		{"Concat", []Value{abc, numbersOf[int64](1)}, `input "b" has no texts`, [][]byte{intAttribute("axis", 0)}},
		{"Where", []Value{numbersOf(true), abc, numbersOf[int64](1)}, `input "c" has no texts`, nil},
		{"Cast", []Value{abc}, `"a" is no number`, [][]byte{intAttribute("to", 1)}},
		{"RegexFullMatch", []Value{abc}, "pattern: error parsing regexp", [][]byte{textAttribute("pattern", "(")}},
		{"StringNormalizer", []Value{shaped(abc, 2, 1)}, "takes [C] or [1 C] texts, not [2 1]", nil},
		{"StringNormalizer", []Value{abc}, `case_change_action "odd" is not supported`, [][]byte{textAttribute("case_change_action", "odd")}},
		{"Range", []Value{textsOf("a"), textsOf("b"), textsOf("c")}, "is no tensor of numbers", nil},
		{"Tile", []Value{abc, numbersOf[int64](1 << 22)}, "[8388608] of texts; there may be 4194304", nil},
		{"StringSplit", []Value{numbersOf[int64](1)}, `input "a" has no texts`, nil},
	} {
		_, err := bindOne(c.op, 1, c.in, c.attributes...)
		require.ErrorContains(t, err, c.want, c.op)
	}
	m, err := Read(putModel(24, putGraph(putValue(11, "a", 1, 2), putNode("", "Identity", []string{"a"}, []string{"y"}), putValue(12, "y", 1))), "m")
	require.NoError(t, err)
	_, err = m.Bind([]Value{abc}, nil)
	require.EqualError(t, err, `m: input "a" takes numbers, not texts`)
}
