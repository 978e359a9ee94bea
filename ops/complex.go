package ops

import (
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// Complex tensors and their parts. view_as_real shows the two parts as a last
// dimension of extent 2, view_as_complex goes back; the bytes are the same.
func init() {
	register(&Op{
		Schema: "view_as_real(Tensor(a) self) -> Tensor(a)",
		Infer: func(c *Call) error {
			if d := c.DTypeOf(0); !d.IsComplex() {
				return c.DTypeErrorf("takes complex tensors, got %v", d)
			}
			return c.Result(realOf(c.DTypeOf(0)), append(c.Shape(0)[:len(c.Shape(0)):len(c.Shape(0))], 2))
		},
		Host:    relabeled,
		Complex: true,
		Grad:    func(g *Gradient) { g.Set(0, g.Call("view_as_complex", g.Grad(0))) },
		View: func(e Emit, _ *Call, _, view Value, _ int) Value {
			return e.Call("view_as_complex", view)
		},
		Samples: samplesOf(Sample{T{DType: dtype.C64, Shape: []int{2, 3}}}),
	})
	register(&Op{
		Schema: "view_as_complex(Tensor(a) self) -> Tensor(a)",
		Infer: func(c *Call) error {
			dims, d := c.Shape(0), c.DTypeOf(0)
			if d != dtype.F32 && d != dtype.F64 {
				return c.DTypeErrorf("takes f32 and f64, got %v: convert it first; there is no complex type of half precision", d)
			}
			if len(dims) == 0 || dims[len(dims)-1] != 2 {
				return c.ShapeErrorf("the last dimension of %v is not 2", dims)
			}
			return c.Result(complexOf(d), dims[:len(dims)-1])
		},
		Host:    relabeled,
		Complex: true,
		Grad:    func(g *Gradient) { g.Set(0, g.Call("view_as_real", g.Grad(0))) },
		View: func(e Emit, _ *Call, _, view Value, _ int) Value {
			return e.Call("view_as_real", view)
		},
		Samples: samplesOf(Sample{S(3, 2)}),
	})
	registerParts()
	registerConjugates()
}

// registerParts registers the views of one part.
func registerParts() {
	for i, name := range []string{"real", "imag"} {
		register(&Op{
			Schema: name + "(Tensor(a) self) -> Tensor(a)",
			Infer: func(c *Call) error {
				d := c.DTypeOf(0)
				if i == 1 && !d.IsComplex() {
					return c.DTypeErrorf("takes complex tensors, got %v", d)
				}
				return c.Result(realOf(d), c.Shape(0))
			},
			Expand: func(e Emit, c *Call) []Value { return []Value{e.part(c.Tensor(0), i)} },
			View: func(e Emit, _ *Call, base, view Value, _ int) Value {
				if !base.Type().DType.IsComplex() {
					return view
				}
				parts := [2]Value{e.part(base, 0), e.part(base, 1)}
				parts[i] = view
				return e.complex(parts[0], parts[1])
			},
			Samples: samplesOf(Sample{T{DType: dtype.C64, Shape: []int{2, 3}}}),
		})
	}
}

// registerConjugates registers conjugates: conj and _conj are views.
func registerConjugates() {
	for _, schema := range []string{"conj_physical(Tensor self) -> Tensor",
		"_conj_physical(Tensor self) -> Tensor", "_conj(Tensor(a) self) -> Tensor(a)", "conj(Tensor(a) self) -> Tensor(a)"} {
		op := &Op{
			Schema: schema,
			Infer:  inferSame,
			Expand: func(e Emit, c *Call) []Value {
				x := c.Tensor(0)
				if !x.Type().DType.IsComplex() {
					return []Value{x}
				}
				return []Value{e.complex(e.part(x, 0), e.Neg(e.part(x, 1)))}
			},
			Samples: samplesOf(Sample{T{DType: dtype.C64, Shape: []int{2, 3}}}),
		}
		if strings.Contains(schema, "(a)") {
			op.Strides = sameStrides
			op.View = func(e Emit, _ *Call, _, view Value, _ int) Value { return e.Conj(view) }
		}
		register(op)
	}
}

// relabeled gives the bytes of argument 0 the result's type.
func relabeled(h *HostCall) ([]*buf.Buffer, error) {
	b, err := buf.Wrap(h.Out[0].DType, h.Out[0].Shape, h.Buffer(0).Clone().Bytes())
	return []*buf.Buffer{b}, err
}

// complexOf returns the complex type whose parts have type d.
func complexOf(d dtype.DType) dtype.DType {
	if d == dtype.F64 {
		return dtype.C128
	}
	return dtype.C64
}

// realOf returns the type of the parts of d, or d if it is not complex.
func realOf(d dtype.DType) dtype.DType {
	switch d {
	case dtype.C64:
		return dtype.F32
	case dtype.C128:
		return dtype.F64
	}
	return d
}

// Conj returns the conjugate of v; a real v is its own.
func (e Emit) Conj(v Value) Value {
	if !v.Type().DType.IsComplex() {
		return v
	}
	return e.Call("conj_physical", v)
}

// part returns the real part (0) or the imaginary part (1) of v.
func (e Emit) part(v Value, i int) Value {
	t := v.Type()
	switch {
	case t.DType.IsComplex():
		parts := Value(nil)
		if ir, ok := v.(IRValue); ok && ir.V.Def != nil && ir.V.Def.Name == "aten.view_as_complex" {
			parts = IRValue{ir.V.Def.Operands[0]}
		} else {
			parts = e.Call("view_as_real", v)
		}
		return e.Call("select.int", parts, -1, i)
	case i == 0:
		return v
	}
	return e.Zeros(t)
}

// realPart is the real part of v in the element type of v.
func (e Emit) realPart(v Value) Value {
	if !v.Type().DType.IsComplex() {
		return v
	}
	return e.Call("to.dtype", e.part(v, 0), v.Type().DType)
}

// complex returns re + i·im. Integer parts, as of an integer tensor times a complex number, become f32.
func (e Emit) complex(re, im Value) Value {
	if d := dtype.Promote(re.Type().DType, im.Type().DType); d.IsInt() || d == dtype.Bool {
		re, im = e.To(re, dtype.F32), e.To(im, dtype.F32)
	}
	return e.Call("view_as_complex", e.Call("stack", []Value{re, im}, -1))
}

// componentwise are the operators, besides views, that may be applied to real and
// imaginary parts apart.
var componentwise = setOf(
	"_after", "_constant_in", "_pad_circular", "_rewritten", "_to_copy", "_unsafe_view", "add.Scalar", "add.Tensor", "cat", "clone", "col2im", "constant_pad_nd", "copy",
	"cumsum", "diagonal_scatter", "embedding", "empty.memory_format", "empty_like", "empty_strided", "fill.Scalar", "fill.Tensor", "flip",
	"full", "full_like", "gather",
	"im2col", "index.Tensor", "index_add", "index_copy", "index_fill.int_Scalar", "index_fill.int_Tensor",
	"index_select", "mean", "mean.dim", "nan_to_num", "narrow_copy", "neg", "new_empty", "new_empty_strided", "new_full", "new_zeros", "put",
	"reflection_pad1d", "reflection_pad2d", "reflection_pad3d", "repeat", "replication_pad1d",
	"replication_pad2d", "replication_pad3d", "roll", "rsub.Scalar", "rsub.Tensor", "scatter.src",
	"scatter.value", "scatter_add", "select_scatter", "slice_scatter", "stack", "sub.Scalar", "sub.Tensor",
	"sum", "sum.dim_IntList", "take", "to.device", "to.dtype", "to.dtype_layout", "tril", "triu",
	"where.self", "zero", "zeros", "zeros_like")

func setOf(names ...string) map[string]bool {
	set := map[string]bool{}
	for _, n := range names {
		set[n] = true
	}
	return set
}

// Expansion returns how the call expands, or nil if it lowers or runs on the host.
// Devices compute with real numbers: calls on complex tensors expand to calls on
// their parts.
func (c *Call) Expansion() func(e Emit, c *Call) []Value {
	if c.Op.Expand != nil || c.Op.Host != nil && c.Op.Lower == nil || !c.complex() {
		return c.Op.Expand
	}
	name := c.Op.Name()
	switch {
	case name == "view.dtype":
		return expandRebit
	case name == "to.prim_dtype" || name == "to.prim_device" || name == "to.other" || name == "type_as":
		return func(e Emit, c *Call) []Value { return []Value{e.Call("to.dtype", c.Tensor(0), c.Out[0].DType)} }
	case name == "mul.Tensor" || name == "mul.Scalar":
		return expandComplexProduct
	case name == "div.Tensor" || name == "div.Scalar":
		return expandComplexQuotient
	case norms[name]:
		return complexNorm
	case hermitian[name]:
		return expandHermitian
	case complexFunctions[name] != nil || realFunctions[name] != nil || complexProducts[name]:
		return expandComplexFunction
	case c.Op.View != nil || componentwise[name]:
		return expandComponents
	}
	return nil
}

// complex reports whether an operand, a number or a result is complex.
func (c *Call) complex() bool { return c.complexType() != dtype.Invalid }

// onComplex returns the operator of the table that says what the call is on complex tensors, numbers or element types;
// nil for other calls, and where the table has no entry.
func (c *Call) onComplex() *Op {
	t := table().onComplex[c.Op.Functional().Name()]
	if t == nil {
		return nil
	}
	for i := range c.Args {
		a := &c.Args[i]
		some := a.Kind == KindComplex || a.Kind == KindDType && a.DType().IsComplex()
		if v := a.Tensor(); v != nil && !selecting[c.Op.Parsed().Params[i].Name] {
			some = some || v.Type().DType.IsComplex()
		}
		if some {
			return t.operator()
		}
	}
	return nil
}

// selecting are names of arguments that say which elements are meant, and have no parts.
var selecting = setOf("condition", "index", "indices", "mask")

// onlyReal are names of numbers that cannot be complex, on tensors of any type: an order of a norm, a correction of a
// variance.
var onlyReal = setOf("correction", "ord", "p")

// refuseComplex keeps complex tensors from host operators that compute with real
// numbers, and complex numbers from operators on real ones.
func (c *Call) refuseComplex() (err error) {
	if op := c.Op.Functional(); op.Host == nil || op.Complex || c.onComplex() != nil {
		return nil
	}
	c.Each(func(v Value) {
		if d := v.Type().DType; d.IsComplex() {
			err = c.unsupportedComplex(d)
		}
	})
	return err
}

func (c *Call) unsupportedComplex(d dtype.DType) error {
	return c.DTypeErrorf("complex tensors are not supported, got %v", d)
}

// complexType returns the first complex type among operands, numbers and results.
func (c *Call) complexType() dtype.DType {
	found := dtype.Invalid
	add := func(d dtype.DType) {
		if found == dtype.Invalid && d.IsComplex() {
			found = d
		}
	}
	c.Each(func(v Value) { add(v.Type().DType) })
	for _, t := range c.Out {
		add(t.DType)
	}
	for i := range c.Args {
		if c.Args[i].Kind == KindComplex {
			add(dtype.C64)
		}
	}
	return found
}

// expandComponents applies the operator to the real and to the imaginary parts. A real result comes from the real
// parts; a bool is true if one of the parts is not 0.
func expandComponents(e Emit, c *Call) []Value {
	re := e.component(c, 0)
	join := e.complex
	switch {
	case len(re) == 0:
		return re
	case c.Out[0].DType == dtype.Bool:
		join = e.Or
	case !c.Out[0].DType.IsComplex():
		return re
	}
	im := e.component(c, 1)
	out := make([]Value, len(re))
	for i := range re {
		out[i] = join(re[i], im[i])
	}
	return out
}

// component repeats a call on one part of every operand and number. Conditions and
// indices stay as they are.
func (e Emit) component(c *Call, i int) []Value {
	args := make([]Arg, len(c.Args))
	parts := c.Map(func(v Value) Value { return e.part(v, i) })
	for k := range args {
		args[k] = parts[k]
		if selecting[c.Op.Parsed().Params[k].Name] {
			args[k] = c.Args[k]
			if v := args[k].Tensor(); v != nil && v.Type().DType.IsComplex() {
				panic(c.unsupportedComplex(v.Type().DType))
			}
		}
		switch args[k].Kind {
		case KindDType:
			args[k] = DTypeArg(realOf(args[k].DType()))
		case KindComplex:
			if c.Op.Parsed().Params[k].Name == "alpha" {
				panic(c.ArgErrorf("a complex alpha is not supported: multiply first"))
			}
			v := args[k].Complex()
			args[k] = FloatArg([2]float64{real(v), imag(v)}[i])
		case KindFloat, KindInt, KindBool:
			name := c.Op.Parsed().Params[k].Name
			if i == 1 && (name == "fill_value" || name == "value" || name == "other") {
				args[k] = FloatArg(0)
			}
		}
	}
	call, err := c.Op.NewCall(args...)
	if err != nil {
		panic(err)
	}
	return e.Emit(call)
}

// factors returns both parts of both operands; a number becomes a tensor.
func (e Emit) factors(c *Call) (a, b, x, y Value) {
	self, other := c.Tensor(0), c.Tensor(1)
	a, b = e.part(self, 0), e.part(self, 1)
	if other != nil {
		return a, b, e.part(other, 0), e.part(other, 1)
	}
	if !a.Type().DType.IsFloat() { // an integer times 0.5i is no integer
		a, b = e.To(a, dtype.F32), e.To(b, dtype.F32)
	}
	v := c.Args[1].Complex()
	number := func(v float64) Value { return e.Full(nil, v, a.Type().DType) }
	return a, b, number(real(v)), number(imag(v))
}

// expandComplexProduct is (a + ib)(x + iy).
func expandComplexProduct(e Emit, c *Call) []Value {
	a, b, x, y := e.factors(c)
	re := e.Sub(e.Mul(a, x), e.Mul(b, y))
	return []Value{e.complex(re, e.Add(e.Mul(a, y), e.Mul(b, x)))}
}

// expandComplexQuotient is (a + ib)/(x + iy).
func expandComplexQuotient(e Emit, c *Call) []Value {
	a, b, x, y := e.factors(c)
	return []Value{e.complex(e.quotient(a, b, x, y))}
}
