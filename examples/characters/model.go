package main

import (
	"math"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// model is a decoder of a few layers, with norms before the parts and learnt positions.
type model struct {
	Tokens    *nn.Embedding
	Positions *nn.Embedding
	Layers    []*layer
	Norm      *nn.LayerNorm
	Out       *nn.Linear
}

// layer is attention and a perceptron.
type layer struct {
	Norm1, Norm2 *nn.LayerNorm
	QKV, Mix     *nn.Linear
	Up, Down     *nn.Linear
	Heads        int
}

// newModel returns a model for texts of at most length characters of an alphabet.
func newModel(alphabet, length, dim, heads, layers int) *model {
	m := &model{Tokens: nn.NewEmbedding(alphabet, dim), Positions: nn.NewEmbedding(length, dim),
		Norm: nn.NewLayerNorm(dim), Out: nn.NewLinear(dim, alphabet)}
	nn.InitNormal(m.Tokens.Weight, 0, 0.1)
	nn.InitNormal(m.Positions.Weight, 0, 0.1)
	for range layers {
		m.Layers = append(m.Layers, &layer{Norm1: nn.NewLayerNorm(dim), Norm2: nn.NewLayerNorm(dim), QKV: nn.NewLinear(dim, 3*dim),
			Mix: nn.NewLinear(dim, dim), Up: nn.NewLinear(dim, 4*dim), Down: nn.NewLinear(4*dim, dim), Heads: heads})
	}
	return m
}

// Forward takes texts [N L] to scores of what comes next after each character [N L alphabet].
func (m *model) Forward(x *tensor.Tensor) *tensor.Tensor {
	places := tensor.Kind{Device: x.Device()}.Arange(0, x.Size(1), 1)
	h := m.Tokens.Forward(x).Add(m.Positions.Forward(places))
	for _, l := range m.Layers {
		q, k, v := l.project(h)
		h = l.finish(h, q.ScaledDotProductAttention(k, v, tensor.IsCausal))
	}
	return m.Out.Forward(m.Norm.Forward(h))
}

// project returns queries, keys and values, each [N heads L dim/heads].
func (l *layer) project(h *tensor.Tensor) (q, k, v *tensor.Tensor) {
	n, length, dim := h.Size(0), h.Size(1), h.Size(2)
	parts := l.QKV.Forward(l.Norm1.Forward(h)).Split(dim, tensor.Dim(2))
	split := func(x *tensor.Tensor) *tensor.Tensor {
		return x.Reshape([]int{n, length, l.Heads, dim / l.Heads}).Transpose(1, 2)
	}
	return split(parts[0]), split(parts[1]), split(parts[2])
}

// finish adds what attention found, and the perceptron.
func (l *layer) finish(h, found *tensor.Tensor) *tensor.Tensor {
	h = h.Add(l.Mix.Forward(found.Transpose(1, 2).Reshape(h.Shape())))
	return h.Add(l.Down.Forward(l.Up.Forward(l.Norm2.Forward(h)).GELU()))
}

// bucket is by how many characters a cache grows.
const bucket = 32

// cache keeps the keys and values of the characters so far, each layer [1 heads room dim/heads]; the first length
// places of room are filled.
type cache struct {
	keys, values []*tensor.Tensor
	room, length int
}

// next takes one character to the scores of what comes next, [alphabet].
func (m *model) next(c *cache, token int64) *tensor.Tensor {
	kind := tensor.Kind{Device: m.Out.Weight.Device()}
	if c.length == c.room {
		c.grow(m, kind)
	}
	// An input of the program, as the token is: the next character runs the same program.
	place := tensor.Of([]int64{int64(c.length)}).To(kind.Device)
	h := m.Tokens.Forward(tensor.Of([][]int64{{token}}).To(kind.Device)).Add(m.Positions.Forward(place))
	visible := kind.Arange(0, c.room, 1).Le(place)
	for i, l := range m.Layers {
		q, k, v := l.project(h)
		c.keys[i] = c.keys[i].IndexCopy(2, place, k)
		c.values[i] = c.values[i].IndexCopy(2, place, v)
		h = l.finish(h, q.ScaledDotProductAttention(c.keys[i], c.values[i], tensor.AttnMask(visible.View([]int{1, 1, 1, c.room}))))
	}
	c.length++
	return m.Out.Forward(m.Norm.Forward(h)).View([]int{-1})
}

// grow makes room for another bucket.
func (c *cache) grow(m *model, kind tensor.Kind) {
	first := c.room == 0
	for i, l := range m.Layers {
		dim := l.QKV.Weight.Size(1)
		more := kind.Zeros(1, l.Heads, bucket, dim/l.Heads)
		if first {
			c.keys, c.values = append(c.keys, more), append(c.values, more)
			continue
		}
		c.keys[i] = tensor.Cat([]*tensor.Tensor{c.keys[i], more}, tensor.Dim(2))
		c.values[i] = tensor.Cat([]*tensor.Tensor{c.values[i], more}, tensor.Dim(2))
	}
	c.room += bucket
}

// all are the tensors of the cache, to be computed with each step.
func (c *cache) all() []*tensor.Tensor {
	return append(append([]*tensor.Tensor{}, c.keys...), c.values...)
}

// choose draws a character by its scores: temperature 0 takes the best one.
func choose(scores []float32, temperature, random float64) int64 {
	best := 0
	for i, s := range scores {
		if s > scores[best] {
			best = i
		}
	}
	if temperature <= 0 {
		return int64(best)
	}
	sum := 0.0
	shares := make([]float64, len(scores))
	for i, s := range scores {
		shares[i] = math.Exp(float64(s-scores[best]) / temperature)
		sum += shares[i]
	}
	for i, p := range shares {
		if random -= p / sum; random < 0 {
			return int64(i)
		}
	}
	return int64(best)
}
