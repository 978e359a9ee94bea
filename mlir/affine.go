package mlir

import (
	"math"
	"math/bits"
)

// AffineKind is the kind of an affine expression.
type AffineKind uint8

// The affine expressions: dN, sN, a constant, and the five operators.
const (
	AffineDim AffineKind = iota
	AffineSymbol
	AffineConstant
	AffineAdd
	AffineMul
	AffineFloorDiv
	AffineCeilDiv
	AffineMod
)

// AffineExpr is an affine expression. Trees are immutable.
type AffineExpr struct {
	Kind     AffineKind
	Value    int         // the index of a dim or symbol, or the constant
	LHS, RHS *AffineExpr // the operands of an operator
}

// AffineMap is (d0, …)[s0, …] -> (results).
type AffineMap struct {
	Dims, Symbols int
	Results       []*AffineExpr
}

// AffineSet is (d0, …)[s0, …] : (constraints).
type AffineSet struct {
	Dims, Symbols int
	Constraints   []AffineConstraint
}

// AffineConstraint is Expr >= 0, or Expr == 0.
type AffineConstraint struct {
	Expr     *AffineExpr
	Equality bool
}

// Dim returns the expression d<i>.
func Dim(i int) *AffineExpr {
	if i >= 0 && i < len(firstDims) {
		return &firstDims[i]
	}
	return &AffineExpr{Kind: AffineDim, Value: i}
}

// firstDims are the dimensions of most maps. Expressions do not change, so all maps share them.
var firstDims = func() (list [8]AffineExpr) {
	for i := range list {
		list[i] = AffineExpr{Kind: AffineDim, Value: i}
	}
	return list
}()

// Symbol returns the expression s<i>.
func Symbol(i int) *AffineExpr { return &AffineExpr{Kind: AffineSymbol, Value: i} }

// Const returns a constant expression.
func Const(v int) *AffineExpr { return &AffineExpr{Kind: AffineConstant, Value: v} }

// Plus returns e + f, folded where one of them is zero, or both are constant and the sum
// is in range.
func (e *AffineExpr) Plus(f *AffineExpr) *AffineExpr {
	switch {
	case e.Kind == AffineConstant && f.Kind == AffineConstant && sumInRange(e.Value, f.Value):
		return Const(e.Value + f.Value)
	case e.Kind == AffineConstant && e.Value == 0:
		return f
	case f.Kind == AffineConstant && f.Value == 0:
		return e
	}
	return &AffineExpr{Kind: AffineAdd, LHS: e, RHS: f}
}

// sumInRange reports whether a + b and its negative are integers of 64 bits.
func sumInRange(a, b int) bool {
	if b > 0 {
		return a <= math.MaxInt-b
	}
	return a >= -math.MaxInt-b
}

// productInRange reports whether a * b and its negative are integers of 64 bits.
func productInRange(a, b int) bool {
	high, low := bits.Mul64(magnitude(a), magnitude(b))
	return high == 0 && low <= math.MaxInt
}

func magnitude(n int) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// Times returns e * n, folded for 0, 1 and constants if the product is in range.
func (e *AffineExpr) Times(n int) *AffineExpr {
	switch {
	case e.Kind == AffineConstant && productInRange(e.Value, n):
		return Const(e.Value * n)
	case n == 1:
		return e
	case n == 0:
		return Const(0)
	}
	return &AffineExpr{Kind: AffineMul, LHS: e, RHS: Const(n)}
}

// Identity returns the identity map of n dims.
func Identity(n int) AffineMap {
	m := AffineMap{Dims: n, Results: make([]*AffineExpr, n)}
	for i := range n {
		m.Results[i] = Dim(i)
	}
	return m
}

func (m AffineMap) isIdentity(n int) bool {
	if m.Dims != n || m.Symbols != 0 || len(m.Results) != n {
		return false
	}
	for i, e := range m.Results {
		if e.Kind != AffineDim || e.Value != i {
			return false
		}
	}
	return true
}

// Projection returns (d0, …, dn-1) -> (d<dims[0]>, d<dims[1]>, …); a dim of -1
// is the constant 0, which a broadcast extent of 1 wants.
func Projection(n int, dims ...int) AffineMap {
	m := AffineMap{Dims: n}
	for _, d := range dims {
		if d < 0 {
			m.Results = append(m.Results, Const(0))
		} else {
			m.Results = append(m.Results, Dim(d))
		}
	}
	return m
}

// Linear splits e into a coefficient for each of n dims and a constant. It
// reports false for symbols and for divisions and remainders.
func (e *AffineExpr) Linear(n int) (coeffs []int, offset int, ok bool) {
	coeffs = make([]int, n)
	type item struct {
		e     *AffineExpr
		scale int
	}
	stack := []item{{e, 1}}
	for len(stack) > 0 {
		it := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch x := it.e; {
		case x.Kind == AffineDim && x.Value < n:
			coeffs[x.Value] += it.scale
		case x.Kind == AffineConstant:
			offset += it.scale * x.Value
		case x.Kind == AffineAdd:
			stack = append(stack, item{x.LHS, it.scale}, item{x.RHS, it.scale})
		case x.Kind == AffineMul && x.RHS.Kind == AffineConstant:
			stack = append(stack, item{x.LHS, it.scale * x.RHS.Value})
		case x.Kind == AffineMul && x.LHS.Kind == AffineConstant:
			stack = append(stack, item{x.RHS, it.scale * x.LHS.Value})
		default:
			return nil, 0, false
		}
	}
	return coeffs, offset, true
}

// BindSymbols returns the map with constants in place of its symbols, folded.
func (m AffineMap) BindSymbols(values []int) AffineMap {
	out := AffineMap{Dims: m.Dims, Results: make([]*AffineExpr, len(m.Results))}
	for i, e := range m.Results {
		out.Results[i] = e.bind(values)
	}
	return out
}

func (e *AffineExpr) bind(values []int) *AffineExpr {
	switch e.Kind {
	case AffineDim, AffineConstant:
		return e
	case AffineSymbol:
		return Const(values[e.Value])
	}
	l, r := e.LHS.bind(values), e.RHS.bind(values)
	switch {
	case e.Kind == AffineAdd:
		return l.Plus(r)
	case e.Kind == AffineMul && r.Kind == AffineConstant:
		return l.Times(r.Value)
	case e.Kind == AffineMul && l.Kind == AffineConstant:
		return r.Times(l.Value)
	}
	return &AffineExpr{Kind: e.Kind, LHS: l, RHS: r}
}
