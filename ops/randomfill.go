package ops

import (
	"math"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/dtype"
)

// The operators that fill a tensor at random, in place or as a new one of its shape and
// type. Numbers of half types are computed in float32.
func init() {
	const generator = ", *, Generator? generator=None) -> Tensor"
	const normalInplace = "normal_(Tensor(a!) self, float mean=0, float std=1" + generator + "(a!)"
	for _, o := range []struct {
		schema, inplace string // inplace if it is not named as the functional one
		check           func(c *Call) error
		draw            func(e Emit, c *Call, dims []int, d dtype.DType) Value
	}{
		{"uniform(Tensor self, float from=0, float to=1", "", func(c *Call) error {
			if err := c.wantDrawable(); err != nil {
				return err
			}
			if span := c.Float(2) - c.Float(1); !(span >= 0 && span <= realOf(c.DTypeOf(0)).Format().Largest()) {
				return c.ArgErrorf("no numbers in [%v, %v)", c.Float(1), c.Float(2))
			}
			return nil
		}, func(e Emit, c *Call, dims []int, d dtype.DType) Value {
			return e.Add(e.Mul(e.uniform(c, dims, d), c.Float(2)-c.Float(1)), c.Float(1))
		}},
		{"normal_functional(Tensor self, float mean=0, float std=1", normalInplace, func(c *Call) error {
			if err := c.wantAbove(2, true); err != nil {
				return err
			}
			return c.wantDrawable()
		}, func(e Emit, c *Call, dims []int, d dtype.DType) Value {
			std := c.Float(2)
			if c.DTypeOf(0).IsComplex() {
				std /= math.Sqrt2 // of each part
			}
			return e.Add(e.Mul(e.normal(c, dims, d), std), c.Float(1))
		}},
		{"log_normal(Tensor self, float mean=1, float std=2", "", wantPositive(2, false),
			func(e Emit, c *Call, dims []int, d dtype.DType) Value {
				return e.Call("exp", e.Add(e.Mul(e.normal(c, dims, d), c.Float(2)), c.Float(1)))
			}},
		{"exponential(Tensor self, float lambd=1", "", wantPositive(1, false),
			func(e Emit, c *Call, dims []int, d dtype.DType) Value { return e.exponential(c, dims, d, c.Float(1)) }},
		{"cauchy(Tensor self, float median=0, float sigma=1", "", wantPositive(2, false),
			func(e Emit, c *Call, dims []int, d dtype.DType) Value {
				angle := e.Mul(e.Sub(e.uniform(c, dims, d), 0.5), math.Pi)
				return e.Add(e.Mul(e.Call("tan", angle), c.Float(2)), c.Float(1))
			}},
		{"geometric(Tensor self, float p", "", wantProbability(1),
			func(e Emit, c *Call, dims []int, d dtype.DType) Value {
				trials := e.Div(e.Call("log", e.positive(c, dims, d)), math.Log1p(-c.Float(1)))
				return e.Call("clamp_min", e.Call("ceil", trials), 1)
			}},
	} {
		op := &Op{
			Schema:  o.schema + generator,
			Inplace: o.inplace == "",
			Infer: func(c *Call) error {
				if err := o.check(c); err != nil {
					return err
				}
				return inferSame(c)
			},
			Expand: func(e Emit, c *Call) []Value {
				d := c.DTypeOf(0)
				wide, dims := dtype.F32, c.Shape(0)
				if d == dtype.F64 || d == dtype.C128 {
					wide = dtype.F64
				}
				if d.IsComplex() { // both parts are drawn alike
					parts := o.draw(e, c, append(slices.Clone(dims), 2), wide)
					return []Value{e.constantIn(e.Call("view_as_complex", parts), c.Tensor(0))}
				}
				return []Value{e.constantIn(e.To(o.draw(e, c, dims, wide), d), c.Tensor(0))}
			},
			Samples: samplesOf(Sample{S(3, 4), 0.25, 0.75}[:1+strings.Count(o.schema, " float")]),
		}
		drawing(op)
		if o.inplace != "" {
			registerInplace(o.inplace, op.Name())
		}
	}
	registerRandomIntegers()
}

