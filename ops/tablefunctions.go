package ops

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// tableFunctions are the functions of the language.
var tableFunctions map[string]func(r *tableRun, args []any) any

func init() { // they refer to the table through operators
	tableFunctions = map[string]func(r *tableRun, args []any) any{
		"len": func(_ *tableRun, a []any) any { return len(a[0].([]any)) },
		"range": func(_ *tableRun, a []any) any {
			from, to, step := 0, intOf(a[0]), 1
			if len(a) > 1 {
				from, to = to, intOf(a[1])
			}
			if len(a) > 2 {
				step = intOf(a[2])
			}
			var out []any
			for i := from; step > 0 && i < to || step < 0 && i > to; i += step {
				out = append(out, i)
			}
			return out
		},
		"int":    func(_ *tableRun, a []any) any { return intOf(a[0]) },
		"float":  func(_ *tableRun, a []any) any { return numberOf(a[0]) },
		"size":   func(_ *tableRun, a []any) any { return shape.Size(mapped(a[0].([]any), intOf)) },
		"copied": func(_ *tableRun, a []any) any { return slices.Clone(a[0].([]any)) },
		"sorted": func(_ *tableRun, a []any) any {
			list := mapped(a[0].([]any), intOf)
			slices.Sort(list)
			return anys(list)
		},
		"to": func(r *tableRun, a []any) any { return r.e.To(a[0].(Value), a[1].(dtype.DType)) },
		// pad_by is the operator pad, for where a parameter is named so.
		"pad_by": func(r *tableRun, a []any) any { return r.operator("pad", a, nil) },
		// vector(list, d) is a tensor of numbers.
		"vector": func(r *tableRun, a []any) any {
			d, parts := a[1].(dtype.DType), []Value{}
			for _, v := range a[0].([]any) {
				parts = append(parts, r.e.Full([]int{1}, argScalar(v), d))
			}
			if len(parts) == 0 {
				return r.e.Full([]int{0}, 0, d)
			}
			return r.e.Call("cat", parts, 0)
		},
		"reversed": func(_ *tableRun, a []any) any {
			list := slices.Clone(a[0].([]any))
			slices.Reverse(list)
			return list
		},
		// wrap(d, n) is dimension d of n, counted from the start.
		"wrap": func(_ *tableRun, a []any) any {
			d, err := shape.Dim(intOf(a[0]), intOf(a[1]))
			if err != nil {
				panic(err)
			}
			return d
		},
		"least": func(_ *tableRun, a []any) any { return smaller(a[0], a[1]) },
		"most": func(_ *tableRun, a []any) any {
			if smaller(a[0], a[1]) == a[0] {
				return a[1]
			}
			return a[0]
		},
		"is_float":   func(_ *tableRun, a []any) any { return a[0].(dtype.DType).IsFloat() },
		"is_complex": func(_ *tableRun, a []any) any { return a[0].(dtype.DType).IsComplex() },
		// widened(d) is the type in which d computes: f32 for the half types.
		"widened": func(_ *tableRun, a []any) any { return widened(a[0].(dtype.DType)) },
		// re and im are the parts of a tensor or of a number, complex or not.
		"re": func(r *tableRun, a []any) any { return r.part(a[0], 0) },
		"im": func(r *tableRun, a []any) any { return r.part(a[0], 1) },
		// powers_of_two(n) are those below n.
		"powers_of_two": func(_ *tableRun, a []any) any {
			var out []any
			for k := 1; k < intOf(a[0]); k *= 2 {
				out = append(out, k)
			}
			return out
		},
		"is_tensor": func(_ *tableRun, a []any) any {
			_, ok := a[0].(Value)
			return ok
		},
		"eps_of": func(_ *tableRun, a []any) any {
			return map[dtype.DType]float64{dtype.F64: 0x1p-52, dtype.C128: 0x1p-52, dtype.F32: 0x1p-23, dtype.C64: 0x1p-23,
				dtype.F16: 0x1p-10, dtype.BF16: 0x1p-7}[a[0].(dtype.DType)]
		},
		"broadcast_shapes": func(_ *tableRun, a []any) any {
			dims, err := shape.Broadcast(mapped(a[0].([]any), intOf), mapped(a[1].([]any), intOf))
			if err != nil {
				panic(err)
			}
			return anys(dims)
		},
		// sum_to(x, dims) sums over the dimensions that broadcasting from dims added or stretched.
		"sum_to": func(r *tableRun, a []any) any { return r.e.SumTo(a[0].(Value), mapped(a[1].([]any), intOf)) },
		"tensor": func(r *tableRun, a []any) any {
			like, _ := a[1].(Value)
			return r.tensor(a[0], like)
		},
		"lower": func(_ *tableRun, a []any) any { return strings.ToLower(a[0].(string)) },
		// Tensors of samples: S(2, 3) of f32, T(i64, [2, 3], 0, 5) with a range of values.
		"S": func(_ *tableRun, a []any) any { return S(mapped(a, intOf)...) },
		"T": func(_ *tableRun, a []any) any {
			t := T{DType: a[0].(dtype.DType), Shape: mapped(a[1].([]any), intOf)}
			switch len(a) {
			case 4:
				t.Low, t.High = numberOf(a[2]), numberOf(a[3])
			case 3:
				t.Values = mapped(a[2].([]any), numberOf)
			}
			return t
		},
	}
}

// part is the real part (0) or the imaginary part (1) of a tensor or a number.
func (r *tableRun) part(v any, i int) any {
	switch v := v.(type) {
	case Value:
		return r.e.part(v, i)
	case complex128:
		return [2]float64{real(v), imag(v)}[i]
	}
	return [2]float64{numberOf(v), 0}[i]
}
