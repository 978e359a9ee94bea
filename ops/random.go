package ops

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
)

// philox_bits is where all random numbers come from: 32 random bits for each element, as the acap dialect defines them.
// Seed and counter are tensors, so that a program that draws other numbers is the same program. PyTorch's operators
// expand to it when they are recorded, and so get their part of a generator's stream.
func init() {
	register(&Op{
		Schema: "philox_bits(SymInt[] size, Tensor seed, Tensor counter) -> Tensor",
		Infer: func(c *Call) error {
			for i := 1; i <= 2; i++ {
				if c.DTypeOf(i) != dtype.I64 || len(c.Shape(i)) != 0 {
					return c.DTypeErrorf("seed and counter must be i64 without dimensions, got %v%v",
						c.DTypeOf(i), c.Shape(i))
				}
			}
			if err := shape.Check(c.Ints(0)); err != nil {
				return err
			}
			return c.Result(dtype.I32, c.Ints(0))
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			return []*mlir.Value{acap.Random(l.builder(), l.In(c, 1).V, l.In(c, 2).V, c.Out[0].Shape)}
		},
		Samples: samplesOf(Sample{[]int{2, 3}, indices(9), indices(9)}),
	})
}

// Generator is a [Builder] with a stream of random numbers, as PyTorch's CUDA generator
// has one: a seed, which is the key of Philox, and an offset into the stream of each of
// the subsequences, which is four times the counter.
type Generator interface {
	// Draw returns the seed and the counter (i64 without dimensions) of the next block
	// of every subsequence, and moves on by one block.
	Draw() (seed, counter Value)
}

// bits returns 32 random bits (i32) for each element of a shape.
func (e Emit) bits(c *Call, dims []int) Value {
	g, ok := e.Builder.(Generator)
	if !ok {
		panic(c.ArgErrorf("draws random numbers, which take a generator: it can be recorded, but not read from a file"))
	}
	seed, counter := g.Draw()
	return e.Call("philox_bits", dims, seed, counter)
}

// words returns n tensors of random words in [0, 2³²), as i64.
func (e Emit) words(c *Call, n int, dims []int) []Value {
	all := e.bits(c, append([]int{n}, dims...))
	all = e.Call("bitwise_and.Scalar", e.To(all, dtype.I64), math.MaxUint32)
	out := make([]Value, n)
	for i := range out {
		out[i] = e.Call("select.int", all, 0, i)
	}
	return out
}

// uniform returns numbers uniform in [0, 1), multiples of 2 to the minus the precision
// of the type: 24 bits in float32, 53 in float64, 11 and 8 in the half types.
func (e Emit) uniform(c *Call, dims []int, d dtype.DType) Value {
	if d == dtype.F64 {
		w := e.words(c, 2, dims)
		high := e.Mul(e.To(e.Call("__rshift__.Scalar", w[0], 5), d), 1<<26)
		return e.Mul(e.Add(high, e.To(e.Call("__rshift__.Scalar", w[1], 6), d)), 0x1p-53)
	}
	precision := map[dtype.DType]int{dtype.F32: 24, dtype.F16: 11, dtype.BF16: 8}[d]
	top := e.Call("__rshift__.Scalar", e.bits(c, dims), 32-precision)
	top = e.Call("bitwise_and.Scalar", top, 1<<precision-1)
	return e.To(e.Mul(e.To(top, dtype.F32), math.Ldexp(1, -precision)), d)
}

// positive returns numbers uniform in (0, 1].
func (e Emit) positive(c *Call, dims []int, d dtype.DType) Value {
	return e.OneMinus(e.uniform(c, dims, d))
}

// normal returns numbers of the standard normal distribution, by the transformation of
// Box and Muller ("A Note on the Generation of Random Normal Deviates", 1958) of two
// uniform numbers: √(-2·ln u)·cos(2πv) with u in (0, 1). u comes from 32 bits in float32,
// as cuRAND's does, so that the tails reach 6.6 standard deviations.
func (e Emit) normal(c *Call, dims []int, d dtype.DType) Value {
	wide := widened(d)
	var u, v Value
	if wide == dtype.F64 {
		u, v = e.positive(c, dims, wide), e.uniform(c, dims, wide)
	} else {
		w := e.words(c, 2, dims)
		u = e.Add(e.Mul(e.To(w[0], wide), 0x1p-32), 0x1p-33)
		v = e.Mul(e.To(w[1], wide), 0x1p-32)
	}
	radius := e.Call("sqrt", e.Mul(e.Call("log", u), -2.0))
	return e.To(e.Mul(radius, e.Call("cos", e.Mul(v, 2*math.Pi))), d)
}

// integers returns integers (i64) uniform in [low, high). Ranges above 2³² take 63 bits.
func (e Emit) integers(c *Call, dims []int, low, high int) Value {
	var word Value
	if span := uint64(high) - uint64(low); span <= 1<<32 {
		word = e.words(c, 1, dims)[0]
	} else {
		word = e.longWords(c, dims)
	}
	return e.Add(e.Call("remainder.Scalar", word, high-low), low)
}

// longWords returns integers (i64) uniform in [0, 2⁶³).
func (e Emit) longWords(c *Call, dims []int) Value {
	w := e.words(c, 2, dims)
	high := e.Call("bitwise_and.Scalar", w[0], math.MaxInt32)
	return e.Call("bitwise_or.Tensor", e.Call("__lshift__.Scalar", high, 32), w[1])
}

// wantIntegers checks that there are integers in [low, high), fewer than 2⁶³, and that type d has all of them.
func (c *Call) wantIntegers(d dtype.DType, low, high int) error {
	if d.IsComplex() {
		return c.DTypeErrorf("integers are drawn for real types, not %v", d)
	}
	if float64(low) < Lowest(d) || float64(high)-1 > Highest(d) {
		return c.ArgErrorf("%v does not have all integers from [%d, %d)", d, low, high)
	}
	if low >= high || high-low < 0 {
		return c.ArgErrorf("cannot draw integers from [%d, %d)", low, high)
	}
	return nil
}

// Draws reports whether the call draws random numbers, so that it is recorded as its expansion.
func (c *Call) Draws() bool { return c.Op.DrawsWith(c.Args) }

// DrawsWith reports whether a call with arguments draws random numbers. Defaults may be missing; a call that has too
// many or too few arguments is refused later, and does not draw.
func (op *Op) DrawsWith(args []Arg) bool {
	if op.Draws || op.DrawsIf == nil {
		return op.Draws
	}
	params := op.Parsed().Params
	whole := &Call{Op: op, Args: slices.Clone(args)}
	for i := range params {
		if i == len(whole.Args) {
			whole.Args = append(whole.Args, Arg{})
		}
		if whole.Args[i].Kind == KindNone && !params[i].Optional {
			if !params[i].HasDef {
				return false
			}
			whole.Args[i] = params[i].Default
		}
	}
	return len(whole.Args) == len(params) && op.DrawsIf(whole)
}

// drawing registers an operator that draws random numbers.
func drawing(op *Op) {
	op.Draws = true
	register(op)
}
