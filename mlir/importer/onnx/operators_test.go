package onnx

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
)

func onHost(module *mlir.Operation, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
	exe, err := host.Device.Compile(context.Background(), module)
	if err != nil {
		return nil, err
	}
	defer exe.Close()
	return exe.Run(context.Background(), inputs)
}

// random returns numbers between -1 and 1.
func random(seed uint64, dims ...int) *buf.Buffer {
	r := rand.New(rand.NewPCG(seed, 0))
	b := buf.New(dtype.F32, dims)
	for i := range b.Len() {
		b.SetFloat64(i, 2*r.Float64()-1)
	}
	return b
}

// operate runs one node of version 24 on inputs; nil leaves one out.
func operate(t *testing.T, op string, outputs int, inputs []*buf.Buffer, attributes ...[]byte) []*buf.Buffer {
	t.Helper()
	var parts [][]byte
	var names, results []string
	var given []Value
	for i, b := range inputs {
		name := string(rune('a' + i))
		if b == nil {
			names = append(names, "")
			continue
		}
		names, given = append(names, name), append(given, Value{Tensor: b})
		parts = append(parts, putBytes(11, putText(1, name)))
	}
	for i := range outputs {
		name := string(rune('A' + i))
		results = append(results, name)
		parts = append(parts, putBytes(12, putText(1, name)))
	}
	m, err := Read(putModel(24, putGraph(append(parts, putNode("", op, names, results, attributes...))...)), "m")
	require.NoError(t, err)
	bound, err := m.Bind(given, onHost)
	require.NoError(t, err)
	out, err := onHost(bound.Module, bound.Inputs)
	require.NoError(t, err)
	return out
}

// same compares with a function of the number of an element.
func same(t *testing.T, have *buf.Buffer, dims []int, want func(i int) float64) {
	t.Helper()
	require.Equal(t, dims, have.Shape)
	for i := range have.Len() {
		require.InDelta(t, want(i), have.Float64(i), 1e-5, "element %d", i)
	}
}

func TestRMSNormalization(t *testing.T) {
	x, scale := random(1, 2, 3, 4), random(2, 4)
	y := operate(t, "RMSNormalization", 1, []*buf.Buffer{x, scale})[0]
	same(t, y, []int{2, 3, 4}, func(i int) float64 {
		sum := 0.0
		for k := range 4 {
			sum += math.Pow(x.Float64(i/4*4+k), 2)
		}
		return x.Float64(i) / math.Sqrt(sum/4+1e-5) * scale.Float64(i%4)
	})
}

func TestSwish(t *testing.T) {
	x := random(1, 5)
	y := operate(t, "Swish", 1, []*buf.Buffer{x}, floatAttribute("alpha", 2))[0]
	same(t, y, []int{5}, func(i int) float64 { return x.Float64(i) / (1 + math.Exp(-2*x.Float64(i))) })
}

func floatAttribute(name string, v float32) []byte {
	return append(putText(1, name), putFloat(2, v)...)
}

// TestRotaryEmbedding turns four of six numbers, interleaved and in halves.
func TestRotaryEmbedding(t *testing.T) {
	const heads, length, depth, turned = 2, 3, 6, 4
	x := random(1, 1, heads, length, depth)
	cos, sin := random(2, 5, turned/2), random(3, 5, turned/2)
	positions := buf.From([]int64{4, 0, 2}, 1, 3)
	for _, interleaved := range []int64{0, 1} {
		y := operate(t, "RotaryEmbedding", 1, []*buf.Buffer{x, cos, sin, positions},
			intAttribute("interleaved", interleaved), intAttribute("rotary_embedding_dim", turned))[0]
		same(t, y, x.Shape, func(i int) float64 {
			k, row := i%depth, i-i%depth
			if k >= turned {
				return x.Float64(i)
			}
			pair, partner, second := k%2, k+2, k >= 2
			if interleaved == 1 {
				pair, partner, second = k/2, k+1, k%2 == 1
			}
			at := int(positions.Int64(i/depth%length))*turned/2 + pair
			if second {
				partner = 2*k - partner
				return x.Float64(row+partner)*sin.Float64(at) + x.Float64(i)*cos.Float64(at)
			}
			return x.Float64(i)*cos.Float64(at) - x.Float64(row+partner)*sin.Float64(at)
		})
	}
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
		for j := range past + row + 1 {
			score := 0.0
			for d := range depth {
				score += q.Float64((head*queries+row)*depth+d) * at(pk, k, j, d)
			}
			weight := math.Exp(2 * math.Tanh(0.7*score/2))
			sum += weight * at(pv, v, j, c)
			total += weight
		}
		return sum / total
	})
	flat := operate(t, "Attention", 1, []*buf.Buffer{random(1, 2, 3, 8), random(2, 2, 5, 8), random(3, 2, 5, 6),
		buf.From([]bool{true, true, false, true, true}, 1, 5)}, intAttribute("q_num_heads", 2), intAttribute("kv_num_heads", 2))
	require.Equal(t, []int{2, 3, 6}, flat[0].Shape)
}

