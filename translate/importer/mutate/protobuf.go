package mutate

import (
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"slices"
	"unicode/utf8"
)

// messages are the messages of onnx.proto whose fields are changed: the kinds of the messages inside,
// by field.
var messages = map[string]map[uint64]string{
	"model": {7: "graph", 8: "opset", 25: "function"}, "opset": {},
	"graph":    {1: "node", 5: "tensor", 11: "value", 12: "value"},
	"node":     {5: "attribute"},
	"function": {7: "node", 9: "opset", 11: "attribute"}, "tensor": {},
	"attribute": {5: "tensor", 6: "graph"},
	"value":     {2: "type"}, "type": {1: "tensor type"}, "tensor type": {2: "shape"},
	"shape": {1: "dim"}, "dim": {},
}

// field is a field of a message.
type field struct {
	number, wire uint64
	value        uint64   // of a varint
	bytes        []byte   // of a text, or of a number of fixed size
	inside       *message // of a message
}

type message struct {
	kind   string
	fields []*field
}

// parse reads a message; ok is false if it is none.
func parse(kind string, data []byte) (m *message, ok bool) {
	m = &message{kind: kind}
	for len(data) > 0 {
		key, n := binary.Uvarint(data)
		if n <= 0 {
			return nil, false
		}
		f := &field{number: key >> 3, wire: key & 7}
		data = data[n:]
		size := uint64(0)
		switch f.wire {
		case 0:
			if f.value, n = binary.Uvarint(data); n <= 0 {
				return nil, false
			}
			data = data[n:]
		case 1, 5:
			size = map[uint64]uint64{1: 8, 5: 4}[f.wire]
		case 2:
			if size, n = binary.Uvarint(data); n <= 0 {
				return nil, false
			}
			data = data[n:]
		default:
			return nil, false
		}
		if size > uint64(len(data)) {
			return nil, false
		}
		f.bytes, data = data[:size], data[size:]
		if inner, ok := messages[kind][f.number]; ok && f.wire == 2 {
			if f.inside, ok = parse(inner, f.bytes); !ok {
				return nil, false
			}
		}
		m.fields = append(m.fields, f)
	}
	return m, true
}

func (m *message) encode() []byte {
	var out []byte
	for _, f := range m.fields {
		out = binary.AppendUvarint(out, f.number<<3|f.wire)
		switch f.wire {
		case 0:
			out = binary.AppendUvarint(out, f.value)
		case 2:
			body := f.bytes
			if f.inside != nil {
				body = f.inside.encode()
			}
			out = append(binary.AppendUvarint(out, uint64(len(body))), body...)
		default:
			out = append(out, f.bytes...)
		}
	}
	return out
}

// walk visits a message and those inside.
func (m *message) walk(visit func(*message)) {
	visit(m)
	for _, f := range m.fields {
		if f.inside != nil {
			f.inside.walk(visit)
		}
	}
}

// of returns the fields of a message with a number.
func (m *message) of(number uint64) []*field {
	var out []*field
	for _, f := range m.fields {
		if f.number == number {
			out = append(out, f)
		}
	}
	return out
}

// ONNX changes a model: mostly its nodes, with inputs, outputs, operators and attributes, also the
// types of inputs and the forms of weights.
func ONNX(r *rand.Rand, data []byte) []byte {
	model, ok := parse("model", data)
	if !ok {
		return Bytes(r, data)
	}
	for range 1 + r.IntN(3) {
		kinds := map[string][]*message{}
		names := map[string]bool{}
		model.walk(func(m *message) {
			kinds[m.kind] = append(kinds[m.kind], m)
			for _, f := range m.fields {
				if f.wire == 2 && f.inside == nil && len(f.bytes) > 0 && len(f.bytes) < 64 && utf8.Valid(f.bytes) {
					names[string(f.bytes)] = true
				}
			}
		})
		c := change{r, slices.Sorted(maps.Keys(names))}
		list := []string{"node", "node", "node", "attribute", "attribute", "graph", "tensor", "value", "dim", "opset",
			"tensor type", "model"}
		if of := kinds[list[r.IntN(len(list))]]; len(of) > 0 {
			c.message(of[r.IntN(len(of))])
		}
	}
	return model.encode()
}

// change is one change of a message.
type change struct {
	*rand.Rand
	names []string // in the file
}

