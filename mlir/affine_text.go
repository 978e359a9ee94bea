package mlir

import (
	"strconv"
	"strings"
)

// String returns the map as MLIR writes it: (d0, d1)[s0] -> (d0 + s0, d1).
func (m AffineMap) String() string {
	return affineSpace(m.Dims, m.Symbols) + " -> (" + joinExprs(m.Results) + ")"
}

// String returns the set as MLIR writes it: (d0)[s0] : (d0 - s0 >= 0).
func (s AffineSet) String() string {
	parts := make([]string, len(s.Constraints))
	for i, c := range s.Constraints {
		relation := " >= 0"
		if c.Equality {
			relation = " == 0"
		}
		parts[i] = c.Expr.String() + relation
	}
	return affineSpace(s.Dims, s.Symbols) + " : (" + strings.Join(parts, ", ") + ")"
}

func affineSpace(dims, symbols int) string {
	text := "(" + numbered('d', dims) + ")"
	if symbols > 0 {
		text += "[" + numbered('s', symbols) + "]"
	}
	return text
}

func numbered(letter byte, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteByte(letter)
		b.WriteString(strconv.Itoa(i))
	}
	return b.String()
}

func joinExprs(exprs []*AffineExpr) string {
	parts := make([]string, len(exprs))
	for i, e := range exprs {
		parts[i] = e.String()
	}
	return strings.Join(parts, ", ")
}

// String returns the expression as MLIR writes it, for example "d0 * 2 + d1".
func (e *AffineExpr) String() string {
	var b strings.Builder
	e.write(&b, false)
	return b.String()
}

var affineOperators = map[AffineKind]string{
	AffineAdd: " + ", AffineMul: " * ", AffineFloorDiv: " floordiv ",
	AffineCeilDiv: " ceildiv ", AffineMod: " mod ",
}

// write prints e; tight asks for parentheses around every operator.
func (e *AffineExpr) write(b *strings.Builder, tight bool) {
	switch e.Kind {
	case AffineDim:
		b.WriteString("d" + strconv.Itoa(e.Value))
		return
	case AffineSymbol:
		b.WriteString("s" + strconv.Itoa(e.Value))
		return
	case AffineConstant:
		b.WriteString(strconv.Itoa(e.Value))
		return
	}
	if tight {
		b.WriteByte('(')
	}
	switch {
	case e.Kind == AffineAdd:
		e.writeSum(b)
	case e.Kind == AffineMul && e.RHS.isConstant(-1):
		b.WriteByte('-')
		e.LHS.write(b, true)
	default:
		e.LHS.write(b, true)
		b.WriteString(affineOperators[e.Kind])
		e.RHS.write(b, true)
	}
	if tight {
		b.WriteByte(')')
	}
}

// writeSum prints a sum; a negative second term becomes a subtraction.
func (e *AffineExpr) writeSum(b *strings.Builder) {
	e.LHS.write(b, false)
	r := e.RHS
	switch {
	case r.Kind == AffineMul && r.RHS.isConstant(-1):
		b.WriteString(" - ")
		r.LHS.write(b, r.LHS.Kind == AffineAdd)
	case r.Kind == AffineMul && r.RHS.Kind == AffineConstant && r.RHS.Value < -1:
		b.WriteString(" - ")
		r.LHS.write(b, true)
		b.WriteString(" * " + strconv.Itoa(-r.RHS.Value))
	case r.Kind == AffineConstant && r.Value < 0:
		b.WriteString(" - " + strconv.Itoa(-r.Value))
	default:
		b.WriteString(" + ")
		r.write(b, false)
	}
}

func (e *AffineExpr) isConstant(v int) bool { return e.Kind == AffineConstant && e.Value == v }
