package network

import (
	"context"
	"math"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/llm/cache"
	"github.com/go-acap/acap/llm/sampling"
	"github.com/go-acap/acap/llm/schedule"
	"github.com/go-acap/acap/tensor"
)

// Numbers decide the program of a pass: all passes of the same numbers are one program, and their tensors its inputs.
type Numbers struct {
	schedule.Pass
	Picks int // rows whose scores are wanted; 0 for all
}

// A pass computes a number of tokens of each of a number of sequences at once.
type pass struct {
	net                     *Network
	sequences, tokens, seen int
	numbers                 Numbers

	x      input[float32] // rows of the tokens, [rows, width]
	beside input[float32] // what each layer has of the tokens beside the rows, [rows, layers * width]
	where  input[int64]   // positions, [sequences, 1, tokens, 1]
	turns  []turn         // of each kind of rotary positions
	heat   input[float32] // what queries are multiplied by in layers without rotary positions
	pools  []places       // of each pool
	pick   input[int64]   // rows whose scores are wanted; none if all are
	length input[int64]   // of each sequence, [sequences, 1, 1, 1], for an encoder

	masks   [2]*tensor.Tensor
	known   map[int][2]*tensor.Tensor // keys and values of layers that others read as well
	slopes  *tensor.Tensor
	memory  *Memory                        // nil for an encoder, and while the pass is recorded
	call    *lazy.Prepared[*tensor.Tensor] // nil until the pass is computed
	results []*tensor.Tensor               // of the call: scores, and their peaks
	scores  sampling.Logits                // the elements of the results
	cache   []*tensor.Tensor               // what the memory has, while the pass is recorded; nil for an encoder
}

// places say where keys and values of a pool are.
type places struct {
	places input[int64]   // where rows are kept
	table  input[int64]   // first places of the pages that sequences see, [sequences, seen / pageTokens]
	order  *tensor.Tensor // places of the sequences' tokens, [sequences * seen]
}

// input is a tensor whose elements the host writes in front of each pass.
type input[T dtype.Go] struct {
	*tensor.Tensor
	host []T
}

func newInput[T dtype.Go](n *Network, dims ...int) input[T] {
	runtime, b := lazy.For(n.device), buf.New(dtype.Of[T](), dims)
	return input[T]{tensor.FromTrace(runtime, runtime.Received(b)), buf.Slice[T](b)}
}

// turn is the cosines and sines by which rows are turned, [sequences, 1, tokens, pairs].
type turn struct {
	of       *architecture.Rotary
	angles   []float32 // by which one position turns each pair
	scale    float64
	cos, sin input[float32]
}

// newPass returns a pass without tensors.
func newPass(n *Network, of Numbers) *pass {
	s := &pass{net: n, numbers: of, sequences: of.Sequences, tokens: of.Tokens, seen: of.Seen, pools: make([]places, len(n.Spans))}
	for _, r := range n.Rotaries() {
		angles, scale := n.frequency(r)
		s.turns = append(s.turns, turn{of: r, angles: angles, scale: scale})
	}
	return s
}

// room makes the inputs, and with a memory those that say where keys and values are.
func (s *pass) room(m *Memory) *pass {
	s.memory = m
	s.x = newInput[float32](s.net, s.rows(), s.net.Width)
	if s.net.LayerWidth > 0 {
		s.beside = newInput[float32](s.net, s.rows(), s.net.Layers*s.net.LayerWidth)
	}
	s.where = newInput[int64](s.net, s.sequences, 1, s.tokens, 1)
	for i := range s.turns {
		t := &s.turns[i]
		dims := []int{s.sequences, 1, s.tokens, len(t.angles)}
		t.cos, t.sin = newInput[float32](s.net, dims...), newInput[float32](s.net, dims...)
	}
	if s.net.Temperature != 0 {
		s.heat = newInput[float32](s.net, s.sequences, 1, s.tokens, 1)
	}
	if s.net.Encoder {
		s.length = newInput[int64](s.net, s.sequences, 1, 1, 1)
	}
	if m == nil {
		return s
	}
	for i := range s.pools {
		rows, pages := s.rows(), s.seen/cache.PageTokens
		if s.net.Spans[i].State { // the slots that are written, and those that are read
			rows, pages = s.sequences, 1
		}
		s.pools[i].places = newInput[int64](s.net, rows)
		s.pools[i].table = newInput[int64](s.net, s.sequences, pages)
	}
	if s.numbers.Picks > 0 {
		s.pick = newInput[int64](s.net, s.numbers.Picks)
	}
	return s
}

// rows is the number of rows of the pass.
func (s *pass) rows() int { return s.sequences * s.tokens }

// heads cuts rows into heads: [sequences, tokens, heads, width].
func (s *pass) heads(x *tensor.Tensor, width int) *tensor.Tensor {
	return x.Reshape([]int{s.sequences, s.tokens, x.Size(-1) / width, width})
}

