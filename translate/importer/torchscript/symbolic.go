package torchscript

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/go-acap/acap/base/script"
)

// symbolic computes expressions of extents, as SymPy and Python write them: Mul(Integer(2), Symbol('s0')), 2*s0 + 1,
// L['x'].size()[0] % 2 == 0. Numbers are exact.
type symbolic struct {
	symbols map[string]*big.Rat
	// path returns the number that a path such as L['x'].size()[0] stands for.
	path func(script.Expr) (*big.Rat, error)
}

// errOpen is the error of an expression with a symbol that has no number.
var errOpen = errors.New("a symbol has no number")

const (
	mostSymbolicBits     = 1 << 12 // of a number
	mostSymbolicExponent = 64
)

// holds reports whether a condition holds.
func (s *symbolic) holds(e script.Expr) (bool, error) {
	v, err := s.eval(e)
	if err != nil {
		return false, err
	}
	return v.Sign() != 0, nil
}

func truthNumber(b bool) *big.Rat {
	if b {
		return big.NewRat(1, 1)
	}
	return new(big.Rat)
}

// eval computes an expression; conditions are 0 and 1.
func (s *symbolic) eval(e script.Expr) (*big.Rat, error) {
	switch e := e.(type) {
	case *script.Literal:
		switch v := e.Value.(type) {
		case int64:
			return new(big.Rat).SetInt64(v), nil
		case bool:
			return truthNumber(v), nil
		case float64:
			if r := new(big.Rat).SetFloat64(v); r != nil {
				return r, nil
			}
		}
	case *script.Name:
		return s.symbol(e.Name)
	case *script.Unary:
		x, err := s.eval(e.X)
		switch {
		case err != nil:
			return nil, err
		case e.Op == "-":
			return x.Neg(x), nil
		case e.Op == "+":
			return x, nil
		case e.Op == "not" || e.Op == "~":
			return truthNumber(x.Sign() == 0), nil
		}
	case *script.Binary:
		if f := symbolicFunctions[e.Op]; f != nil {
			return s.apply(f, []script.Expr{e.X, e.Y})
		}
	case *script.Compare:
		return s.compare(e)
	case *script.Call:
		if name, ok := dottedName(e.Func); ok {
			if name == "Symbol" && len(e.Args) > 0 {
				if text, ok := e.Args[0].(*script.Literal); ok {
					symbol, _ := text.Value.(string)
					return s.symbol(symbol)
				}
			}
			if f := symbolicFunctions[name]; f != nil {
				return s.apply(f, e.Args)
			}
			return nil, fmt.Errorf("the function %s is not known here", name)
		}
		if s.path != nil {
			return s.path(e)
		}
	case *script.Subscript, *script.Attribute:
		if s.path != nil {
			return s.path(e)
		}
	}
	return nil, fmt.Errorf("an expression of kind %T is not known here", e)
}

func (s *symbolic) symbol(name string) (*big.Rat, error) {
	if v := s.symbols[name]; v != nil {
		return new(big.Rat).Set(v), nil
	}
	return nil, errOpen
}

func (s *symbolic) compare(e *script.Compare) (*big.Rat, error) {
	x, err := s.eval(e.X)
	if err != nil {
		return nil, err
	}
	for i, op := range e.Ops {
		y, err := s.eval(e.Ys[i])
		if err != nil {
			return nil, err
		}
		f := symbolicFunctions[op]
		if f == nil {
			return nil, fmt.Errorf("the comparison %s is not known here", op)
		}
		r, err := f([]*big.Rat{x, y})
		if err != nil || r.Sign() == 0 {
			return r, err
		}
		x = y
	}
	return truthNumber(true), nil
}

func (s *symbolic) apply(f func([]*big.Rat) (*big.Rat, error), list []script.Expr) (*big.Rat, error) {
	args := make([]*big.Rat, len(list))
	for i, e := range list {
		var err error
		if args[i], err = s.eval(e); err != nil {
			return nil, err
		}
	}
	if len(args) == 0 {
		return nil, errors.New("a function without arguments")
	}
	r, err := f(args)
	if err == nil && r.Num().BitLen()+r.Denom().BitLen() > mostSymbolicBits {
		err = fmt.Errorf("a number of more than %d bits", mostSymbolicBits)
	}
	return r, err
}

