package torchscript

import (
	"cmp"
	"errors"
	"math"
	"math/cmplx"
	"strings"

	"github.com/go-acap/acap/base/scalar"
)

// number returns an int or float64 for a bool, int or float64.
func number(v value) (value, bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case int, float64:
		return v, true
	}
	return nil, false
}

func float(v value) float64 {
	switch v := v.(type) {
	case int:
		return float64(v)
	case float64:
		return v
	}
	return 0
}

// compareNumbers orders two results of number; NaN is not equal to anything.
func compareNumbers(a, b value) int {
	i, ok1 := a.(int)
	j, ok2 := b.(int)
	if ok1 && ok2 {
		return cmp.Compare(i, j)
	}
	x, y := float(a), float(b)
	if math.IsNaN(x) || math.IsNaN(y) {
		return 2
	}
	return cmp.Compare(x, y)
}

var errDivision = errors.New("division by zero")

// integers computes the functions of two ints whose result is an int; those that are not here are
// computed in float64.
var integers = map[string]func(a, b int) (int, error){
	"add":          func(a, b int) (int, error) { return a + b, nil },
	"sub":          func(a, b int) (int, error) { return a - b, nil },
	"mul":          func(a, b int) (int, error) { return a * b, nil },
	"__and__":      func(a, b int) (int, error) { return a & b, nil },
	"__or__":       func(a, b int) (int, error) { return a | b, nil },
	"__xor__":      func(a, b int) (int, error) { return a ^ b, nil },
	"__lshift__":   shift(func(a, b int) int { return a << b }),
	"__rshift__":   shift(func(a, b int) int { return a >> b }),
	"floordiv":     floorDivide,
	"floor_divide": floorDivide,
	"__round_to_zero_floordiv": func(a, b int) (int, error) {
		if b == 0 {
			return 0, errDivision
		}
		return a / b, nil
	},
	"remainder": func(a, b int) (int, error) {
		q, err := floorDivide(a, b)
		return a - q*b, err
	},
	"gcd": func(a, b int) (int, error) {
		for b != 0 {
			a, b = b, a%b
		}
		return max(a, -a), nil
	},
	"min": func(a, b int) (int, error) { return min(a, b), nil },
	"max": func(a, b int) (int, error) { return max(a, b), nil },
}

func shift(f func(a, b int) int) func(a, b int) (int, error) {
	return func(a, b int) (int, error) {
		if b < 0 || b > 63 {
			return 0, errors.New("a shift by a number of bits outside of 0 to 63")
		}
		return f(a, b), nil
	}
}

func floorDivide(a, b int) (int, error) {
	if b == 0 {
		return 0, errDivision
	}
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q, nil
}

// floats computes the functions of two numbers in float64.
var floats = map[string]func(a, b float64) float64{
	"add":                      func(a, b float64) float64 { return a + b },
	"sub":                      func(a, b float64) float64 { return a - b },
	"mul":                      func(a, b float64) float64 { return a * b },
	"div":                      func(a, b float64) float64 { return a / b },
	"truediv":                  func(a, b float64) float64 { return a / b },
	"floordiv":                 func(a, b float64) float64 { return math.Floor(a / b) },
	"floor_divide":             func(a, b float64) float64 { return math.Floor(a / b) },
	"__round_to_zero_floordiv": func(a, b float64) float64 { return math.Trunc(a / b) },
	"remainder":                func(a, b float64) float64 { return math.Mod(b+math.Mod(a, b), b) },
	"fmod":                     math.Mod,
	"pow":                      math.Pow,
	"ldexp":                    ldexp,
	"atan2":                    math.Atan2,
	"copysign":                 math.Copysign,
	"min":                      math.Min,
	"max":                      math.Max,
}

// comparisons decide by the order of two numbers or strings; 2 is unordered.
var comparisons = map[string]func(order int) bool{
	"eq": func(c int) bool { return c == 0 },
	"ne": func(c int) bool { return c != 0 },
	"lt": func(c int) bool { return c == -1 },
	"le": func(c int) bool { return c == -1 || c == 0 },
	"gt": func(c int) bool { return c == 1 },
	"ge": func(c int) bool { return c == 1 || c == 0 },
}

// unaries computes the functions of one number in float64.
var unaries = func() map[string]func(float64) float64 {
	all := map[string]func(float64) float64{
		"gamma":   math.Gamma,
		"degrees": func(x float64) float64 { return x * 180 / math.Pi },
		"radians": func(x float64) float64 { return x * math.Pi / 180 },
	}
	for _, f := range scalar.Functions {
		if f.Python != "" {
			all[f.Python] = f.Value
		}
	}
	return all
}()