// registerRandomIntegers registers random_: integers up to what the type can hold, and for floats up to 2 to the power
// of their precision.
func registerRandomIntegers() {
	for _, s := range []string{"random(Tensor self", "random.to(Tensor self, int to",
		"random.from(Tensor self, int from, int? to"} {
		from, to := argIndex(s+") -> Tensor", "from"), argIndex(s+") -> Tensor", "to")
		limits := func(c *Call) (low, high int) {
			high = map[dtype.DType]int{dtype.Bool: 2, dtype.U8: 1 << 8, dtype.I8: 1 << 7, dtype.U16: 1 << 16, dtype.I16: 1 << 15, dtype.U32: 1 << 32,
				dtype.I32: 1 << 31, dtype.F32: 1<<24 + 1, dtype.F64: 1<<53 + 1, dtype.F16: 1<<11 + 1,
				dtype.BF16: 1<<8 + 1, dtype.I64: math.MaxInt64, dtype.U64: math.MaxInt64}[c.DTypeOf(0)]
			if from >= 0 {
				low = c.Int(from)
			}
			if to >= 0 && c.Has(to) {
				high = c.Int(to)
			}
			return low, high
		}
		drawing(&Op{
			Schema:  s + ", *, Generator? generator=None) -> Tensor",
			Inplace: true,
			Infer: func(c *Call) error {
				low, high := limits(c)
				if err := c.wantIntegers(c.DTypeOf(0), low, high); err != nil {
					return err
				}
				return inferSame(c)
			},
			Expand: func(e Emit, c *Call) []Value {
				low, high := limits(c)
				return []Value{e.constantIn(e.To(e.integers(c, c.Shape(0), low, high), c.DTypeOf(0)), c.Tensor(0))}
			},
			Samples: samplesOf(Sample{S(3, 4), 5, 9}[:1+strings.Count(s, " int")]),
		})
	}
}

// exponential returns numbers with the density λ·exp(-λx), none of them 0.
func (e Emit) exponential(c *Call, dims []int, d dtype.DType, lambda float64) Value {
	least := map[dtype.DType]float64{dtype.F32: 0x1p-24, dtype.F64: 0x1p-53}[d]
	return e.Mul(e.Call("clamp_min", e.Neg(e.Call("log", e.positive(c, dims, d))), least), 1/lambda)
}

// wantPositive checks that float argument i is positive, or zero where that may be.
func wantPositive(i int, zero bool) func(c *Call) error {
	return func(c *Call) error {
		if err := c.wantAbove(i, zero); err != nil {
			return err
		}
		if !c.DTypeOf(0).IsFloat() {
			return c.DTypeErrorf("needs a floating type, got %v", c.DTypeOf(0))
		}
		return nil
	}
}

// wantAbove checks that float argument i is above 0, or 0.
func (c *Call) wantAbove(i int, zero bool) error {
	if v := c.Float(i); !(v > 0 || zero && v == 0) {
		return c.ArgErrorf("%s is %v, but must be positive", c.Op.Parsed().Params[i].Name, v)
	}
	return nil
}

// wantDrawable checks that a tensor holds floats, or complex numbers, whose two parts are drawn.
func (c *Call) wantDrawable() error {
	if d := c.DTypeOf(0); !d.IsFloat() && !d.IsComplex() {
		return c.DTypeErrorf("needs a floating or complex type, got %v", d)
	}
	return nil
}

// wantProbability checks that float argument i lies strictly between 0 and 1.
func wantProbability(i int) func(c *Call) error {
	return func(c *Call) error {
		if p := c.Float(i); !(p > 0 && p < 1) {
			return c.ArgErrorf("p is %v, not between 0 and 1", p)
		}
		return nil
	}
}
