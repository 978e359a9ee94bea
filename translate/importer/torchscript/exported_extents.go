package torchscript

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/script"
)

// openExtents are what a program of torch.export assumes of the extents and numbers that it leaves open: the bounds of
// symbols and of expressions, and conditions on the inputs. The program is wrong for inputs that do not hold them:
// torch.export decided branches by them.
type openExtents struct {
	ranges []symbolRange
	guards []condition
}

// symbolRange bounds an expression, a symbol in general; a bound is nil where there is none.
type symbolRange struct {
	condition
	min, max *int
}

type condition struct {
	text string
	expr script.Expr
}

// rangeOf is a bound of the schema.
type rangeOf struct {
	Min json.RawMessage `json:"min_val"`
	Max json.RawMessage `json:"max_val"`
}

// readExtents reads range_constraints and guards_code.
func readExtents(ranges map[string]rangeOf, guards []string) (openExtents, error) {
	var x openExtents
	read := func(text string) (condition, error) {
		e, err := script.ParseExpression("an expression of extents", text)
		return condition{text, e}, err
	}
	bound := func(n json.RawMessage) *int {
		v, err := decoded[int](n)
		if string(n) == "null" || err != nil || v >= 1<<62 {
			return nil // infinite
		}
		return &v
	}
	for _, text := range slices.Sorted(maps.Keys(ranges)) {
		c, err := read(text)
		if err != nil {
			return x, fmt.Errorf("range_constraints: %q: %w", text, err)
		}
		x.ranges = append(x.ranges, symbolRange{c, bound(ranges[text].Min), bound(ranges[text].Max)})
	}
	for _, text := range guards {
		c, err := read(text)
		if err != nil {
			return x, fmt.Errorf("guards_code: %q: %w", text, err)
		}
		x.guards = append(x.guards, c)
	}
	return x, nil
}

// expression is the text of an extent that is no number.
func (a argument) expression() (string, error) {
	e, err := decoded[struct {
		Text string `json:"expr_str"`
	}](a.data)
	if err == nil && (e.Text == "" || a.kind != "as_expr") {
		err = errors.New("there is no text")
	}
	return e.Text, err
}

// givenInput is an input of a call: a tensor with its shape, or a number.
type givenInput struct {
	*exportedInput
	shape  []int
	number *big.Rat // nil for a tensor
}

// acceptsNumber is the exact value of a number that is an input, which has the kind that the program was exported for.
func (in *exportedInput) acceptsNumber(v value) (*big.Rat, error) {
	switch v := v.(type) {
	case int:
		if in.kind == "as_sym_int" {
			return big.NewRat(int64(v), 1), nil
		}
	case bool:
		if in.kind == "as_sym_bool" {
			return truthNumber(v), nil
		}
	case float64:
		if in.kind == "as_sym_float" {
			return new(big.Rat).SetFloat64(v), nil // nil if it is not finite, which no condition compares
		}
	}
	want := map[string]string{"as_sym_int": "an integer", "as_sym_bool": "a truth value", "as_sym_float": "a floating-point number"}
	return nil, fmt.Errorf("the program was exported for %s, and it is %s", want[in.kind], text(v))
}

// extentPlace is an extent of an input, or a number that is one.
type extentPlace struct {
	input *exportedInput
	dim   int // -1 for a number
	have  *big.Rat
}

func (p extentPlace) String() string {
	if p.dim < 0 {
		return "input " + p.input.name
	}
	return fmt.Sprintf("extent %d of input %s", p.dim, p.input.name)
}

// openPlaces are the extents and numbers for which the program has expressions, as it writes them.
func (e *exported) openPlaces(inputs []givenInput) (places []extentPlace, written []argument) {
	add := func(in givenInput, d int, a argument, have *big.Rat) {
		if a.kind == "as_expr" {
			places, written = append(places, extentPlace{in.exportedInput, d, have}), append(written, a)
		}
	}
	for _, in := range inputs {
		if in.number != nil {
			add(in, -1, e.graph.SymIntValues[in.name], in.number)
		}
		for d, a := range in.meta.Sizes {
			if d < len(in.shape) {
				add(in, d, a, big.NewRat(int64(in.shape[d]), 1))
			}
		}
	}
	return places, written
}

// extentError is an input that does not hold what the program assumes.
type extentError struct {
	input *exportedInput
	err   error
}

func (e *extentError) Error() string { return e.err.Error() }