// arithmetic computes a function of one or two numbers, or of two strings. It reports false if
// there is no such function of such values.
func arithmetic(name string, args []value) (result value, ok bool, err error) {
	switch len(args) {
	case 1:
		return unaryNumber(name, args[0])
	case 2:
		if a, ok := args[0].(string); ok {
			if b, ok := args[1].(string); ok {
				if compare := comparisons[name]; compare != nil {
					return compare(strings.Compare(a, b)), true, nil
				}
			}
			return nil, false, nil
		}
		return binaryNumber(name, args[0], args[1])
	}
	return nil, false, nil
}

func binaryNumber(name string, x, y value) (value, bool, error) {
	a, ok1 := number(x)
	b, ok2 := number(y)
	if !ok1 || !ok2 {
		return binaryComplex(name, x, y)
	}
	if compare := comparisons[name]; compare != nil {
		return compare(compareNumbers(a, b)), true, nil
	}
	p, bool1 := x.(bool)
	q, bool2 := y.(bool)
	if bool1 && bool2 {
		switch name {
		case "__and__":
			return p && q, true, nil
		case "__or__":
			return p || q, true, nil
		case "__xor__":
			return p != q, true, nil
		}
	}
	i, int1 := a.(int)
	j, int2 := b.(int)
	if int1 && int2 {
		if f := integers[name]; f != nil {
			v, err := f(i, j)
			return v, true, err
		}
		if name == "pow" && j >= 0 {
			return intPower(i, j), true, nil
		}
	}
	f := floats[name]
	if f == nil {
		return nil, false, nil
	}
	if float(b) == 0 && (name == "div" || name == "truediv" || name == "floordiv" ||
		name == "floor_divide" || name == "remainder" || name == "__round_to_zero_floordiv") {
		return nil, true, errDivision
	}
	return f(float(a), float(b)), true, nil
}

// ldexp multiplies by a power of two, without a step that overflows where the product does not.
func ldexp(a, b float64) float64 {
	if b == math.Trunc(b) && math.Abs(b) < 1<<20 {
		return math.Ldexp(a, int(b))
	}
	return a * math.Exp2(b)
}

// binaryComplex computes a function of two numbers; at least one is complex.
func binaryComplex(name string, x, y value) (value, bool, error) {
	a, ok1 := complexOf(x)
	b, ok2 := complexOf(y)
	if !ok1 || !ok2 {
		return nil, false, nil
	}
	switch name {
	case "add":
		return a + b, true, nil
	case "sub":
		return a - b, true, nil
	case "mul":
		return complex(float64(real(a)*real(b))-float64(imag(a)*imag(b)), float64(real(a)*imag(b))+float64(imag(a)*real(b))), true, nil
	case "div", "truediv":
		if b == 0 {
			return nil, true, errDivision
		}
		return a / b, true, nil
	case "pow":
		return cmplx.Pow(a, b), true, nil
	case "eq":
		return a == b, true, nil
	case "ne":
		return a != b, true, nil
	}
	return nil, false, nil
}

func complexOf(v value) (complex128, bool) {
	if z, ok := v.(complex128); ok {
		return z, true
	}
	n, ok := number(v)
	return complex(float(n), 0), ok
}

func intPower(base, exponent int) int {
	result := 1
	for ; exponent > 0; exponent >>= 1 {
		if exponent&1 != 0 {
			result *= base
		}
		base *= base
	}
	return result
}

func unaryNumber(name string, x value) (value, bool, error) {
	if z, ok := x.(complex128); ok {
		switch name {
		case "neg":
			return -z, true, nil
		case "abs":
			return cmplx.Abs(z), true, nil
		}
		return nil, false, nil
	}
	v, ok := number(x)
	if !ok {
		return nil, false, nil
	}
	i, isInt := v.(int)
	f := float(v)
	switch name {
	case "neg":
		if isInt {
			return -i, true, nil
		}
		return -f, true, nil
	case "abs":
		if isInt {
			return max(i, -i), true, nil
		}
		return math.Abs(f), true, nil
	case "__not__":
		return f == 0, true, nil
	case "bitwise_not":
		if b, ok := x.(bool); ok {
			return !b, true, nil
		}
		return ^i, isInt, nil
	case "ceil":
		return wholeNumber(math.Ceil(f))
	case "floor":
		return wholeNumber(math.Floor(f))
	case "trunc":
		return wholeNumber(math.Trunc(f))
	case "round":
		return math.RoundToEven(f), true, nil
	case "isnan":
		return math.IsNaN(f), true, nil
	case "isinf":
		return math.IsInf(f, 0), true, nil
	case "isfinite":
		return !math.IsInf(f, 0) && !math.IsNaN(f), true, nil
	}
	if g := unaries[name]; g != nil {
		return g(f), true, nil
	}
	return nil, false, nil
}

// wholeNumber converts to an int, as TorchScript's ceil and floor of a float do.
func wholeNumber(f float64) (value, bool, error) {
	if !(f >= -(1<<63) && f < 1<<63) {
		return nil, true, errors.New("a float is too large for an int")
	}
	return int(f), true, nil
}
