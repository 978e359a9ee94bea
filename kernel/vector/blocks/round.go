package blocks

import (
	"math"
	"unsafe"

	"github.com/go-acap/acap/base/block"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/vector"
)

// rounding is how rows are rounded as [block.Round] does, and where that is written: for each 32 values of a row their
// bytes, the scale, and sums of the bytes times the scale; or their values.
type rounding struct {
	from   dtype.DType
	stride int // bytes between the values of a row
	k      int

	// Distances in bytes between the parts of 32 values and of the next 32.
	bytes, scale, sum, half int
	halfGap                 int  // bytes from the sum of the first 16 values to the sum of the other values
	zero                    byte // if it is not 0, sums are times minus the number that stands for 0
	pairs                   bool // for vectors of four lanes: eight bytes of one row and eight of the next in turn
	fours                   int  // bytes from four bytes to the next four, if these are apart

	values int // bytes between values, if these are written and nothing else is
}

// Words of the call block of what rounds rows.
const (
	roundFrom = iota
	roundTo
	roundScale
	roundSum
	roundHalf
	roundFault
	roundWords
)

// programFor returns what writes the program for a processor.
func (n *rounding) programFor(t vector.Backend) func() *vector.Program {
	return func() *vector.Program { return n.program(t) }
}

// program rounds a row. Its sums are left out where their distances are 0.
func (n *rounding) program(t vector.Backend) *vector.Program {
	b := vector.NewBuilder("round", t.VectorBytes()/4)
	lanes := b.Lanes()
	at := func(word int, i vector.Val, bytes int) vector.Val { return b.Along(b.Arg(word), i, bytes) }
	b.Loop(b.Word(n.k/block.Rounded), 1, nil, func(i vector.Val, _ []vector.Val) []vector.Val {
		x := n.load(b, at(roundFrom, i, block.Rounded*n.stride))
		magnitude := b.Float(vector.F32, block.LeastRounded).As(vector.I32) // the largest: bits of floats are ordered as integers
		for _, v := range x {
			magnitude = b.Op(vector.Max, magnitude, b.Op(vector.And, v.As(vector.I32), b.Bits(vector.I32, math.MaxInt32)))
		}
		inverse := b.Op(vector.Div, b.Float(vector.F32, 127), across(b, vector.Max, magnitude).As(vector.F32))
		squares := b.Float(vector.F32, block.NoSquares)
		q, products := make([]vector.Val, len(x)), make([]vector.Val, len(x))
		for j, v := range x {
			multiple := b.Op(vector.Mul, v, inverse)
			whole := b.Op(vector.RoundEven, multiple)
			q[j], products[j] = b.Convert(vector.ToInteger, vector.I32, whole), b.Op(vector.Mul, multiple, whole)
			squares = b.Op(vector.MulAdd, whole, whole, squares)
		}
		scale := b.Op(vector.Div, total(b, products), b.Op(vector.Mul, across(b, vector.Add, squares), inverse))
		if n.values > 0 {
			to := at(roundTo, i, block.Rounded*n.values)
			for j, v := range q {
				v = b.Op(vector.Mul, b.Convert(vector.ToFloat, vector.F32, v), scale)
				a := vector.Access{Offset: lanes * j * n.values}
				if n.values != 4 {
					a.Stride = n.values
				}
				b.Store(v, to, a)
			}
			return nil
		}
		to := at(roundTo, i, n.bytes)
		for j, v := range q {
			place := lanes * j
			if n.pairs {
				place = j/2*16 + j%2*4
			}
			if n.fours == 0 {
				b.Store(v, to, vector.Access{Mem: vector.S8, Offset: place})
				continue
			}
			for ; place < lanes*(j+1); place += 4 {
				b.Store(v, to, vector.Access{Mem: vector.S8, Count: 4, Offset: place / 4 * n.fours})
				v = b.OpImm(vector.Rotate, 4, v)
			}
		}
		first := vector.Access{Count: 1}
		b.Store(scale, at(roundScale, i, n.scale), first)
		if n.zero > 0 {
			scale = b.Op(vector.Mul, scale, b.Float(vector.F32, -float64(n.zero)))
		}
		times := func(s vector.Val) vector.Val {
			return b.Op(vector.Mul, b.Convert(vector.ToFloat, vector.F32, s), scale)
		}
		var whole32 vector.Val
		if n.half > 0 {
			first16, last16 := total(b, q[:len(q)/2]), total(b, q[len(q)/2:])
			to := at(roundHalf, i, n.half)
			b.Store(times(first16), to, first)
			b.Store(times(last16), to, vector.Access{Count: 1, Offset: n.halfGap})
			whole32 = b.Op(vector.Add, first16, last16)
		}
		if n.sum > 0 {
			if n.half == 0 {
				whole32 = total(b, q)
			}
			b.Store(times(whole32), at(roundSum, i, n.sum), first)
		}
		return nil
	})
	return b.Optimised()
}