func (c change) message(m *message) {
	if len(m.fields) == 0 {
		m.fields = append(m.fields, &field{number: uint64(1 + c.IntN(8)), value: uint64(number(c.Rand))})
		return
	}
	if nodes := m.of(4); m.kind == "node" && len(nodes) > 0 && c.IntN(4) == 0 {
		nodes[0].bytes = []byte(Operators[c.IntN(len(Operators))])
		return
	}
	if m.kind == "attribute" && c.IntN(3) == 0 { // another number, or list of numbers
		m.fields = append(m.fields[:min(1, len(m.fields))], &field{number: 3, value: uint64(number(c.Rand))})
		for range c.IntN(4) {
			m.fields = append(m.fields, &field{number: 8, value: uint64(number(c.Rand))})
		}
		return
	}
	at := c.IntN(len(m.fields))
	f := m.fields[at]
	switch c.IntN(6) {
	case 0:
		m.fields = slices.Delete(m.fields, at, at+1)
	case 1:
		m.fields = slices.Insert(m.fields, c.IntN(len(m.fields)+1), f)
	case 2:
		other := c.IntN(len(m.fields))
		m.fields[at], m.fields[other] = m.fields[other], f
	case 3:
		if m.kind == "graph" && c.IntN(2) == 0 {
			c.Shuffle(len(m.fields), func(i, j int) { m.fields[i], m.fields[j] = m.fields[j], m.fields[i] })
		}
		c.field(f)
	default:
		c.field(f)
	}
}

// field changes a number, a name or some bytes.
func (c change) field(f *field) {
	switch {
	case f.inside != nil:
		c.message(f.inside)
	case f.wire == 0:
		f.value = uint64(number(c.Rand))
	case f.wire == 2 && len(f.bytes) < 64 && utf8.Valid(f.bytes) && len(c.names) > 0:
		f.bytes = []byte(c.names[c.IntN(len(c.names))])
		if c.IntN(16) == 0 {
			f.bytes = nil
		}
	case f.wire == 2 && len(f.bytes) >= 8 && c.IntN(2) == 0: // perhaps an integer among many
		f.bytes = slices.Clone(f.bytes)
		binary.LittleEndian.PutUint64(f.bytes[c.IntN(len(f.bytes)/8)*8:], uint64(number(c.Rand)))
	default:
		same := len(f.bytes)
		f.bytes = Bytes(c.Rand, f.bytes)
		if f.wire != 2 {
			f.bytes = append(f.bytes, make([]byte, same)...)[:same]
		}
	}
}

// Operators are the names that a node may get.
var Operators = []string{"Add", "Sub", "Mul", "Div", "MatMul", "Gemm", "Conv", "ConvTranspose", "MaxPool",
	"AveragePool", "GlobalAveragePool", "BatchNormalization", "InstanceNormalization", "GroupNormalization",
	"LayerNormalization", "Reshape", "Flatten", "Transpose", "Squeeze", "Unsqueeze", "Concat", "Split", "Slice", "Gather",
	"GatherElements", "GatherND", "ScatterElements", "ScatterND", "Expand", "Tile", "Pad", "Resize", "Upsample", "Shape",
	"Size", "Constant", "ConstantOfShape", "Range", "OneHot", "NonZero", "Where", "Cast", "Clip", "Identity", "If",
	"Loop", "Scan", "LSTM", "GRU", "RNN", "TopK", "ArgMax", "CumSum", "ReduceSum", "ReduceMean", "ReduceMax", "ReduceProd",
	"ReduceL2", "ReduceLogSumExp", "Softmax", "LogSoftmax", "Hardmax", "Softplus", "PRelu", "Elu", "Selu", "Celu",
	"HardSigmoid", "LpNormalization", "LpPool", "LRN", "MeanVarianceNormalization", "Einsum", "Det", "DFT", "STFT",
	"HannWindow", "EyeLike", "Trilu", "DepthToSpace", "SpaceToDepth", "ReverseSequence", "Unique", "Compress", "Pow",
	"Mod", "BitShift", "Min", "Max", "Mean", "Sum", "Not", "And", "Equal", "Less", "IsInf", "QuantizeLinear",
	"DequantizeLinear", "QLinearConv", "QLinearMatMul", "ConvInteger", "MatMulInteger", "DynamicQuantizeLinear",
	"NonMaxSuppression", "GridSample", "MaxUnpool", "MaxRoiPool", "RoiAlign", "CenterCropPad", "Col2Im", "DeformConv",
	"Dropout", "Bernoulli", "RandomNormal", "RandomUniformLike", "SequenceConstruct", "SequenceAt", "SequenceInsert",
	"SequenceErase", "SequenceLength", "SplitToSequence", "ConcatFromSequence", "Optional", "OptionalHasElement",
	"OptionalGetElement", "NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss", "Attention", "RotaryEmbedding",
	"RMSNormalization", "Swish", "AffineGrid", "TfIdfVectorizer", "MelWeightMatrix", "BlackmanWindow", "Multinomial"}