// symbolicFunctions are operators of Python, and functions of SymPy and of PyTorch's torch/utils/_sympy/functions.py.
var symbolicFunctions = func() map[string]func([]*big.Rat) (*big.Rat, error) {
	type operation = func([]*big.Rat) (*big.Rat, error)
	fold := func(f func(x, y *big.Rat) *big.Rat) operation {
		return func(a []*big.Rat) (*big.Rat, error) {
			r := new(big.Rat).Set(a[0])
			for _, y := range a[1:] {
				r = f(r, y)
			}
			return r, nil
		}
	}
	exactly := func(n int, f operation) operation {
		return func(a []*big.Rat) (*big.Rat, error) {
			if len(a) != n {
				return nil, fmt.Errorf("%d arguments instead of %d", len(a), n)
			}
			return f(a)
		}
	}
	relation := func(f func(sign int) bool) operation {
		return exactly(2, func(a []*big.Rat) (*big.Rat, error) { return truthNumber(f(compareRationals(a[0], a[1]))), nil })
	}
	// bits computes on the bits of integers, which truth values are as well.
	bits := func(f func(z, x, y *big.Int) *big.Int) operation {
		return func(a []*big.Rat) (*big.Rat, error) {
			r := new(big.Int)
			for i, x := range a {
				if !x.IsInt() {
					return nil, fmt.Errorf("%v is no integer", x.RatString())
				}
				if i == 0 {
					r.Set(x.Num())
				} else {
					f(r, r, x.Num())
				}
			}
			return new(big.Rat).SetInt(r), nil
		}
	}
	// shift multiplies by a power of two.
	shift := func(sign int64) operation {
		return exactly(2, func(a []*big.Rat) (*big.Rat, error) {
			if !a[0].IsInt() || !a[1].IsInt() || a[1].Sign() < 0 || a[1].Num().Cmp(big.NewInt(mostSymbolicExponent)) > 0 {
				return nil, fmt.Errorf("%v shifted by %v", a[0].RatString(), a[1].RatString())
			}
			r, n := new(big.Int), uint(a[1].Num().Int64())
			if sign < 0 {
				return new(big.Rat).SetInt(r.Rsh(a[0].Num(), n)), nil
			}
			return new(big.Rat).SetInt(r.Lsh(a[0].Num(), n)), nil
		})
	}
	choice := exactly(3, func(a []*big.Rat) (*big.Rat, error) {
		if a[0].Sign() != 0 {
			return a[1], nil
		}
		return a[2], nil
	})
	ofFloat := func(f func(x float64) float64) operation {
		return exactly(1, func(a []*big.Rat) (*big.Rat, error) {
			x, _ := a[0].Float64()
			if r := new(big.Rat).SetFloat64(f(x)); r != nil {
				return r, nil
			}
			return nil, errors.New("a number that is not finite")
		})
	}
	quotient := exactly(2, func(a []*big.Rat) (*big.Rat, error) {
		if a[1].Sign() == 0 {
			return nil, errors.New("a division by zero")
		}
		return new(big.Rat).Quo(a[0], a[1]), nil
	})
	floor := func(x *big.Rat) *big.Rat {
		return new(big.Rat).SetInt(new(big.Int).Div(x.Num(), x.Denom())) // the denominator is positive
	}
	whole := func(f func(*big.Rat) *big.Rat) operation {
		return exactly(1, func(a []*big.Rat) (*big.Rat, error) { return f(a[0]), nil })
	}
	ceiling := func(x *big.Rat) *big.Rat { return new(big.Rat).Neg(floor(new(big.Rat).Neg(x))) }
	truncated := func(x *big.Rat) *big.Rat {
		if x.Sign() < 0 {
			return ceiling(x)
		}
		return floor(x)
	}
	floorDivision := func(a []*big.Rat) (*big.Rat, error) {
		q, err := quotient(a)
		if err != nil {
			return nil, err
		}
		return floor(q), nil
	}
	modulo := func(a []*big.Rat) (*big.Rat, error) {
		q, err := floorDivision(a)
		if err != nil {
			return nil, err
		}
		return q.Sub(a[0], q.Mul(q, a[1])), nil
	}
	// float computes as Python does, in f64.
	float := func(f func(x []float64) float64) func(a []*big.Rat) (*big.Rat, error) {
		return func(a []*big.Rat) (*big.Rat, error) {
			x := make([]float64, len(a))
			for i, r := range a {
				x[i], _ = r.Float64()
			}
			if r := new(big.Rat).SetFloat64(f(x)); r != nil {
				return r, nil
			}
			return nil, errors.New("a number that is not finite")
		}
	}
	root := float(func(x []float64) float64 { return math.Sqrt(x[0]) })
	floatPower := float(func(x []float64) float64 { return math.Pow(x[0], x[1]) })
	power := exactly(2, func(a []*big.Rat) (*big.Rat, error) {
		if !a[1].IsInt() {
			return floatPower(a)
		}
		if a[1].Num().CmpAbs(big.NewInt(mostSymbolicExponent)) > 0 {
			return nil, fmt.Errorf("the exponent %v", a[1].RatString())
		}
		n, x := int(a[1].Num().Int64()), a[0]
		if n < 0 {
			if x.Sign() == 0 {
				return nil, errors.New("a division by zero")
			}
			n, x = -n, new(big.Rat).Inv(x)
		}
		r := big.NewRat(1, 1)
		for range n {
			r.Mul(r, x)
		}
		return r, nil
	})
	table := map[string]operation{}
	add := func(f operation, names ...string) {
		for _, name := range names {
			table[name] = f
		}
	}
	add(fold(func(x, y *big.Rat) *big.Rat { return x.Add(x, y) }), "+", "Add")
	add(fold(func(x, y *big.Rat) *big.Rat { return x.Mul(x, y) }), "*", "Mul")
	add(exactly(2, func(a []*big.Rat) (*big.Rat, error) { return new(big.Rat).Sub(a[0], a[1]), nil }), "-")
	add(quotient, "/", "Rational", "IntTrueDiv", "FloatTrueDiv", "TrueDiv")
	add(floorDivision, "//", "FloorDiv", "CleanDiv")
	add(modulo, "%", "Mod", "PythonMod")
	add(power, "**", "Pow", "PowByNatural")
	add(exactly(2, floatPower), "FloatPow")
	add(exactly(1, root), "sqrt", "math.sqrt", "torch._sym_sqrt", "torch.sym_sqrt", "OpaqueUnaryFn_sqrt")
	add(whole(func(x *big.Rat) *big.Rat { return x }), "Integer", "ToFloat", "Float", "int", "float", "Identity", "torch.sym_int", "torch.sym_float")
	add(whole(ceiling), "CeilToInt", "ceiling", "math.ceil")
	add(whole(floor), "FloorToInt", "floor", "math.floor")
	add(whole(truncated), "TruncToInt", "TruncToFloat", "trunc", "math.trunc")
	add(whole(func(x *big.Rat) *big.Rat { return new(big.Rat).Abs(x) }), "Abs", "abs")
	add(whole(func(x *big.Rat) *big.Rat { return truthNumber(x.Sign() == 0) }), "Not", "torch.sym_not")
	add(func(a []*big.Rat) (*big.Rat, error) { return slices.MaxFunc(a, (*big.Rat).Cmp), nil }, "Max", "max", "torch.sym_max")
	add(func(a []*big.Rat) (*big.Rat, error) { return slices.MinFunc(a, (*big.Rat).Cmp), nil }, "Min", "min", "torch.sym_min")
	add(fold(func(x, y *big.Rat) *big.Rat { return truthNumber(x.Sign() != 0 && y.Sign() != 0) }), "and", "And")
	add(fold(func(x, y *big.Rat) *big.Rat { return truthNumber(x.Sign() != 0 || y.Sign() != 0) }), "or", "Or")
	add(bits((*big.Int).And), "&", "BitwiseFn_bitwise_and")
	add(bits((*big.Int).Or), "|", "BitwiseFn_bitwise_or")
	add(bits((*big.Int).Xor), "^", "BitwiseFn_bitwise_xor")
	add(shift(1), "<<", "LShift")
	add(shift(-1), ">>", "RShift")
	add(choice, "Where", "torch.sym_ite")
	add(relation(func(s int) bool { return s == 0 }), "==", "Eq", "Equality")
	add(relation(func(s int) bool { return s != 0 }), "!=", "Ne", "Unequality")
	add(relation(func(s int) bool { return s < 0 }), "<", "Lt", "StrictLessThan")
	add(relation(func(s int) bool { return s <= 0 }), "<=", "Le", "LessThan")
	add(relation(func(s int) bool { return s > 0 }), ">", "Gt", "StrictGreaterThan")
	add(relation(func(s int) bool { return s >= 0 }), ">=", "Ge", "GreaterThan")
	for name, f := range map[string]func(float64) float64{"cos": math.Cos, "cosh": math.Cosh, "sin": math.Sin, "sinh": math.Sinh,
		"tan": math.Tan, "tanh": math.Tanh, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan, "asinh": math.Asinh,
		"exp": math.Exp, "log": math.Log, "log2": math.Log2, "RoundToInt": math.RoundToEven} {
		add(ofFloat(f), name, "math."+name, "OpaqueUnaryFn_"+name)
	}
	return table
}()

