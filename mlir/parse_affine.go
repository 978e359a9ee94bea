package mlir

// affineParser reads affine expressions over named dims and symbols.
type affineParser struct {
	*Parser
	names  map[string]*AffineExpr
	values *affineValues // if values stand for dims and symbols
}

// AffineMap reads (d0, d1)[s0] -> (d0 + s0, d1).
func (p *Parser) AffineMap() AffineMap {
	m, set := p.affineMapOrSet()
	if set != nil {
		p.Errorf("expected an affine map, found a set")
	}
	return m
}

// affineMapOrSet reads a map, or a set if a colon follows the space.
func (p *Parser) affineMapOrSet() (m AffineMap, set *AffineSet) {
	a := affineParser{p, map[string]*AffineExpr{}, nil}
	dims := a.space("(", ")", Dim)
	symbols := 0
	if p.is("[") {
		symbols = a.space("[", "]", Symbol)
	}
	if p.Accept(":") {
		set = &AffineSet{Dims: dims, Symbols: symbols}
		p.List("(", ")", func() { set.Constraints = append(set.Constraints, a.constraint()) })
		return AffineMap{}, set
	}
	p.Expect("->")
	m = AffineMap{Dims: dims, Symbols: symbols, Results: []*AffineExpr{}}
	p.List("(", ")", func() { m.Results = append(m.Results, a.sum()) })
	return m, nil
}

// space reads a list of dim or symbol names and returns their number.
func (a *affineParser) space(open, closing string, expr func(int) *AffineExpr) int {
	n := 0
	a.List(open, closing, func() {
		name := a.Keyword()
		if a.names[name] != nil {
			a.Errorf("%q is declared twice", name)
		}
		a.names[name] = expr(n)
		n++
	})
	return n
}

func (a *affineParser) constraint() AffineConstraint {
	left := a.sum()
	c := AffineConstraint{}
	negate := 1
	switch {
	case a.Accept(">"):
	case a.Accept("<"):
		negate = -1
	default:
		a.Expect("=")
		c.Equality = true
	}
	a.Expect("=")
	right := a.sum()
	c.Expr = left.Times(negate).Plus(right.Times(-negate))
	return c
}

// maxTerms bounds the terms of an affine sum.
const maxTerms = 10_000

// sum reads terms joined by + and -.
func (a *affineParser) sum() *AffineExpr {
	if !a.enter() {
		return Const(0)
	}
	defer a.leave()
	e := a.product()
	for n := 0; ; n++ {
		switch {
		case n > maxTerms: // sums lean left: the printer descends once per term
			a.Errorf("an affine expression of more than %d terms", maxTerms)
			return e
		case a.Accept("+"):
			e = e.Plus(a.product())
		case a.Accept("-"):
			e = e.Plus(a.product().Times(-1))
		default:
			return e
		}
	}
}

// product reads factors joined by *, floordiv, ceildiv and mod.
func (a *affineParser) product() *AffineExpr {
	e := a.factor()
	n := 0 // factors that did not fold
	for ; ; n += btoi(e.Kind != AffineConstant) {
		pos := a.tok.start
		switch {
		case n > maxDepth:
			a.Errorf("an affine expression of more than %d factors", maxDepth)
			return e
		case a.Accept("*"):
			e = a.multiply(pos, e, a.factor())
		case a.Accept("floordiv"):
			e = a.divide(pos, AffineFloorDiv, e, a.factor())
		case a.Accept("ceildiv"):
			e = a.divide(pos, AffineCeilDiv, e, a.factor())
		case a.Accept("mod"):
			e = a.divide(pos, AffineMod, e, a.factor())
		default:
			return e
		}
	}
}

func (a *affineParser) multiply(pos int, e, f *AffineExpr) *AffineExpr {
	switch {
	case f.Kind == AffineConstant:
		return e.Times(f.Value)
	case e.Kind == AffineConstant:
		return f.Times(e.Value)
	case !e.symbolic() && !f.symbolic():
		a.errorAt(pos, "an affine product needs a constant or symbolic factor")
	}
	return &AffineExpr{Kind: AffineMul, LHS: e, RHS: f}
}

func (a *affineParser) divide(pos int, kind AffineKind, e, f *AffineExpr) *AffineExpr {
	switch {
	case !f.symbolic():
		a.errorAt(pos, "an affine divisor must be constant or symbolic")
	}
	return &AffineExpr{Kind: kind, LHS: e, RHS: f}
}

// symbolic reports whether e holds no dim.
func (e *AffineExpr) symbolic() bool {
	switch e.Kind {
	case AffineDim:
		return false
	case AffineSymbol, AffineConstant:
		return true
	}
	return e.LHS.symbolic() && e.RHS.symbolic()
}

func (a *affineParser) factor() *AffineExpr {
	switch {
	case a.Accept("-"):
		sign := -1
		for a.Accept("-") {
			sign = -sign
		}
		return a.factor().Times(sign)
	case a.Accept("("):
		e := a.sum()
		a.Expect(")")
		return e
	case a.tok.kind == tokenInt:
		return Const(a.Int())
	}
	if a.values != nil {
		if !a.Accept("symbol") {
			return a.value(false)
		}
		a.Expect("(")
		e := a.value(true)
		a.Expect(")")
		return e
	}
	pos := a.tok.start
	name := a.Keyword()
	e := a.names[name]
	if e == nil {
		a.errorAt(pos, "%q is neither a dim nor a symbol", name)
		return Const(0)
	}
	return e
}