// load reads 32 values.
func (n *rounding) load(b *vector.Builder, at vector.Val) (list []vector.Val) {
	kind, mem := vector.Element(n.from)
	for i := range block.Rounded / b.Lanes() {
		if n.stride == n.from.Size() {
			list = append(list, b.Load(kind, at, vector.Access{Mem: mem, Offset: b.Lanes() * i * n.stride}))
			continue
		}
		list = append(list, b.Strided(kind, b.Offset(at, b.Lanes()*i*n.stride), vector.Access{Mem: mem, Stride: n.stride}))
	}
	return list
}

// total adds vectors, and then their lanes, half of what there is to the other half, so that the order of the sum is the
// same for vectors of any length.
func total(b *vector.Builder, list []vector.Val) vector.Val {
	for n := len(list) / 2; n > 0; n /= 2 {
		half := make([]vector.Val, n)
		for i := range half {
			half[i] = b.Op(vector.Add, list[i], list[i+n])
		}
		list = half
	}
	return across(b, vector.Add, list[0])
}

// across folds the lanes of a vector, so that all have the result.
func across(b *vector.Builder, o vector.Op, v vector.Val) vector.Val {
	for n := b.Lanes() / 2; n > 2; n /= 2 {
		v = b.Op(o, v, b.OpImm(vector.Rotate, n, v))
	}
	v = b.Op(o, v, b.OpImm(vector.RotateEach, 2, v))
	return b.Op(o, v, b.OpImm(vector.RotateEach, 1, v))
}

// round rounds a row. Places of what is left out may be nil; sums of 32 values and of 16 begin at one place.
func round(m *vector.Machine, scratch, from, to, scale, sums unsafe.Pointer) {
	words := unsafe.Slice((*uintptr)(scratch), roundWords)
	words[roundFrom], words[roundTo] = uintptr(from), uintptr(to)
	words[roundScale], words[roundSum], words[roundHalf] = uintptr(scale), uintptr(sums), uintptr(sums)
	m.Call(scratch)
}

// Rounder rounds rows to values, as they are beside packed weights.
type Rounder struct{ machine *vector.Machine }

// NewRounder makes code that rounds k values of a type, which lie stride bytes apart, and writes f32, to bytes apart.
func NewRounder(from dtype.DType, stride, k, to int, t vector.Backend) (*Rounder, error) {
	m, err := t.Build((&rounding{from: from, stride: stride, k: k, values: to}).programFor(t), roundWords, roundFault)
	return &Rounder{m}, err
}

// Listing returns the code disassembled.
func (r *Rounder) Listing() string { return r.machine.Listing() }

// Round rounds a row to values.
func (r *Rounder) Round(scratch, from, to unsafe.Pointer) {
	round(r.machine, scratch, from, to, nil, nil)
}

// Scratch returns the bytes of memory that Round needs.
func (r *Rounder) Scratch() int { return r.machine.BlockBytes() }

// Close frees the code.
func (r *Rounder) Close() { r.machine.Close() }
