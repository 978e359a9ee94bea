package torchscript

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/translate/importer/torchscript/pickle"
)

// quantized is a quantized tensor: integers, and what they stand for.
type quantized struct {
	data value // a *Parameter in a model, a *tensor in a running program
	quantum
	rows bool // of pictures, in a file: elements lie in the order of dimensions, and could lie with channels last
}

// traces are signs of the engine that prepared the weights of a model, which no file names. QNNPACK has one scale for
// all channels by default, and the engines of x86 have one scale for each. oneDNN keeps the windows of convolutions in
// the order of dimensions, and the other engines put channels last.
type traces struct{ oneScale, manyScales, rows bool }

func (t *traces) note(v value) {
	if p, ok := v.(*packed); ok {
		v = p.weight
	}
	if q, ok := v.(*quantized); ok && q.code == qint8 {
		t.oneScale, t.manyScales, t.rows = t.oneScale || q.scales == nil, t.manyScales || q.scales != nil, t.rows || q.rows
	}
}

// qnnpack reports whether the model computes as QNNPACK does: all its weights are as QNNPACK's default leaves them.
func (m *Model) qnnpack() bool { return m.traces.oneScale && !m.traces.manyScales && !m.traces.rows }

// quantum says that an integer q stands for (q - zero) · scale: with one scale, or with one for each
// place of a dimension.
type quantum struct {
	code   int // of the element type, in c10::ScalarType
	scale  float64
	zero   int
	scales *buf.Buffer // of f64, and nil if there is one scale
	zeros  *buf.Buffer // of i64, or of floats
	axis   int
}

// quanta is a name of a quantized tensor of a model.
type quanta struct {
	name   string
	tensor *quantized
}

// state returns what the integers of the tensor stand for, by the names that [Model.State] says.
func (q quanta) state() map[string]*buf.Buffer {
	t := q.tensor
	if t.scales == nil {
		return map[string]*buf.Buffer{
			q.name + ".scale":      buf.From([]float64{t.scale}),
			q.name + ".zero_point": buf.From([]int64{int64(t.zero)}),
		}
	}
	return map[string]*buf.Buffer{
		q.name + ".scale":      t.scales,
		q.name + ".zero_point": t.zeros,
		q.name + ".axis":       buf.From([]int64{int64(t.axis)}),
	}
}

// renameQuantized notes another name of a quantized tensor.
func (m *Model) renameQuantized(name string, q *quantized) {
	p, ok := q.data.(*Parameter)
	if !ok {
		return
	}
	if m.rename(name+".int_repr", p); m.nameBytes <= maxNames {
		m.quanta = append(m.quanta, quanta{name, q})
	}
}

// The numbers of the quantized element types in c10::ScalarType, and the integers that hold them.
const qint8, quint8, qint32 = 12, 13, 14

var quantizedTypes = map[int]dtype.DType{qint8: dtype.I8, quint8: dtype.U8, qint32: dtype.I32}

// packed are the parameters of a linear layer or a convolution, as a file holds them and as
// quantized::linear_prepack and its like make them.
type packed struct {
	weight                    *quantized
	bias                      value
	stride, padding, dilation []int // of a convolution
	outputPadding             []int
	groups                    int
	transposed                bool
}

