package walk

import (
	"math/cmplx"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/engine/reference"
	"github.com/go-acap/acap/mlir"
)

// other runs what has no handler of its own: structured operations, and operations on
// elements of arith, math, index and complex, on numbers and on whole arrays.
func (m *machine) other(op *mlir.Operation) []value {
	if strings.HasPrefix(op.Name, "linalg.") {
		return m.structured(op)
	}
	in := m.values(op.Operands)
	var dims []int
	shaped := false
	for _, x := range in {
		if a, ok := x.(*array); ok {
			dims, shaped = a.shape, true
		}
	}
	if !shaped {
		x := make([]number, len(in))
		for i := range in {
			x[i], _ = in[i].(number)
		}
		y := m.elements(op, x)
		out := make([]value, len(y))
		for i := range y {
			out[i] = y[i]
		}
		return out
	}
	arrays := make([]*array, len(op.Results))
	out := make([]value, len(op.Results))
	for i, r := range op.Results {
		arrays[i] = m.make(op, r.Type, dims)
		out[i] = arrays[i]
	}
	x := make([]number, len(in))
	check(op, shape.Points(dims, func(point []int) error {
		for i, v := range in {
			switch v := v.(type) {
			case number: // the condition of a select
				x[i] = v
			case *array:
				place, err := v.at(point)
				if err != nil {
					return err
				}
				x[i] = v.load(place)
			}
		}
		for i, y := range m.elements(op, x) {
			place, err := arrays[i].at(point)
			if err != nil {
				return err
			}
			arrays[i].store(place, y)
		}
		return nil
	}))
	return out
}

// elements computes one operation on numbers.
func (m *machine) elements(op *mlir.Operation, x []number) []number {
	if strings.HasPrefix(op.Name, "complex.") {
		return []number{complexOp(op, x)}
	}
	if op.Name == "arith.select" && x[1].DType.IsComplex() {
		if x[0].Int != 0 {
			return x[1:2]
		}
		return x[2:3]
	}
	in := make([]reference.Element, len(x))
	for i := range x {
		in[i] = x[i].Element
	}
	called := op
	if short, ok := strings.CutPrefix(op.Name, "index."); ok {
		called = indexOp(op, short)
	}
	y, ok := reference.Scalar(called, in)
	if !ok {
		fail(op, "operation is not supported")
	}
	out := make([]number, len(y))
	for i := range y {
		out[i] = number{Element: y[i]}
	}
	return out
}

// indexNames has the operation of arith for each operation of the dialect index.
var indexNames = map[string]string{"add": "addi", "sub": "subi", "mul": "muli", "divs": "divsi", "divu": "divui",
	"ceildivs": "ceildivsi", "ceildivu": "ceildivui", "floordivs": "floordivsi", "rems": "remsi", "remu": "remui",
	"maxs": "maxsi", "maxu": "maxui", "mins": "minsi", "minu": "minui", "shl": "shli", "shrs": "shrsi", "shru": "shrui",
	"and": "andi", "or": "ori", "xor": "xori", "casts": "index_cast", "castu": "index_castui", "cmp": "cmpi"}

// indexPredicates are the comparisons in the order of arith's.
var indexPredicates = []string{"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"}

// indexOp is the operation of arith that does what one of index does.
func indexOp(op *mlir.Operation, short string) *mlir.Operation {
	name, ok := indexNames[short]
	if !ok {
		return op
	}
	called := *op
	called.Name = "arith." + name
	if short == "cmp" {
		p := op.Attrs.Get("pred").String()
		word := strings.TrimSuffix(p[strings.LastIndexAny(p, " <")+1:], ">")
		called.Attrs = mlir.Attrs{{Name: "predicate", Value: mlir.Int(slices.Index(indexPredicates, word))}}
	}
	return &called
}

var complexUnary = map[string]func(complex128) complex128{
	"complex.exp": cmplx.Exp, "complex.log": cmplx.Log, "complex.sin": cmplx.Sin, "complex.cos": cmplx.Cos,
	"complex.tan": cmplx.Tan, "complex.tanh": cmplx.Tanh, "complex.sqrt": cmplx.Sqrt, "complex.conj": cmplx.Conj,
	"complex.neg":   func(x complex128) complex128 { return -x },
	"complex.rsqrt": func(x complex128) complex128 { return 1 / cmplx.Sqrt(x) },
	"complex.expm1": func(x complex128) complex128 { return cmplx.Exp(x) - 1 },
	"complex.log1p": func(x complex128) complex128 { return cmplx.Log(1 + x) },
	"complex.sign": func(x complex128) complex128 {
		if x == 0 {
			return 0
		}
		return x / complex(cmplx.Abs(x), 0)
	},
}

