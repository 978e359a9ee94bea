package nn

import (
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// TransformerLayer is a layer of an encoder, or of a decoder, which has Cross: attention, a
// perceptron of one hidden layer, and norms around them (Vaswani et al., "Attention Is All
// You Need", 2017), on [N L dim].
type TransformerLayer struct {
	Attention *MultiheadAttention `nn:"self_attn"`
	Cross     *MultiheadAttention `nn:"multihead_attn"` // nil in an encoder
	Up        *Linear             `nn:"linear1"`
	Down      *Linear             `nn:"linear2"`
	Norm1     *LayerNorm          `nn:"norm1"`
	Norm2     *LayerNorm          `nn:"norm2"`
	Norm3     *LayerNorm          `nn:"norm3"` // nil in an encoder

	Activation Module `nn:"-"`
	NormFirst  bool   // norms come before attention and perceptron, and not after
	Causal     bool   // attention of the layer to itself hides what comes later
	Drop       *Dropout
	hook
}

// TransformerOption changes how a layer is made.
type TransformerOption func(l *TransformerLayer)

// NormFirst puts norms before attention and perceptron.
func NormFirst() TransformerOption { return func(l *TransformerLayer) { l.NormFirst = true } }

// Causal hides what comes later from attention of a layer to itself.
func Causal() TransformerOption { return func(l *TransformerLayer) { l.Causal = true } }

// WithActivation takes another activation than ReLU.
func WithActivation(m Module) TransformerOption {
	return func(l *TransformerLayer) { l.Activation = m }
}

// WithDropout drops, in training, shares of attention, and results of each part.
func WithDropout(p float64) TransformerOption {
	return func(l *TransformerLayer) {
		l.Drop = NewDropout(p)
		l.Attention.Dropout = p
		if l.Cross != nil {
			l.Cross.Dropout = p
		}
	}
}

// NewTransformerEncoderLayer returns a layer for features of the given extent, with random
// weights, ReLU, norms after the parts, and no dropout.
func NewTransformerEncoderLayer(dim, heads, hidden int, options ...TransformerOption) *TransformerLayer {
	return newTransformerLayer(dim, heads, hidden, false, options)
}

// NewTransformerDecoderLayer is [NewTransformerEncoderLayer] with attention to a memory.
// PyTorch's decoders see what comes later unless a mask hides it, as these do without
// [Causal].
func NewTransformerDecoderLayer(dim, heads, hidden int, options ...TransformerOption) *TransformerLayer {
	return newTransformerLayer(dim, heads, hidden, true, options)
}

func newTransformerLayer(dim, heads, hidden int, cross bool, options []TransformerOption) *TransformerLayer {
	l := &TransformerLayer{Attention: NewMultiheadAttention(dim, heads), Up: NewLinear(dim, hidden), Down: NewLinear(hidden, dim),
		Norm1: NewLayerNorm(dim), Norm2: NewLayerNorm(dim), Activation: ReLU, Drop: NewDropout(0)}
	if cross {
		l.Cross, l.Norm3 = NewMultiheadAttention(dim, heads), NewLayerNorm(dim)
	}
	applyOptions("transformer", l, options)
	return l
}

// Forward implements [Module], for a layer of an encoder.
func (l *TransformerLayer) Forward(x *tensor.Tensor) *tensor.Tensor { return l.Run(x, nil, nil, nil) }

// Run takes x [N L dim] and what a layer of a decoder looks at, memory [N S dim], to
// [N L dim]. The masks, of attention to x and to memory, are as in [MultiheadAttention.Attend], and may be nil. A layer
// of a decoder without memory, and a layer of an encoder with one, panic with a [*tensor.ArgError].
func (l *TransformerLayer) Run(x, memory, mask, memoryMask *tensor.Tensor) *tensor.Tensor {
	if (l.Cross != nil) != (memory != nil) {
		trace.Raise(&tensor.ArgError{Op: "transformer", Detail: "a decoder's layer needs a memory, and an encoder's takes none"})
	}
	x = l.part(x, l.Norm1, func(x *tensor.Tensor) *tensor.Tensor { return l.Attention.Attend(x, x, x, mask, l.Causal) })
	last := l.Norm2
	if l.Cross != nil {
		x = l.part(x, l.Norm2, func(x *tensor.Tensor) *tensor.Tensor { return l.Cross.Attend(x, memory, memory, memoryMask, false) })
		last = l.Norm3
	}
	return l.seen(l.part(x, last, func(x *tensor.Tensor) *tensor.Tensor {
		return l.Down.Forward(l.Drop.Forward(l.Activation.Forward(l.Up.Forward(x))))
	}))
}

// part adds to x what f makes of it.
func (l *TransformerLayer) part(x *tensor.Tensor, norm *LayerNorm, f func(x *tensor.Tensor) *tensor.Tensor) *tensor.Tensor {
	if l.NormFirst {
		return x.Add(l.Drop.Forward(f(norm.Forward(x))))
	}
	return norm.Forward(x.Add(l.Drop.Forward(f(x))))
}

// Transformer is a stack of layers, an encoder or a decoder, with a norm at the end if Norm
// is set.
type Transformer struct {
	Layers []*TransformerLayer
	Norm   *LayerNorm // may be nil
	hook
}

// NewTransformerEncoder stacks n layers of an encoder.
func NewTransformerEncoder(n, dim, heads, hidden int, options ...TransformerOption) *Transformer {
	return newTransformer(n, func() *TransformerLayer { return NewTransformerEncoderLayer(dim, heads, hidden, options...) })
}

// NewTransformerDecoder stacks n layers of a decoder.
func NewTransformerDecoder(n, dim, heads, hidden int, options ...TransformerOption) *Transformer {
	return newTransformer(n, func() *TransformerLayer { return NewTransformerDecoderLayer(dim, heads, hidden, options...) })
}

func newTransformer(n int, layer func() *TransformerLayer) *Transformer {
	checkLayers("transformer", n)
	t := &Transformer{}
	for range n {
		t.Layers = append(t.Layers, layer())
	}
	return t
}

// Forward implements [Module], for an encoder.
func (t *Transformer) Forward(x *tensor.Tensor) *tensor.Tensor { return t.Run(x, nil, nil, nil) }

// Run runs the layers one after the other, see [TransformerLayer.Run].
func (t *Transformer) Run(x, memory, mask, memoryMask *tensor.Tensor) *tensor.Tensor {
	for _, l := range t.Layers {
		x = l.Run(x, memory, mask, memoryMask)
	}
	if t.Norm != nil {
		x = t.Norm.Forward(x)
	}
	return t.seen(x)
}