// TestDeformConv: with offsets of whole numbers it is a convolution of what they name; without any and
// a mask of ones it is a convolution.
func TestDeformConv(t *testing.T) {
	x, w, bias := random(1, 2, 4, 6, 5), random(2, 6, 2, 3, 2), random(3, 6)
	pads := intsAttribute("pads", 1, 0, 1, 1)
	group := intAttribute("group", 2)
	want := operate(t, "Conv", 1, []*buf.Buffer{x, w, bias}, pads, group)[0]
	rows, columns := want.Shape[2], want.Shape[3]
	offset, mask := buf.New(dtype.F32, []int{2, 2 * 6 * 2, rows, columns}), buf.New(dtype.F32, []int{2, 2 * 6, rows, columns})
	for i := range mask.Len() {
		mask.SetFloat64(i, 1)
	}
	have := operate(t, "DeformConv", 1, []*buf.Buffer{x, w, offset, bias, mask}, pads, group,
		intAttribute("offset_group", 2))[0]
	same(t, have, want.Shape, want.Float64)

	one, place := random(4, 1, 1, 4, 4), buf.New(dtype.F32, []int{1, 2, 4, 4})
	for i := range 16 {
		place.SetFloat64(i, 0.5)     // half a row down
		place.SetFloat64(16+i, -1.0) // one column to the left
	}
	have = operate(t, "DeformConv", 1, []*buf.Buffer{one, buf.From([]float32{1}, 1, 1, 1, 1), place})[0]
	same(t, have, []int{1, 1, 4, 4}, func(i int) float64 {
		at := func(row, column int) float64 {
			if row > 3 || column < 0 {
				return 0
			}
			return one.Float64(row*4 + column)
		}
		return (at(i/4, i%4-1) + at(i/4+1, i%4-1)) / 2
	})
}

// TestCol2Im adds the columns to the places that they come from.
func TestCol2Im(t *testing.T) {
	x := random(1, 1, 2*2*3, 2*3) // blocks of 2 × 3 at 2 × 3 places
	y := operate(t, "Col2Im", 1, []*buf.Buffer{x, buf.From([]int64{4, 5}, 2), buf.From([]int64{2, 3}, 2)},
		intsAttribute("strides", 2, 2), intsAttribute("pads", 0, 1, 0, 1))[0]
	want := make([]float64, 2*4*7)
	for c := range 2 {
		for k := range 6 {
			for p := range 6 {
				row, column := p/3*2+k/3, p%3*2+k%3
				want[(c*4+row)*7+column] += x.Float64((c*6+k)*6 + p)
			}
		}
	}
	same(t, y, []int{1, 2, 4, 5}, func(i int) float64 { return want[i/5*7+1+i%5] })
}

