package mlir

import (
	"regexp"
	"strconv"
)

// affineValues are the values that stand in affine expressions: %i for a dim, symbol(%n)
// for a symbol.
type affineValues struct {
	dims, symbols []Ref
	known         map[string]*AffineExpr
}

// value reads %i, or symbol(%n) behind the keyword.
func (a *affineParser) value(symbol bool) *AffineExpr {
	r := a.Operand()
	key := r.name + "#" + strconv.Itoa(r.number) + strconv.FormatBool(symbol)
	if e := a.values.known[key]; e != nil {
		return e
	}
	e := Dim(len(a.values.dims))
	if symbol {
		e = Symbol(len(a.values.symbols))
		a.values.symbols = append(a.values.symbols, r)
	} else {
		a.values.dims = append(a.values.dims, r)
	}
	a.values.known[key] = e
	return e
}

func (p *Parser) affineOfValues() *affineParser {
	return &affineParser{p, map[string]*AffineExpr{}, &affineValues{known: map[string]*AffineExpr{}}}
}

// finish returns the map and its values, dims before symbols.
func (a *affineParser) finish(results []*AffineExpr) (AffineMap, []Ref) {
	m := AffineMap{Dims: len(a.values.dims), Symbols: len(a.values.symbols), Results: results}
	return m, append(a.values.dims, a.values.symbols...)
}

// AffineMapOfValues reads a list of affine expressions over values.
func (p *Parser) AffineMapOfValues(open, closing string) (AffineMap, []Ref) {
	a := p.affineOfValues()
	results := []*AffineExpr{}
	p.List(open, closing, func() { results = append(results, a.sum()) })
	return a.finish(results)
}

// AffineMapOfGroups reads a list of affine expressions over values, or of several
// behind a keyword, max(…), and appends how many each entry has.
func (p *Parser) AffineMapOfGroups(keyword string, groups *[]int64) (AffineMap, []Ref) {
	a := p.affineOfValues()
	results := []*AffineExpr{}
	p.List("(", ")", func() {
		before := len(results)
		if p.Accept(keyword) {
			p.List("(", ")", func() { results = append(results, a.sum()) })
		} else {
			results = append(results, a.sum())
		}
		*groups = append(*groups, int64(len(results)-before))
	})
	return a.finish(results)
}

var affineName = regexp.MustCompile(`\b[ds][0-9]+\b`)

// AffineMapOfValues appends the results of a map with values for dims and symbols.
func (p *Printer) AffineMapOfValues(m AffineMap, operands []*Value) {
	p.Text(affineName.ReplaceAllStringFunc(joinExprs(m.Results), func(name string) string {
		n, _ := strconv.Atoi(name[1:])
		if name[0] == 'd' {
			return "%" + p.values[operands[n]]
		}
		return "symbol(%" + p.values[operands[m.Dims+n]] + ")"
	}))
}
