package torchscript

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/ops"
)

// openExtents are what a program of torch.export assumes of the extents that it leaves open: the bounds of symbols and of
// expressions, and conditions on the inputs. The program is wrong for inputs that do not hold them: torch.export decided
// branches by them.
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

// extentPlace is an extent of an input.
type extentPlace struct {
	input *exportedInput
	dim   int
	have  int
}

func (p extentPlace) String() string {
	return fmt.Sprintf("extent %d of input %s", p.dim, p.input.name)
}

// extentError is an input that does not hold what the program assumes.
type extentError struct {
	input *exportedInput
	err   error
}

func (e *extentError) Error() string { return e.err.Error() }

// checkExtents reports inputs for which the program was not exported.
func (e *exported) checkExtents(inputs []*exportedInput, types []ops.TensorType) error {
	s := &symbolic{symbols: map[string]*big.Rat{}}
	from := map[string]extentPlace{} // where symbols have their numbers from
	fail := func(p extentPlace, format string, args ...any) error {
		return &extentError{p.input, fmt.Errorf(p.String()+" "+format, args...)}
	}
	type open struct {
		extentPlace
		text string
		expr script.Expr
	}
	var derived []open
	for i, in := range inputs {
		for d, a := range in.meta.Sizes {
			if d >= len(types[i].Shape) || a.kind != "as_expr" {
				continue
			}
			p := extentPlace{in, d, types[i].Shape[d]}
			text, err := a.expression()
			if err != nil {
				return fail(p, "is no expression: %w", err)
			}
			expr, err := script.ParseExpression("an extent", text)
			if err != nil {
				return fail(p, "is %q: %w", text, err)
			}
			name := symbolName(expr)
			if name == "" {
				derived = append(derived, open{p, text, expr})
				continue
			}
			have := big.NewRat(int64(p.have), 1)
			if before := s.symbols[name]; before != nil && before.Cmp(have) != 0 {
				return fail(p, "is %d, and must be %s, as %v is: both are %s in the exported program", p.have, before.RatString(), from[name], name)
			}
			s.symbols[name], from[name] = have, p
		}
	}
	for _, p := range derived {
		have := big.NewRat(int64(p.have), 1)
		if name, number, ok := s.solve(p.expr, have); ok {
			if !number.IsInt() {
				return fail(p.extentPlace, "is %d, and is %s in the exported program: %s would be %s, no whole number", p.have, plainExpression(p.text), name, number.RatString())
			}
			s.symbols[name], from[name] = number, p.extentPlace
			continue
		}
		want, err := s.eval(p.expr)
		switch {
		case errors.Is(err, errOpen):
			continue
		case err != nil:
			return fail(p.extentPlace, "is %s in the exported program: %w", plainExpression(p.text), err)
		case want.Cmp(have) != 0:
			return fail(p.extentPlace, "is %d, and must be %s: it is %s in the exported program", p.have, want.RatString(), plainExpression(p.text))
		}
	}
	for _, r := range e.extents.ranges {
		v, err := s.eval(r.expr)
		if err != nil {
			continue // of a number that the program computes, which it asserts itself
		}
		const specialized = 2 // a least extent up to this one only says that 0 and 1 are not told apart
		if low := r.min; low != nil && *low > specialized && v.Cmp(big.NewRat(int64(*low), 1)) < 0 || r.max != nil && v.Cmp(big.NewRat(int64(*r.max), 1)) > 0 {
			p, ok := from[symbolName(r.expr)]
			what := r.text + " is " + v.RatString()
			if ok {
				what = fmt.Sprintf("%v is %d", p, p.have)
			}
			return &extentError{p.input, fmt.Errorf("%s, and the program was exported for %s %s", what, r.text, r.bounds(specialized))}
		}
	}
	return e.checkGuards(inputs, types, s)
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
func (e *exported) checkGuards(inputs []*exportedInput, types []ops.TensorType, s *symbolic) error {
	for _, g := range e.extents.guards {
		var used []string
		var about *exportedInput
		s.path = func(p script.Expr) (*big.Rat, error) {
			in, v, err := extentAt(p, inputs, types)
			if err != nil {
				return nil, err
			}
			about = in
			if text := fmt.Sprintf("%s is %d", pathText(p), v); !slices.Contains(used, text) {
				used = append(used, text)
			}
			return big.NewRat(int64(v), 1), nil
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

// errElsewhere is the error of a path that does not lead to the extent of an input: to a part of the model, which is in
// the file as it was.
var errElsewhere = errors.New("it is no extent of an input")

// extentAt is the number of L['x'].size()[0].
func extentAt(e script.Expr, inputs []*exportedInput, types []ops.TensorType) (*exportedInput, int, error) {
	at, ok := e.(*script.Subscript)
	if !ok {
		return nil, 0, errElsewhere
	}
	call, ok := at.X.(*script.Call)
	d, isNumber := at.Index.(*script.Literal)
	if !ok || !isNumber {
		return nil, 0, errElsewhere
	}
	method, ok := call.Func.(*script.Attribute)
	dim, isInt := d.Value.(int64)
	if !ok || !isInt || method.Name != "size" && method.Name != "stride" {
		return nil, 0, errElsewhere
	}
	name := pathName(method.X)
	for i, in := range inputs {
		dims := types[i].Shape
		if in.name != name || dim < 0 || int(dim) >= len(dims) {
			continue
		}
		if method.Name == "size" {
			return in, dims[dim], nil
		}
		step := 1
		for _, n := range dims[dim+1:] {
			step *= n
		}
		return in, step, nil
	}
	return nil, 0, errElsewhere
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

// pathText writes L['x'].size()[0] as x.size(0).
func pathText(e script.Expr) string {
	at := e.(*script.Subscript)
	method := at.X.(*script.Call).Func.(*script.Attribute)
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
