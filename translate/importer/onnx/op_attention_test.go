package onnx

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
)

// TestFlexAttention: one graph doubles the scores, another halves the weights; two heads share keys.
func TestFlexAttention(t *testing.T) {
	const heads, queries, keys, depth, width = 2, 2, 3, 2, 1
	q, k, v := random(1, 1, heads, queries, depth), random(2, 1, 1, keys, depth), random(3, 1, 1, keys, width)
	add := func(name string) []byte { // x + x
		return graphAttribute(name, putBytes(11, putText(1, "x")), putBytes(12, putText(1, "z")),
			putNode("", "Add", []string{"x", "x"}, []string{"z"}))
	}
	wrong := graphAttribute("prob_mod", putBytes(11, putText(1, "x")), putBytes(12, putText(1, "z")),
		putNode("", "Size", []string{"x"}, []string{"z"}))
	run := func(attributes ...[]byte) (*buf.Buffer, error) {
		node := putBytes(1, nodeBody("", "FlexAttention", []string{"q", "k", "v"}, []string{"y"}, attributes...),
			putText(7, preview))
		m, err := Read(putModel(24, putBytes(8, putText(1, preview), putInt(2, 1)), putGraph(node,
			putBytes(11, putText(1, "q")), putBytes(11, putText(1, "k")), putBytes(11, putText(1, "v")),
			putBytes(12, putText(1, "y")))), "m")
		require.NoError(t, err)
		bound, err := m.Bind([]Value{{Tensor: q}, {Tensor: k}, {Tensor: v}}, onHost)
		if err != nil {
			return nil, err
		}
		out, err := onHost(bound.Module, bound.Inputs)
		require.NoError(t, err)
		return out[0], nil
	}
	want := func(scale, factor float64) func(i int) float64 {
		return func(i int) float64 {
			sum, total := 0.0, 0.0
			for j := range keys {
				score := 0.0
				for d := range depth {
					score += q.Float64(i*depth+d) * k.Float64(j*depth+d)
				}
				total += math.Exp(scale * score)
				sum += math.Exp(scale*score) * v.Float64(j)
			}
			return factor * sum / total
		}
	}
	for _, c := range []struct {
		scale, factor float64
		attributes    [][]byte
	}{
		{math.Sqrt(0.5), 1, nil},
		{math.Sqrt(2), 1, [][]byte{add("score_mod")}},
		{0.25, 2, [][]byte{add("prob_mod"), floatAttribute("scale", 0.25)}},
	} {
		y, err := run(c.attributes...)
		require.NoError(t, err)
		same(t, y, []int{1, heads, queries, width}, want(c.scale, c.factor))
	}
	_, err := run(wrong)
	require.ErrorContains(t, err, "prob_mod makes i64 of [] from f32 of [1 2 2 3]")
	_, err = run(intAttribute("softmax_precision", 7))
	require.ErrorContains(t, err, "softmax_precision 7 is no type of floats")
}

// TestAttention: two heads of queries share one of keys and values, with a past, causal, with soft caps.
func TestAttention(t *testing.T) {
	const heads, queries, past, depth = 2, 3, 2, 4
	q, k, v := random(1, 1, heads, queries, depth), random(2, 1, 1, queries, depth), random(3, 1, 1, queries, depth)
	pk, pv := random(4, 1, 1, past, depth), random(5, 1, 1, past, depth)
	out := operate(t, "Attention", 3, []*buf.Buffer{q, k, v, nil, pk, pv}, intAttribute("is_causal", 1),
		floatAttribute("softcap", 2), floatAttribute("scale", 0.7))
	at := func(old, now *buf.Buffer, j, c int) float64 {
		if j < past {
			return old.Float64(j*depth + c)
		}
		return now.Float64((j-past)*depth + c)
	}
	same(t, out[1], []int{1, 1, past + queries, depth}, func(i int) float64 { return at(pk, k, i/depth, i%depth) })
	same(t, out[0], q.Shape, func(i int) float64 {
		head, row, c := i/(queries*depth), i/depth%queries, i%depth
		sum, total := 0.0, 0.0
		for j := range past + queries {
			score := 0.0
			for d := range depth {
				score += q.Float64((head*queries+row)*depth+d) * at(pk, k, j, d)
			}
			weight := math.Exp(2 * math.Tanh(0.7*score/2))
			if j > past+row { // hidden before the cap, as in ONNX Runtime
				weight = math.Exp(-2)
			}
			sum += weight * at(pv, v, j, c)
			total += weight
		}
		return sum / total
	})
	flat := operate(t, "Attention", 1, []*buf.Buffer{random(1, 2, 3, 8), random(2, 2, 5, 8), random(3, 2, 5, 6),
		buf.From([]bool{true, true, false, true, true}, 1, 5)}, intAttribute("q_num_heads", 2), intAttribute("kv_num_heads", 2))
	require.Equal(t, []int{2, 3, 6}, flat[0].Shape)
}

// TestWindowsOfAttention: queries of zeros see all keys alike, so that a result is the mean of the values in the
// window.
func TestWindowsOfAttention(t *testing.T) {
	const head = "version 25\nq = f32 1x1x4x1: 0 0 0 0\nk = f32 1x1x4x1: 5 6 7 8\nv = f32 1x1x4x1: 1 2 3 4\nr = f32 1x1x2x1: 0 0\nw = f32 1x1x2x1: 1 2\n" +
		"p = f32 1x1x2x1: 10 20\nl = i64 1: 3\n"
	checkEach(t, head,
		"y = Attention(q, k, v) left_window_size=1 right_window_size=2\nwant y = f32 1x1x4x1: 2 2.5 3 3.5",
		"y = Attention(q, k, v) left_window_size=1\nwant y = f32 1x1x4x1: 2.5 2.5 3 3.5",
		"y = Attention(q, k, v) right_window_size=0\nwant y = f32 1x1x4x1: 1 1.5 2 2.5",
		"y = Attention(q, k, v) is_causal=1 left_window_size=1 right_window_size=2\nwant y = f32 1x1x4x1: 1 1.5 2.5 3.5",
		"y = Attention(q, k, v) left_window_size=-1 right_window_size=-1\nwant y = f32 1x1x4x1: 2.5 2.5 2.5 2.5",
		"y = Attention(r, r, w, \"\", r, p) is_causal=1 left_window_size=1\nwant y = f32 1x1x2x1: 10.5 1.5", // behind a past of two
		"y = Attention(r, k, v, \"\", \"\", \"\", l) left_window_size=1\nwant y = f32 1x1x2x1: 2 2.5",       // three keys are there
	)
	refuse(t, head+"y = Attention(q, k, v) left_window_size=-2", "left_window_size is -2; it counts keys, and -1 is all")
}