// checkExtents reports inputs for which the program was not exported.
func (e *exported) checkExtents(inputs []givenInput) error {
	g := &givenExtents{symbolic: symbolic{symbols: map[string]*big.Rat{}}, from: map[string]extentPlace{}}
	places, written := e.openPlaces(inputs)
	derived, err := g.read(places, written)
	if err != nil {
		return err
	}
	for _, d := range derived {
		if err := g.agree(d); err != nil {
			return err
		}
	}
	for _, r := range e.extents.ranges {
		if err := g.within(r); err != nil {
			return err
		}
	}
	return e.checkGuards(inputs, &g.symbolic)
}

// givenExtents are the symbols of a program with the numbers that inputs give to them.
type givenExtents struct {
	symbolic
	from map[string]extentPlace // where symbols have their numbers from
}

// derivedExtent is an extent that is computed from symbols in the exported program.
type derivedExtent struct {
	extentPlace
	text string
	expr script.Expr
}

// errorf is an error of an extent.
func (p extentPlace) errorf(format string, args ...any) error {
	return &extentError{p.input, fmt.Errorf(p.String()+" "+format, args...)}
}

// read gives numbers to the symbols that extents are. It returns the extents that are more than a symbol.
func (g *givenExtents) read(places []extentPlace, written []argument) (derived []derivedExtent, err error) {
	for i, p := range places {
		text, err := written[i].expression()
		if err != nil {
			return nil, p.errorf("is no expression: %w", err)
		}
		expr, err := script.ParseExpression("an extent", text)
		if err != nil {
			return nil, p.errorf("is %q: %w", text, err)
		}
		name := symbolName(expr)
		if name == "" {
			derived = append(derived, derivedExtent{p, text, expr})
			continue
		}
		if before := g.symbols[name]; before != nil && before.Cmp(p.have) != 0 {
			return nil, p.errorf("is %s, and must be %s, as %v is: both are %s in the exported program", p.have.RatString(), before.RatString(), g.from[name], name)
		}
		g.symbols[name], g.from[name] = p.have, p
	}
	return derived, nil
}

// agree solves an extent for a symbol that has no number yet, or compares the extent with its value.
func (g *givenExtents) agree(p derivedExtent) error {
	if name, number, ok := g.solve(p.expr, p.have); ok {
		if !number.IsInt() {
			return p.errorf("is %s, and is %s in the exported program: %s would be %s, no whole number", p.have.RatString(),
				plainExpression(p.text), name, number.RatString())
		}
		g.symbols[name], g.from[name] = number, p.extentPlace
		return nil
	}
	want, err := g.eval(p.expr)
	switch {
	case errors.Is(err, errOpen):
		return nil
	case err != nil:
		return p.errorf("is %s in the exported program: %w", plainExpression(p.text), err)
	case want.Cmp(p.have) != 0:
		return p.errorf("is %s, and must be %s: it is %s in the exported program", p.have.RatString(), want.RatString(), plainExpression(p.text))
	}
	return nil
}

// within reports an extent outside the range that the program was exported for.
func (g *givenExtents) within(r symbolRange) error {
	v, err := g.eval(r.expr)
	if err != nil {
		return nil // of a number that the program computes, which it asserts itself
	}
	p, ok := g.from[symbolName(r.expr)]
	specialized := 2 // a least extent up to this one only says that 0 and 1 are not told apart
	if ok && p.dim < 0 {
		specialized = math.MinInt // a number is checked as it stands
	}
	tooSmall := r.min != nil && *r.min > specialized && v.Cmp(big.NewRat(int64(*r.min), 1)) < 0
	if !tooSmall && (r.max == nil || v.Cmp(big.NewRat(int64(*r.max), 1)) <= 0) {
		return nil
	}
	what := r.text + " is " + v.RatString()
	if ok {
		what = fmt.Sprintf("%v is %s", p, p.have.RatString())
	}
	return &extentError{p.input, fmt.Errorf("%s, and the program was exported for %s %s", what, r.text, r.bounds(specialized))}
}

// bounds says what a range allows.
func (r *symbolRange) bounds(least int) string {
	switch low := r.min != nil && *r.min > least; {
	case low && r.max != nil:
		return fmt.Sprintf("from %d to %d", *r.min, *r.max)
	case low:
		return fmt.Sprintf("of %d and more", *r.min)
	}
	return fmt.Sprintf("of at most %d", *r.max)
}

