package llm

import (
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// A pass computes so many tokens of so many sequences at once. Its numbers decide the program, its tensors are inputs: all
// passes of the same numbers are one program.
type pass struct {
	net                     *network
	sequences, tokens, seen int

	at     []int          // positions, on the host
	where  *tensor.Tensor // positions, [sequences, 1, tokens, 1]
	turns  map[*Rotary][2]*tensor.Tensor
	heat   *tensor.Tensor
	masks  [2]*tensor.Tensor
	length *tensor.Tensor // of each sequence, [sequences, 1, 1, 1], for an encoder

	memory *memory
	places *tensor.Tensor // where rows are kept
	order  *tensor.Tensor // places of the sequences' tokens, [sequences * seen]; nil if they are in order from start
	start  int
	next   memory
}

// rows is the number of rows of the pass.
func (s *pass) rows() int { return s.sequences * s.tokens }

// last are the last rows of pieces. Sequences that fill up the pass have the first row.
func (s *pass) last(list []piece) []int64 {
	rows := make([]int64, s.sequences)
	for i, p := range list {
		rows[i] = int64(i*s.tokens + p.count - 1)
	}
	return rows
}

// heads cuts rows into heads: [sequences, tokens, heads, width].
func (s *pass) heads(x *tensor.Tensor, width int) *tensor.Tensor {
	return x.Reshape([]int{s.sequences, s.tokens, x.Size(-1) / width, width})
}

// input brings numbers to the device.
func (s *pass) input(data []float32, shape ...int) *tensor.Tensor {
	return tensor.FromSlice(data, shape...).To(s.net.device)
}

// setPositions says where the tokens of the pass stand in their sequences.
func (s *pass) setPositions(at []int) {
	s.at, s.turns = at, map[*Rotary][2]*tensor.Tensor{}
	list := make([]int64, len(at))
	for i, p := range at {
		list[i] = int64(p)
	}
	s.where = tensor.FromSlice(list, s.sequences, 1, s.tokens, 1).To(s.net.device)
}

// angles returns the cosines and sines by which the rows are turned, [sequences, 1, tokens, pairs].
func (s *pass) angles(r *Rotary) (cos, sin *tensor.Tensor) {
	if t, ok := s.turns[r]; ok {
		return t[0], t[1]
	}
	turn, scale := s.net.frequency(r)
	c, n := make([]float32, len(s.at)*len(turn)), make([]float32, len(s.at)*len(turn))
	for row, p := range s.at {
		for k, f := range turn {
			// The angle is rounded to f32 first, as models are trained.
			sn, cs := math.Sincos(float64(float32(p) * f))
			c[row*len(turn)+k], n[row*len(turn)+k] = float32(cs*scale), float32(sn*scale)
		}
	}
	cos, sin = s.input(c, s.sequences, 1, s.tokens, len(turn)), s.input(n, s.sequences, 1, s.tokens, len(turn))
	s.turns[r] = [2]*tensor.Tensor{cos, sin}
	return cos, sin
}

// temperatures are what queries are multiplied by in layers without rotary positions.
func (s *pass) temperatures() *tensor.Tensor {
	if s.heat == nil {
		list := make([]float32, len(s.at))
		for i, p := range s.at {
			list[i] = s.net.temperature(p)
		}
		s.heat = s.input(list, s.sequences, 1, s.tokens, 1)
	}
	return s.heat
}

// mask tells which places each row sees, [sequences, 1, tokens, seen]: those up to its own position, and with a window only
// the last of these.
func (s *pass) mask(windowed bool, window int, chunked bool) *tensor.Tensor {
	kind := 0
	if windowed && window < s.seen {
		kind = 1
	}
	if s.masks[kind] != nil {
		return s.masks[kind]
	}
	place := s.net.numbers(s.seen).Reshape([]int{1, 1, 1, s.seen})
	var seen *tensor.Tensor
	if s.net.Encoder {
		seen = place.Lt(s.length).Expand([]int{s.sequences, 1, s.tokens, s.seen})
	} else {
		seen = place.Le(s.where)
	}
	switch {
	case kind == 0:
	case chunked:
		chunk := func(x *tensor.Tensor) *tensor.Tensor { return x.FloorDivideScalar(window) }
		seen = seen.LogicalAnd(chunk(place).Eq(chunk(s.where)))
	default:
		seen = seen.LogicalAnd(place.Gt(s.where.SubScalar(window)))
	}
	s.masks[kind] = seen
	return seen
}

// memory is the keys and values of a model's layers, [1, heads, places, width] each.
type memory struct{ keys, values []*tensor.Tensor }

// list is all tensors of the memory.
func (m *memory) list() []lazy.Value {
	var all []lazy.Value
	for i := range m.keys {
		all = append(all, m.keys[i], m.values[i])
	}
	return all
}

// newMemory makes room for tokens. All passes use the same memory; pages of it to which no token has come are not touched.
func newMemory(n *network, places int) *memory {
	m, runtime := new(memory), lazy.For(n.device)
	room := func(width int) *tensor.Tensor {
		b := buf.New(dtype.F32, []int{1, n.KVHeads, places, width})
		b.Recyclable()
		return tensor.FromTrace(runtime, runtime.Received(b))
	}
	for range n.Layers {
		m.keys, m.values = append(m.keys, room(n.HeadWidth)), append(m.values, room(n.ValueWidth))
	}
	return m
}

// remember writes keys and values of the rows to their places, and returns those of all places that sequences have.
func (s *pass) remember(layer int, k, v *tensor.Tensor) (keys, values *tensor.Tensor) {
	if s.memory == nil {
		return k, v
	}
	write := func(to, x *tensor.Tensor) *tensor.Tensor {
		if s.sequences > 1 {
			x = x.Transpose(0, 1)
		}
		return to.IndexCopy(2, s.places, x.Reshape([]int{1, to.Size(1), s.rows(), to.Size(3)}))
	}
	keys, values = write(s.memory.keys[layer], k), write(s.memory.values[layer], v)
	s.next.keys, s.next.values = append(s.next.keys, keys), append(s.next.values, values)
	return s.read(keys), s.read(values)
}

// read returns the places of the sequences in their order, [sequences, heads, seen, width].
func (s *pass) read(x *tensor.Tensor) *tensor.Tensor {
	switch {
	case s.order != nil:
		x = x.IndexSelect(2, s.order)
		return x.Reshape([]int{x.Size(1), s.sequences, s.seen, x.Size(3)}).Transpose(0, 1)
	case s.seen < x.Size(2):
		return x.Narrow(2, s.start, s.seen)
	}
	return x
}

// keep replaces the memory by that of the pass, which is written over the old one, as part of computing the scores.
func (s *pass) keep(scores *tensor.Tensor) {
	next := s.next
	lazy.Together(append(next.list(), scores)...)
	lazy.Donate(s.memory.list()...)
	*s.memory = next
}

// taken copies scores to memory that is there, as far as it suffices, and gives up theirs, so that the scores of the next pass of this shape have it.
func taken(scores *tensor.Tensor, to []float32) []float32 {
	_, v := scores.Trace()
	n, result := trace.Of(v)
	b := n.Data(result)
	to = append(to[:0], buf.Slice[float32](b)...)
	lazy.Donate(scores)
	return to
}