// write fills the inputs with tokens and where they stand in their sequences.
func (s *pass) write(tokens, at []int) error {
	for i, p := range at {
		s.where.host[i] = int64(p)
	}
	for i := range s.turns {
		t := &s.turns[i]
		for row, p := range at {
			cos, sin := t.cos.host[row*len(t.angles):], t.sin.host[row*len(t.angles):]
			for k, f := range t.angles {
				// The angle is rounded to f32 first, as models are trained.
				sn, cs := math.Sincos(float64(float32(p) * f))
				cos[k], sin[k] = float32(cs*t.scale), float32(sn*t.scale)
			}
		}
	}
	for i := range s.heat.host {
		s.heat.host[i] = s.net.temperature(at[i])
	}
	if err := s.net.embedLayers(tokens, s.beside.host); err != nil {
		return err
	}
	return s.net.embed(tokens, at, s.x.host)
}

// angles returns the cosines and sines by which the rows are turned.
func (s *pass) angles(r *architecture.Rotary) (cos, sin *tensor.Tensor) {
	i := slices.IndexFunc(s.turns, func(t turn) bool { return t.of == r })
	return s.turns[i].cos.Tensor, s.turns[i].sin.Tensor
}

// mask tells which places each row sees, [sequences, 1, tokens, seen]: those up to its own position, and with a window
// only the last of these.
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
		seen = place.Lt(s.length.Tensor).Expand([]int{s.sequences, 1, s.tokens, s.seen})
	} else {
		seen = place.Le(s.where.Tensor)
	}
	switch {
	case kind == 0:
	case s.net.Encoder: // to both sides
		seen = seen.LogicalAnd(place.Sub(s.where.Tensor).Abs().LtScalar(window))
	case chunked:
		chunk := func(x *tensor.Tensor) *tensor.Tensor { return x.FloorDivideScalar(window) }
		seen = seen.LogicalAnd(chunk(place).Eq(chunk(s.where.Tensor)))
	default:
		seen = seen.LogicalAnd(place.Gt(s.where.SubScalar(window)))
	}
	s.masks[kind] = seen
	return seen
}

// Memory is the keys and the values of a model's layers, or their states, [1, heads, places, width] each, with the
// places of the pool.
type Memory = lazy.State[*tensor.Tensor]

// NewMemory makes room for pages. All passes use the same memory; pages of it to which no token has come are not
// touched. An error is one of [lazy.NewState].
func NewMemory(n *Network, pools []*cache.Pool) (*Memory, error) {
	runtime := lazy.For(n.device)
	var list []*tensor.Tensor
	for i := range n.Layers {
		for _, row := range cache.RowsOf(&n.Description, i, n.cached) {
			b := buf.New(row.DType, []int{1, row.Heads, row.Places(pools[n.PoolOf(i)].Size()), row.Elements(row.Width)})
			b.Recyclable()
			list = append(list, tensor.FromTrace(runtime, runtime.Received(b)))
		}
	}
	return lazy.NewState(context.Background(), list...)
}

// remember writes keys and values of the rows to their places, and returns keys and values of all places that sequences
// have. A layer that shares another layer's has none of its own.
func (s *pass) remember(layer int, k, v *tensor.Tensor) (keys, values *tensor.Tensor) {
	if s.net.Sharing > 0 {
		if both, ok := s.known[s.net.KVSource(layer)]; ok {
			return both[0], both[1]
		}
		defer func() {
			if s.known == nil {
				s.known = map[int][2]*tensor.Tensor{}
			}
			s.known[layer] = [2]*tensor.Tensor{keys, values}
		}()
	}
	if s.cache == nil {
		return k, v
	}
	at := &s.pools[s.net.PoolOf(layer)]
	write := func(to, x *tensor.Tensor) *tensor.Tensor {
		if s.sequences > 1 {
			x = x.Transpose(0, 1)
		}
		x = x.Reshape([]int{1, to.Size(1), s.rows(), x.Size(3)})
		return to.IndexCopy(2, at.places.Tensor, packed(s.net.cached, x))
	}
	key, value := &s.cache[s.net.first[layer]], &s.cache[s.net.first[layer]+1]
	*key, *value = write(*key, k), write(*value, v)
	return s.read(*key, at), s.read(*value, at)
}

// read returns the places of the sequences in their order, [sequences, heads, seen, width]. Attention reads them where
// they are: the selection of places is part of its kernel.
func (s *pass) read(x *tensor.Tensor, at *places) *tensor.Tensor {
	if at.order == nil {
		table := at.table.Reshape([]int{s.sequences, s.seen / cache.PageTokens, 1})
		at.order = table.Add(s.net.numbers(cache.PageTokens).Reshape([]int{1, 1, cache.PageTokens})).Reshape([]int{s.sequences * s.seen})
	}
	x = unpacked(s.net.cached, x.IndexSelect(2, at.order))
	return x.Reshape([]int{x.Size(1), s.sequences, s.seen, x.Size(3)}).Transpose(0, 1)
}