// compareRationals compares as Python does: integers exactly, and others as the nearest numbers of f64.
func compareRationals(x, y *big.Rat) int {
	if x.IsInt() && y.IsInt() {
		return x.Cmp(y)
	}
	a, _ := x.Float64()
	b, _ := y.Float64()
	return cmp.Compare(a, b)
}

// openSymbols are the symbols of an expression that have no number.
func (s *symbolic) openSymbols(e script.Expr) []string {
	var open []string
	note := func(name string) {
		if s.symbols[name] == nil && !slices.Contains(open, name) {
			open = append(open, name)
		}
	}
	var visit func(script.Expr)
	visit = func(e script.Expr) {
		switch e := e.(type) {
		case *script.Name:
			note(e.Name)
		case *script.Unary:
			visit(e.X)
		case *script.Binary:
			visit(e.X)
			visit(e.Y)
		case *script.Compare:
			visit(e.X)
			for _, y := range e.Ys {
				visit(y)
			}
		case *script.Call:
			if name, _ := dottedName(e.Func); name == "Symbol" && len(e.Args) > 0 {
				if text, ok := e.Args[0].(*script.Literal); ok {
					symbol, _ := text.Value.(string)
					note(symbol)
				}
				return
			}
			for _, a := range e.Args {
				visit(a)
			}
		}
	}
	visit(e)
	return open
}

// solve gives the only open symbol of a linear expression the number for which the expression has a value; it is no
// whole one if there is none. ok is false for other expressions.
func (s *symbolic) solve(e script.Expr, value *big.Rat) (symbol string, number *big.Rat, ok bool) {
	open := s.openSymbols(e)
	if len(open) != 1 {
		return "", nil, false
	}
	at := func(n int64) *big.Rat {
		s.symbols[open[0]] = big.NewRat(n, 1)
		v, err := s.eval(e)
		delete(s.symbols, open[0])
		if err != nil {
			return nil
		}
		return v
	}
	zero, one, large := at(0), at(1), at(1001)
	if zero == nil || one == nil || large == nil {
		return "", nil, false
	}
	slope := new(big.Rat).Sub(one, zero)
	if slope.Sign() == 0 || new(big.Rat).Add(zero, new(big.Rat).Mul(slope, big.NewRat(1001, 1))).Cmp(large) != 0 {
		return "", nil, false
	}
	number = new(big.Rat).Sub(value, zero)
	return open[0], number.Quo(number, slope), true
}
