package nn_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// matrix is the rows of an example, for formulas in plain Go.
type matrix [][]float64

func matrixOf(x *tensor.Tensor) matrix {
	width, all := x.Size(-1), x.Float64s()
	var m matrix
	for i := 0; i < len(all); i += width {
		m = append(m, all[i:i+width])
	}
	return m
}

// each applies a function to the rows.
func (m matrix) each(f func(i int, row []float64) []float64) matrix {
	var out matrix
	for i, row := range m {
		out = append(out, f(i, row))
	}
	return out
}

func (m matrix) linear(w, b *tensor.Tensor, from, n int) matrix {
	weights, bias := matrixOf(w)[from:from+n], b.Float64s()[from:from+n]
	return m.each(func(_ int, row []float64) []float64 {
		y := append([]float64{}, bias...)
		for o := range y {
			for k, v := range row {
				y[o] += weights[o][k] * v
			}
		}
		return y
	})
}

func (m matrix) plus(n matrix) matrix {
	return m.each(func(i int, row []float64) []float64 {
		y := append([]float64{}, row...)
		for k := range y {
			y[k] += n[i][k]
		}
		return y
	})
}

func (m matrix) norm(l *nn.LayerNorm) matrix {
	w, b := l.Weight.Float64s(), l.Bias.Float64s()
	return m.each(func(_ int, row []float64) []float64 {
		mean, variance, y := 0.0, 0.0, make([]float64, len(row))
		for _, v := range row {
			mean += v / float64(len(row))
		}
		for _, v := range row {
			variance += (v - mean) * (v - mean) / float64(len(row))
		}
		for k, v := range row {
			y[k] = (v-mean)/math.Sqrt(variance+l.Eps)*w[k] + b[k]
		}
		return y
	})
}

// attend is softmax(q·kᵀ/√d + bias)·v of each head; bias is -∞ where nothing is seen.
func attend(a *nn.MultiheadAttention, query, memory matrix, bias func(i, j int) float64) matrix {
	dim := len(query[0])
	d := dim / a.Heads
	q, k, v := query.linear(a.InWeight, a.InBias, 0, dim), memory.linear(a.InWeight, a.InBias, dim, dim), memory.linear(a.InWeight, a.InBias, 2*dim, dim)
	joined := q.each(func(i int, row []float64) []float64 {
		y := make([]float64, dim)
		for h := 0; h < dim; h += d {
			shares, sum := make([]float64, len(k)), 0.0
			for j := range k {
				for c := h; c < h+d; c++ {
					shares[j] += row[c] * k[j][c] / math.Sqrt(float64(d))
				}
				shares[j] = math.Exp(shares[j] + bias(i, j))
				sum += shares[j]
			}
			for j := range k {
				for c := h; c < h+d; c++ {
					y[c] += shares[j] / sum * v[j][c]
				}
			}
		}
		return y
	})
	return joined.linear(a.Out.Weight, a.Out.Bias, 0, dim)
}

// layer is a transformer's layer in plain Go.
func layer(l *nn.TransformerLayer, activation func(float64) float64, x, memory matrix, own, other func(i, j int) float64) matrix {
	part := func(x matrix, norm *nn.LayerNorm, f func(x matrix) matrix) matrix {
		if l.NormFirst {
			return x.plus(f(x.norm(norm)))
		}
		return x.plus(f(x)).norm(norm)
	}
	x = part(x, l.Norm1, func(x matrix) matrix { return attend(l.Attention, x, x, own) })
	last := l.Norm2
	if memory != nil {
		x = part(x, l.Norm2, func(x matrix) matrix { return attend(l.Cross, x, memory, other) })
		last = l.Norm3
	}
	return part(x, last, func(x matrix) matrix {
		hidden := x.linear(l.Up.Weight, l.Up.Bias, 0, l.Up.Weight.Size(0))
		for _, row := range hidden {
			for k := range row {
				row[k] = activation(row[k])
			}
		}
		return hidden.linear(l.Down.Weight, l.Down.Bias, 0, l.Down.Weight.Size(0))
	})
}

