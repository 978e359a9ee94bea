package ops

import (
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// The constructors of random tensors: rand is uniform in [0, 1), randn normal, randint
// uniform over integers, randperm an order of the first n integers. The forms with
// "_like" take shape and type from a tensor.
func init() {
	const kw, like = tensorOptions, ", *, " + tensorOptions + ", MemoryFormat? memory_format=None) -> Tensor"
	for name, draw := range map[string]func(e Emit, c *Call, dims []int, d dtype.DType) Value{
		"rand": Emit.uniform, "randn": Emit.normal,
	} {
		registerRandom(name+"(SymInt[] size, *, "+kw+") -> Tensor", dtype.F32, draw)
		registerRandom(name+".generator(SymInt[] size, *, Generator? generator, "+kw+") -> Tensor", dtype.F32, draw)
		registerRandom(name+"_like(Tensor self"+like, dtype.F32, draw)
	}
	for _, s := range []string{"randint(SymInt high, SymInt[] size, *, " + kw + ") -> Tensor",
		"randint.low(SymInt low, SymInt high, SymInt[] size, *, " + kw + ") -> Tensor",
		"randint_like(Tensor self, SymInt high" + like,
		"randint_like.low_dtype(Tensor self, SymInt low, SymInt high" + like} {
		low, high := argIndex(s, "low"), argIndex(s, "high")
		registerRandom(s, dtype.I64, func(e Emit, c *Call, dims []int, d dtype.DType) Value {
			from, to := bounds(c, low, high)
			return e.To(e.integers(c, dims, from, to), d)
		})
	}
	drawing(&Op{
		Schema: "randperm(SymInt n, *, " + strings.Replace(kw, "dtype=None", "dtype=long", 1) + ") -> Tensor",
		Infer: func(c *Call) error {
			if c.Int(0) < 0 {
				return c.ArgErrorf("n is %d", c.Int(0))
			}
			return c.Result(c.DType(1, dtype.I64), []int{c.Int(0)})
		},
		Expand: func(e Emit, c *Call) []Value {
			return []Value{e.To(e.Call("argsort", e.longWords(c, c.Out[0].Shape)), c.Out[0].DType)}
		},
		Samples: samplesOf(Sample{7}),
	})
}

func bounds(c *Call, low, high int) (from, to int) {
	if low >= 0 {
		from = c.Int(low)
	}
	return from, c.Int(high)
}

// registerRandom registers a constructor. d is the type of the result unless the call gives one; a floating constructor
// "_like" takes the tensor's type.
func registerRandom(schema string, d dtype.DType, draw func(e Emit, c *Call, dims []int, d dtype.DType) Value) {
	size, element := argIndex(schema, "size"), argIndex(schema, "dtype")
	low, high := argIndex(schema, "low"), argIndex(schema, "high")
	drawing(&Op{
		Schema: schema,
		Infer: func(c *Call) error {
			var dims []int
			own := d
			if size >= 0 {
				dims = c.Ints(size)
			} else {
				dims, own = c.Shape(0), c.DTypeOf(0)
			}
			if high >= 0 {
				from, to := bounds(c, low, high)
				if err := c.wantIntegers(c.DType(element, own), from, to); err != nil {
					return err
				}
			} else if want := c.DType(element, own); !want.IsFloat() {
				return c.DTypeErrorf("needs a floating type, got %v", want)
			}
			if err := shape.Check(dims); err != nil {
				return err
			}
			return c.Result(c.DType(element, own), dims)
		},
		Expand: func(e Emit, c *Call) []Value {
			return []Value{draw(e, c, c.Out[0].Shape, c.Out[0].DType)}
		},
		Samples: samplesOf(randomSample(size, low, high)),
	})
}

// randomSample gives the arguments of a constructor that it has.
func randomSample(size, low, high int) Sample {
	var s Sample
	if size < 0 {
		s = append(s, S(3, 4))
	}
	if low >= 0 {
		s = append(s, -3)
	}
	if high >= 0 {
		s = append(s, 5)
	}
	if size >= 0 {
		s = append(s, []int{3, 4})
	}
	return s
}
