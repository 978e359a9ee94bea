package expand

import (
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	hlo "github.com/go-acap/acap/mlir/dialect/stablehlo"
)

// A generator gives words of 32 bits for a counter and a key (Salmon and others, "Parallel random numbers: as easy as
// 1, 2, 3", 2011).
type generator struct {
	name  string
	words int // that a counter gives
	block func(e emitter, counter, key []*mlir.Value) []*mlir.Value
}

var generators = map[string]generator{
	"THREE_FRY": {"Threefry-2x32", 2, threefry},
	"PHILOX":    {"Philox-4x32", 4, philox},
}

// randomBits replaces a rng_bit_generator: the state is a key and a counter, each element of the output comes from a
// counter of its own, and the counter goes on behind the last one.
func (e emitter) randomBits(op *mlir.Operation) []*mlir.Value {
	state := op.Operands[0]
	n := shape.Size(tensorOf(state).Shape)
	algorithm := hlo.Enum(op.Attrs.Get("rng_algorithm"))
	if algorithm == "DEFAULT" {
		algorithm = "THREE_FRY"
		if n > 2 {
			algorithm = "PHILOX"
		}
	}
	g, ok := generators[algorithm]
	out, _ := op.Results[1].Type.(mlir.TensorType)
	elem, integers := out.Elem.(mlir.IntegerType)
	if !ok || n < 2 || n > 3 || len(tensorOf(state).Shape) != 1 || mlir.BitWidth(tensorOf(state).Elem) != 64 || !integers ||
		elem.Width > 64 || elem.Width < 8 {
		fail(op, "the algorithm %s with a state of type %s for elements of type %s", algorithm, state.Type, out.Elem)
	}
	wide := mlir.IntegerType{Width: 64, Signedness: mlir.Unsigned}
	scalar := mlir.TensorType{Elem: wide}
	word := func(i int) *mlir.Value { return e.convert(e.reshape(e.part(state, 0, i, 1), nil), wide) }
	count := shape.Size(out.Shape)
	per := g.words // elements of a counter
	if elem.Width == 64 {
		per /= 2
	}
	counters := (count + per - 1) / per
	line := mlir.TensorType{Shape: []int{counters}, Elem: wide}
	low := e.add(e.broadcast(word(1), line.Shape, nil), e.iota(line, 0))
	parts := []*mlir.Value{e.low(low), e.high(low)}
	if g.words == 4 {
		top := e.splat(line, 0)
		if n == 3 {
			carry := e.convert(e.compare("LT", low, e.broadcast(word(1), line.Shape, nil)), wide)
			top = e.add(e.broadcast(word(2), line.Shape, nil), carry)
		}
		parts = append(parts, e.low(top), e.high(top))
	}
	key := e.broadcast(word(0), line.Shape, nil)
	words := g.block(e, parts, []*mlir.Value{e.low(key), e.high(key)})
	var columns []*mlir.Value
	for i := 0; i < len(words); i += g.words / per {
		w := words[i]
		if elem.Width == 64 {
			w = e.same("or", w, e.left32(words[i+1], 32))
		}
		columns = append(columns, e.reshape(w, []int{counters, 1}))
	}
	all := e.reshape(e.concatenate(1, columns...), []int{counters * per})
	result := e.reshape(e.convert(e.part(all, 0, 0, count), elem), out.Shape)
	next := e.add(word(1), e.splat(scalar, float64(counters)))
	list := []*mlir.Value{word(0), next}
	if n == 3 {
		list = append(list, e.add(word(2), e.convert(e.compare("LT", next, word(1)), wide)))
	}
	for i, v := range list {
		list[i] = e.convert(e.reshape(v, []int{1}), tensorOf(state).Elem)
	}
	return []*mlir.Value{e.concatenate(0, list...), result}
}

// Words are kept in ui64, so that products and shifts lose nothing.
func (e emitter) low(x *mlir.Value) *mlir.Value { return e.same("and", x, e.number(x, 1<<32-1)) }

func (e emitter) high(x *mlir.Value) *mlir.Value {
	return e.same("shift_right_logical", x, e.number(x, 32))
}

func (e emitter) left32(x *mlir.Value, n int) *mlir.Value {
	return e.same("shift_left", x, e.number(x, float64(n)))
}

// rotated turns the 32 bits of a word to the left.
func (e emitter) rotated(x *mlir.Value, n int) *mlir.Value {
	right := e.same("shift_right_logical", x, e.number(x, float64(32-n)))
	return e.low(e.same("or", e.left32(x, n), right))
}

// threefry has 20 rounds; the key goes in before the first and after every fourth.
func threefry(e emitter, counter, key []*mlir.Value) []*mlir.Value {
	parity := e.same("xor", e.same("xor", key[0], key[1]), e.number(key[0], 0x1BD11BDA))
	keys := []*mlir.Value{key[0], key[1], parity}
	x, y := e.low(e.add(counter[0], key[0])), e.low(e.add(counter[1], key[1]))
	for round := range 5 {
		for _, r := range [][]int{{13, 15, 26, 6}, {17, 29, 16, 24}}[round%2] {
			x = e.low(e.add(x, y))
			y = e.same("xor", e.rotated(y, r), x)
		}
		x = e.low(e.add(x, keys[(round+1)%3]))
		y = e.low(e.add(e.add(y, keys[(round+2)%3]), e.number(y, float64(round+1))))
	}
	return []*mlir.Value{x, y}
}

// philox has 10 rounds of two products of words, whose halves mix with the key.
func philox(e emitter, c, key []*mlir.Value) []*mlir.Value {
	k0, k1 := key[0], key[1]
	for range 10 {
		p, q := e.mul(c[0], e.number(c[0], 0xD2511F53)), e.mul(c[2], e.number(c[2], 0xCD9E8D57))
		c = []*mlir.Value{e.same("xor", e.same("xor", e.high(q), c[1]), k0), e.low(q),
			e.same("xor", e.same("xor", e.high(p), c[3]), k1), e.low(p)}
		k0, k1 = e.low(e.add(k0, e.number(k0, 0x9E3779B9))), e.low(e.add(k1, e.number(k1, 0xBB67AE85)))
	}
	return c
}