func TestTensorScatter(t *testing.T) {
	cache, update := random(1, 2, 1, 4, 2), random(2, 2, 1, 2, 2)
	y := operate(t, "TensorScatter", 1, []*buf.Buffer{cache, update, buf.From([]int64{3, 1}, 2)},
		append(putText(1, "mode"), putText(4, "circular")...))[0]
	same(t, y, cache.Shape, func(i int) float64 {
		batch, row, c := i/8, i/2%4, i%2
		step := (row - []int{3, 1}[batch] + 4) % 4
		if step < 2 {
			return update.Float64(batch*4 + step*2 + c)
		}
		return cache.Float64(i)
	})
}

// TestReverseSequence turns the first steps of each entry of a batch, whose steps have features.
func TestReverseSequence(t *testing.T) {
	x := random(1, 4, 2, 3) // steps, batch, features
	lengths := []int{3, 1}
	y := operate(t, "ReverseSequence", 1, []*buf.Buffer{x, buf.From([]int64{3, 1}, 2)},
		intAttribute("time_axis", 0), intAttribute("batch_axis", 1))[0]
	same(t, y, x.Shape, func(i int) float64 {
		step, batch := i/6, i/3%2
		if step < lengths[batch] {
			step = lengths[batch] - 1 - step
		}
		return x.Float64(step*6 + i%6)
	})
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

// TestComputedBounds: a range whose bound is computed from the input.
func TestComputedBounds(t *testing.T) {
	model := putModel(18, putGraph(
		putNode("", "ReduceMax", []string{"x"}, []string{"m"}, intAttribute("keepdims", 0)),
		putNode("", "Cast", []string{"m"}, []string{"n"}, intAttribute("to", 7)),
		putNode("", "Range", []string{"zero", "n", "one"}, []string{"r"}),
		scalarInteger("zero", 0), scalarInteger("one", 1), putValue(11, "x", 1, -1), putValue(12, "r", 7)))
	m, err := Read(model, "m")
	require.NoError(t, err)
	x := []*buf.Buffer{buf.From([]float32{2, 5.5, 3}, 3)}
	module, err := m.Specialize(x, onHost)
	require.NoError(t, err)
	out, err := onHost(module, x)
	require.NoError(t, err)
	assert.Equal(t, []int64{0, 1, 2, 3, 4}, buf.Slice[int64](out[0]))
	_, err = m.Specialize(x, nil)
	assert.ErrorContains(t, err, "it is computed from the inputs")
}

func scalarInteger(name string, v int64) []byte {
	return putBytes(5, putInt(2, 7), putInt(7, v), putText(8, name))
}

// TestOptional: sequences and optional values are inputs and results.
func TestOptional(t *testing.T) {
	sequence := func(field int, name string) []byte {
		return putBytes(field, putText(1, name), putBytes(2, putBytes(4, putBytes(1, putBytes(1, putInt(1, 1))))))
	}
	m, err := Read(putModel(18, putGraph(
		putNode("", "OptionalHasElement", []string{"o"}, []string{"h"}),
		putNode("", "SequenceMap", []string{"s"}, []string{"t"}, graphAttribute("body",
			putNode("", "Neg", []string{"i"}, []string{"j"}), putValue(11, "i", 1), putValue(12, "j", 1))),
		putBytes(11, putText(1, "o"), putBytes(2, putBytes(9, putBytes(1, putBytes(1, putInt(1, 1)))))),
		sequence(11, "s"), putValue(12, "h", 9), sequence(12, "t"))), "m")
	require.NoError(t, err)
	list := Value{IsSequence: true, Sequence: []Value{{Tensor: random(1, 2)}, {Tensor: random(2, 3)}}}
	for _, absent := range []bool{false, true} {
		o := Value{}
		if !absent {
			o.Tensor = random(3, 1)
		}
		bound, err := m.Bind([]Value{o, list}, onHost)
		require.NoError(t, err)
		out, err := onHost(bound.Module, bound.Inputs)
		require.NoError(t, err)
		results, err := bound.Results(out)
		require.NoError(t, err)
		assert.Equal(t, !absent, results[0].Tensor.Int64(0) != 0)
		require.Len(t, results[1].Sequence, 2)
		same(t, results[1].Sequence[1].Tensor, []int{3}, func(i int) float64 {
			return -list.Sequence[1].Tensor.Float64(i)
		})
	}
}