// TestTransformers compares encoders and decoders with formulas in plain Go, with every option, with masks of
// bools and of numbers, and with a dropout that practically never drops.
func TestTransformers(t *testing.T) {
	tensor.Seed(9)
	const dim, heads, hidden, length, seen = 6, 3, 5, 4, 3
	everything := func(i, j int) float64 { return 0 }
	past := func(i, j int) float64 {
		if j > i {
			return math.Inf(-1)
		}
		return 0
	}
	rectified := func(v float64) float64 { return max(v, 0) }
	bools := tensor.Of([][]bool{{true, false, true}, {true, true, false}, {false, false, true}, {true, true, true}})
	added := tensor.Randn(length, length)
	for i, c := range []struct {
		options      []nn.TransformerOption
		activation   func(float64) float64
		mask, masked *tensor.Tensor // of the layer to itself, of the memory
		own          func(i, j int) float64
	}{
		{nil, rectified, nil, nil, everything},
		{[]nn.TransformerOption{nn.NormFirst()}, rectified, nil, bools, everything},
		{[]nn.TransformerOption{nn.Causal()}, rectified, nil, nil, past},
		{[]nn.TransformerOption{nn.WithActivation(nn.Tanh)}, math.Tanh, added, nil, func(i, j int) float64 { return matrixOf(added)[i][j] }},
	} {
		for _, p := range []float64{0, 1e-12} {
			options := append([]nn.TransformerOption{nn.WithDropout(p)}, c.options...)
			other := everything
			if c.masked != nil {
				other = func(i, j int) float64 {
					if matrixOf(bools.ToDtype(dtype.F64))[i][j] == 0 {
						return math.Inf(-1)
					}
					return 0
				}
			}
			x, memory := tensor.Randn(1, length, dim), tensor.Randn(1, seen, dim)
			encoder := nn.NewTransformerEncoderLayer(dim, heads, hidden, options...)
			decoder := nn.NewTransformerDecoderLayer(dim, heads, hidden, options...)
			for _, l := range []*nn.TransformerLayer{encoder, decoder} { // so that each has its own scale
				for k, n := range []*nn.LayerNorm{l.Norm1, l.Norm2, l.Norm3} {
					if n != nil {
						nn.InitNormal(n.Weight, 1, 0.2*float64(k+1))
						nn.InitNormal(n.Bias, 0, 0.2*float64(k+1))
					}
				}
				nn.InitNormal(l.Attention.InBias, 0, 1)
			}
			name := fmt.Sprintf("options %d, dropout %v", i, p)
			same := func(want matrix, y *tensor.Tensor) {
				require.Equal(t, x.Shape(), y.Shape(), name)
				for i, row := range matrixOf(y) {
					require.InDeltaSlice(t, want[i], row, 2e-5, name)
				}
			}
			same(layer(encoder, c.activation, matrixOf(x), nil, c.own, nil), encoder.Run(x, nil, c.mask, nil))
			once := layer(decoder, c.activation, matrixOf(x), matrixOf(memory), c.own, other)
			same(once, decoder.Run(x, memory, c.mask, c.masked))
			twice := &nn.Transformer{Layers: []*nn.TransformerLayer{decoder, decoder}, Norm: nn.NewLayerNorm(dim)}
			same(layer(decoder, c.activation, once, matrixOf(memory), c.own, other).norm(twice.Norm), twice.Run(x, memory, c.mask, c.masked))
		}
	}
	require.Len(t, nn.NewTransformerEncoder(3, dim, heads, hidden).Layers, 3)
	require.Nil(t, nn.NewTransformerEncoder(1, dim, heads, hidden).Layers[0].Cross)
	require.NotNil(t, nn.NewTransformerDecoder(1, dim, heads, hidden).Layers[0].Cross)
}