// checkGuards evaluates the conditions of the file on the extents of inputs.
func (e *exported) checkGuards(inputs []givenInput, s *symbolic) error {
	for _, g := range e.extents.guards {
		var used []string
		var about *exportedInput
		s.path = func(p script.Expr) (*big.Rat, error) {
			in, v, err := numberAt(p, inputs)
			if err != nil {
				return nil, err
			}
			about = in
			if text := pathText(p) + " is " + v.RatString(); !slices.Contains(used, text) {
				used = append(used, text)
			}
			return v, nil
		}
		holds, err := s.holds(g.expr)
		switch {
		case errors.Is(err, errElsewhere):
			continue
		case err != nil:
			return &extentError{about, fmt.Errorf("the program was exported for inputs with %s, which cannot be checked: %w", g.text, err)}
		case !holds:
			return &extentError{about, fmt.Errorf("the program was exported for inputs with %s, and %s", g.text, strings.Join(used, ", "))}
		}
	}
	return nil
}

// errElsewhere is the error of a path that does not lead to a number or the extent of an input: to a part of the model,
// which is in the file as it was.
var errElsewhere = errors.New("it is no number and no extent of an input")

// numberAt is the number of L['x'].size()[0], or of L['n'].
func numberAt(e script.Expr, inputs []givenInput) (*exportedInput, *big.Rat, error) {
	at, ok := e.(*script.Subscript)
	if !ok {
		return nil, nil, errElsewhere
	}
	if name := pathName(e); name != "" {
		for _, in := range inputs {
			if in.name == name && in.number != nil {
				return in.exportedInput, new(big.Rat).Set(in.number), nil
			}
		}
	}
	call, ok := at.X.(*script.Call)
	d, isNumber := at.Index.(*script.Literal)
	if !ok || !isNumber {
		return nil, nil, errElsewhere
	}
	method, ok := call.Func.(*script.Attribute)
	dim, isInt := d.Value.(int64)
	if !ok || !isInt || method.Name != "size" && method.Name != "stride" {
		return nil, nil, errElsewhere
	}
	name := pathName(method.X)
	for _, in := range inputs {
		dims := in.shape
		if in.name != name || dim < 0 || int(dim) >= len(dims) {
			continue
		}
		if method.Name == "size" {
			return in.exportedInput, big.NewRat(int64(dims[dim]), 1), nil
		}
		step := int64(1)
		for _, n := range dims[dim+1:] {
			step *= int64(n)
		}
		return in.exportedInput, big.NewRat(step, 1), nil
	}
	return nil, nil, errElsewhere
}

// pathName is the name that torch.export gives an input: L['x'][0]['key'] is x_0_key.
func pathName(e script.Expr) string {
	switch e := e.(type) {
	case *script.Subscript:
		key, ok := e.Index.(*script.Literal)
		if !ok {
			return ""
		}
		name := strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' {
				return r
			}
			return '_'
		}, strings.ToLower(fmt.Sprint(key.Value)))
		if root, ok := e.X.(*script.Name); ok && root.Name == "L" {
			return name
		}
		if outer := pathName(e.X); outer != "" {
			return outer + "_" + name
		}
	}
	return ""
}

// pathText writes L['x'].size()[0] as x.size(0), and L['n'] as n.
func pathText(e script.Expr) string {
	at := e.(*script.Subscript)
	call, ok := at.X.(*script.Call)
	if !ok {
		return pathName(e)
	}
	method := call.Func.(*script.Attribute)
	return fmt.Sprintf("%s.%s(%v)", pathName(method.X), method.Name, at.Index.(*script.Literal).Value)
}

// symbolName is the name of an expression that is one symbol, else empty.
func symbolName(e script.Expr) string {
	switch e := e.(type) {
	case *script.Name:
		return e.Name
	case *script.Call:
		if name, _ := dottedName(e.Func); name == "Symbol" && len(e.Args) > 0 {
			if text, ok := e.Args[0].(*script.Literal); ok {
				symbol, _ := text.Value.(string)
				return symbol
			}
		}
	}
	return ""
}

// plainExpression writes an expression of SymPy's without the names of its constructors.
func plainExpression(text string) string {
	for _, drop := range []string{", positive=True", ", integer=True", ", nonnegative=True"} {
		text = strings.ReplaceAll(text, drop, "")
	}
	for _, f := range []string{"Symbol(", "Integer("} {
		for {
			before, rest, ok := strings.Cut(text, f)
			inside, after, closed := strings.Cut(rest, ")")
			if !ok || !closed {
				break
			}
			text = before + strings.Trim(inside, "'") + after
		}
	}
	return text
}