var complexBinary = map[string]func(x, y complex128) complex128{
	"complex.add": func(x, y complex128) complex128 { return x + y },
	"complex.sub": func(x, y complex128) complex128 { return x - y },
	"complex.mul": func(x, y complex128) complex128 { return x * y },
	"complex.div": func(x, y complex128) complex128 { return x / y },
	"complex.pow": cmplx.Pow,
	"complex.atan2": func(y, x complex128) complex128 {
		return -1i * cmplx.Log((x+1i*y)/cmplx.Sqrt(x*x+y*y))
	},
}

func complexOf(d dtype.DType, x complex128) number {
	if d == dtype.C64 {
		x = complex128(complex64(x))
	}
	return number{Element: reference.Element{DType: d}, complex: x}
}

func complexOp(op *mlir.Operation, x []number) number {
	d := dtypeOf(op.Results[0].Type)
	if f := complexUnary[op.Name]; f != nil {
		return complexOf(d, f(x[0].complex))
	}
	if f := complexBinary[op.Name]; f != nil {
		return complexOf(d, f(x[0].complex, x[1].complex))
	}
	real := func(f float64) number { return number{Element: reference.FloatElement(d, f)} }
	truth := func(b bool) number {
		if b {
			return number{Element: reference.IntElement(dtype.Bool, 1)}
		}
		return number{Element: reference.IntElement(dtype.Bool, 0)}
	}
	switch op.Name {
	case "complex.create":
		return complexOf(d, complex(x[0].Float, x[1].Float))
	case "complex.constant":
		parts, _ := op.Attrs.Get("value").(mlir.ArrayAttr)
		re, _ := parts[0].(mlir.FloatAttr)
		im, _ := parts[1].(mlir.FloatAttr)
		return complexOf(d, complex(re.Value, im.Value))
	case "complex.re":
		return real(realOf(x[0].complex))
	case "complex.im":
		return real(imag(x[0].complex))
	case "complex.abs":
		return real(cmplx.Abs(x[0].complex))
	case "complex.angle":
		return real(cmplx.Phase(x[0].complex))
	case "complex.eq":
		return truth(x[0].complex == x[1].complex)
	case "complex.neq":
		return truth(x[0].complex != x[1].complex)
	}
	fail(op, "operation is not supported")
	return number{}
}

func realOf(x complex128) float64 { return real(x) }

func init() {
	register(map[string]handler{
		"arith.constant": constant,
		"index.constant": constant,
		"index.bool.constant": func(_ *machine, op *mlir.Operation) []value {
			n, _ := op.Attrs.Get("value").(mlir.IntegerAttr)
			return one(number{Element: reference.IntElement(dtype.Bool, n.Value)})
		},
		"index.sizeof": func(*machine, *mlir.Operation) []value { return one(index(64)) },
		"ub.poison": func(m *machine, op *mlir.Operation) []value {
			t := op.Results[0].Type
			if dims, _, shaped := mlir.ShapeOf(t); shaped {
				return one(m.make(op, t, dims))
			}
			return one(number{Element: reference.Element{DType: dtypeOf(t)}})
		},
	})
}

func constant(m *machine, op *mlir.Operation) []value {
	t := op.Results[0].Type
	var data []byte
	switch a := op.Attrs.Get("value").(type) {
	case mlir.IntegerAttr:
		return one(number{Element: reference.IntElement(dtypeOf(t), a.Value)})
	case mlir.FloatAttr:
		return one(number{Element: reference.FloatElement(dtypeOf(t), a.Value)})
	case mlir.DenseAttr:
		data = a.Data
	case mlir.ResourceAttr:
		data = a.Data
	default:
		fail(op, "the value is not supported")
	}
	dims, _, _ := mlir.ShapeOf(t)
	out := m.make(op, t, dims)
	if len(data) == 0 && out.len() > 0 {
		fail(op, "constant without data")
	}
	for i := 0; i < len(out.data.Bytes()); i += len(data) {
		copy(out.data.Bytes()[i:], data)
	}
	return one(out)
}