// quantizedTensor reads the arguments of _rebuild_qtensor: storage, offset, size, stride, the quantizer, and what
// follows for plain tensors.
func (o *objects) quantizedTensor(call *pickle.Object) value {
	if len(call.Args) < 5 {
		o.fail(call.Offset, "a quantized tensor needs 5 arguments, got %d", len(call.Args))
	}
	plain := *call
	plain.Args = call.Args[:4]
	data, from := o.elements(&plain)
	q := &quantized{data: data}
	if strides, ok := extents(call.Args[3]); ok && len(strides) > 3 {
		// With channels last they are next to each other.
		dims := data.Data.Shape
		q.rows = dims[1] > 1 && shape.Size(dims[2:]) > 1 && strides[len(strides)-1] == 1 && strides[1] > 1
	}
	for code, d := range quantizedTypes {
		if from.quantized && d == data.Data.DType {
			q.code = code
		}
	}
	quantizer, _ := call.Args[4].(*pickle.Tuple)
	if q.code == 0 || quantizer == nil || len(quantizer.Items) < 3 {
		o.fail(call.Offset, "the quantizer of a tensor is malformed")
	}
	scheme, _ := quantizer.Items[0].(*pickle.Global)
	var items []value
	for _, item := range quantizer.Items[1:] {
		items = append(items, o.value(item, call.Offset))
	}
	switch {
	case scheme != nil && scheme.Name == "per_tensor_affine":
		scale, ok1 := items[0].(float64)
		zero, ok2 := items[1].(int)
		if q.scale, q.zero = scale, zero; ok1 && ok2 {
			return q
		}
	case scheme != nil && (scheme.Name == "per_channel_affine" || scheme.Name == "per_channel_affine_float_qparams") && len(items) == 3:
		scales, ok1 := items[0].(*Parameter)
		zeros, ok2 := items[1].(*Parameter)
		axis, ok3 := items[2].(int)
		dims := q.data.(*Parameter).Data.Shape
		if ok1 && ok2 && ok3 && axis >= 0 && axis < len(dims) && scales.Data.Len() == dims[axis] && zeros.Data.Len() == dims[axis] {
			q.scales, q.zeros, q.axis = scales.Data.Cast(dtype.F64), zeros.Data, axis
			return q
		}
	}
	o.fail(call.Offset, "the quantizer of a tensor is malformed or not supported: it is affine, for a tensor or a channel")
	return nil
}

// packedParameters reads the state of a LinearPackedParamsBase, a weight and a bias, of a ConvNdPackedParamsBase or of
// an EmbeddingPackedParamsBase.
func (o *objects) packedParameters(call *pickle.Object, g *pickle.Global) value {
	items := itemsOf(o.value(call.State, call.Offset))
	p := &packed{}
	switch {
	case g.Name == "LinearPackedParamsBase" && len(items) == 2:
		p.weight, _ = items[0].(*quantized)
		p.bias = items[1]
	case g.Name == "EmbeddingPackedParamsBase" && len(items) == 4 && items[0] == value(1):
		if tensors := itemsOf(items[1]); len(tensors) == 1 {
			p.weight, _ = tensors[0].(*quantized)
		}
	case (g.Name == "Conv2dPackedParamsBase" || g.Name == "Conv3dPackedParamsBase") && len(items) == 3 && items[0] == value("2"):
		// The version, (numbers, weight) and (bias).
		tensors, optional := itemsOf(items[1]), itemsOf(items[2])
		if len(tensors) != 2 || len(optional) == 0 {
			break
		}
		p.bias = optional[len(optional)-1]
		if numbers, ok := tensors[0].(*Parameter); ok && p.configure(numbers.Data) {
			p.weight, _ = tensors[1].(*quantized)
		}
	}
	if _, ok := p.bias.(*Parameter); p.weight == nil || !ok && p.bias != nil {
		o.fail(call.Offset, "packed parameters of class %s are malformed or not supported", g)
	}
	o.memo[call] = p
	return p
}

// configure reads the numbers of a convolution: how many dimensions, then for each of them stride, padding,
// dilation and output padding, groups, and whether it is transposed.
func (p *packed) configure(b *buf.Buffer) bool {
	n := 0
	if b.Len() > 0 {
		n = int(b.Int64(0))
	}
	if n < 1 || n > 3 || b.Len() != 1+4*n+2 {
		return false
	}
	at := func(k int) []int {
		out := make([]int, n)
		for i := range out {
			out[i] = int(b.Int64(1 + k*n + i))
		}
		return out
	}
	p.stride, p.padding, p.dilation, p.outputPadding = at(0), at(1), at(2), at(3)
	p.groups, p.transposed = int(b.Int64(4*n+1)), b.Int64(4*n+2) != 0
	return true
}

// kind describes a quantized tensor for messages.
func (q *quantized) kind() string {
	return fmt.Sprintf("quantized Tensor of %v", quantizedTypes[q.code])
}
