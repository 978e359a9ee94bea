package stablehlo

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/importer"
)

// Check is what a test module demands of two results: custom_call @check.expect_eq and its like,
// as StableHLO's interpreter defines them.
type Check struct {
	Kind    string // "expect_eq", "expect_almost_eq" or "expect_close"
	Actual  int    // the result of the function that has the computed tensor
	Want    int    // the result that has the expected one
	MinUlps uint64 // of expect_close: the least and the most distance in units in the last place
	MaxUlps uint64
	Within  float64 // of expect_almost_eq: the most difference
}

// Checked lists the functions of a module that check something. In a module without checks these are the functions
// without arguments that no other function names: the check is that they run.
func Checked(module *mlir.Operation) []string {
	var names, plain []string
	named := module.Symbols()
	for _, f := range module.Funcs() {
		if f.Body() == nil {
			continue
		}
		name := f.Symbol()
		checks := false
		for _, op := range f.Body().Ops {
			_, found := kindOf(op)
			checks = checks || found
		}
		switch {
		case checks:
			names = append(names, name)
		case len(f.Body().Args) == 0 && !named[string(name)]:
			plain = append(plain, name)
		}
	}
	if names == nil {
		return plain
	}
	return names
}

// Checks makes a function the only one that a module shows, and replaces its checks by results:
// for each one two, the computed and the expected tensor. The module must not be lowered yet. A function that there is
// not is an error, and so is a check of another form.
func Checks(module *mlir.Operation, function string) ([]Check, error) {
	f := module.Func(function)
	if f == nil || f.Body() == nil {
		return nil, fmt.Errorf("the module has no function @%s", function)
	}
	for _, g := range module.Funcs() {
		g.Attrs = g.Attrs.Without("sym_visibility")
		if g != f {
			g.Attrs = append(g.Attrs, mlir.Named{Name: "sym_visibility", Value: mlir.StringAttr("private")})
		}
	}
	c := checker{body: f.Body()}
	ops := c.body.Ops
	c.body.Ops = nil
	held := map[*mlir.Value]*mlir.Value{} // what stands for the results of checks: that they hold
	for _, op := range ops {
		op.Walk(func(inner *mlir.Operation) { inner.ReplaceUses(held) })
		kind, found := kindOf(op)
		switch {
		case op == ops[len(ops)-1]:
			op.Operands = append(c.values, op.Operands...)
			c.body.Append(op)
			f.Attrs = f.Attrs.With("function_type", mlir.TypeAttr{Type: mlir.FunctionType{
				Inputs: mlir.TypesOf(c.body.Args), Results: mlir.TypesOf(op.Operands)}}).Without("res_attrs")
		case !found:
			c.body.Append(op)
		default:
			if err := c.check(kind, op); err != nil {
				return nil, err
			}
			for _, r := range op.Results {
				if !mlir.SameType(r.Type, mlir.TensorType{Elem: mlir.I1}) {
					return nil, op.Errorf("gives %s, not a truth", r.Type)
				}
				yes := mlir.DenseInts(r.Type, []int64{1})
				held[r] = mlir.At(c.body).Create("stablehlo.constant", nil, []mlir.Type{r.Type},
					mlir.Attrs{{Name: "value", Value: yes}}).Result()
			}
		}
	}
	return c.checks, nil
}

// checker collects the checks of a function.
type checker struct {
	body   *mlir.Block
	checks []Check
	values []*mlir.Value // that the checks compare, in pairs
}

// check notes what an operation checks: of complex tensors both parts.
func (c *checker) check(kind string, op *mlir.Operation) error {
	check := Check{Kind: kind, MaxUlps: 3, Within: 0.001}
	for _, n := range []string{"min_ulp_difference", "max_ulp_difference"} {
		if a, ok := op.Attrs.Get(n).(mlir.IntegerAttr); ok {
			if n == "min_ulp_difference" {
				check.MinUlps = uint64(a.Value)
			} else {
				check.MaxUlps = uint64(a.Value)
			}
		}
	}
	if a, ok := op.Attrs.Get("tolerance").(mlir.FloatAttr); ok {
		check.Within = a.Value
	}
	if op.Attrs.Get("call_target_name") == mlir.StringAttr("check.eq") {
		check.Within = 1e-4
	}
	got, want, err := c.compared(kind, op)
	if err != nil {
		return err
	}
	b := mlir.At(c.body)
	b.Loc = op.Loc
	pairs := [][2]*mlir.Value{{got, want}}
	t, _ := got.Type.(mlir.TensorType)
	if elem, ok := t.Elem.(mlir.ComplexType); ok {
		pairs = nil
		part := []mlir.Type{mlir.TensorType{Shape: t.Shape, Elem: elem.Elem}}
		for _, name := range []string{"stablehlo.real", "stablehlo.imag"} {
			pairs = append(pairs, [2]*mlir.Value{b.Create(name, []*mlir.Value{got}, part, nil).Result(),
				b.Create(name, []*mlir.Value{want}, part, nil).Result()})
		}
	}
	for _, pair := range pairs {
		check.Actual, check.Want = len(c.values), len(c.values)+1
		c.checks = append(c.checks, check)
		c.values = append(c.values, pair[:]...)
	}
	return nil
}

// compared returns what a check compares.
func (c *checker) compared(kind string, op *mlir.Operation) (got, want *mlir.Value, err error) {
	if kind == "expect_serialized_eq" {
		id, _ := op.Attrs.Get("probe_id").(mlir.StringAttr)
		iter, _ := op.Attrs.Get("iter").(mlir.IntegerAttr)
		for _, probe := range c.body.Ops {
			if a, _ := probe.Attrs.Get("probe_id").(mlir.StringAttr); probe.Name == "interpreter.probe" && a == id {
				if iter.Value == 0 {
					return probe.Result(), op.Operands[0], nil
				}
				iter.Value--
			}
		}
		return nil, nil, importer.Unsupported(op, "no probe %q outside of regions is as far", string(id))
	}
	if want, err = expected(op); err != nil {
		return nil, nil, err
	}
	if want.Def != nil && want.Def.Block == nil {
		c.body.Append(want.Def)
	}
	return op.Operands[0], want, nil
}

// kindOf names a check in its two spellings: a custom call, and an operation of the dialect check.
func kindOf(op *mlir.Operation) (string, bool) {
	name := op.Name
	if name == "stablehlo.custom_call" {
		target, _ := op.Attrs.Get("call_target_name").(mlir.StringAttr)
		name = string(target)
	}
	switch name {
	case "check.expect_eq", "check.expect_eq_const":
		return "expect_eq", true
	case "check.expect_almost_eq", "check.expect_almost_eq_const", "check.eq":
		return "expect_almost_eq", true
	case "check.expect_close", "check.expect_close_const":
		return "expect_close", true
	case "check.expect_serialized_eq":
		return "expect_serialized_eq", true
	}
	return "", false
}

// expected returns the tensor that a check compares with: an operand or a constant.
func expected(op *mlir.Operation) (*mlir.Value, error) {
	if len(op.Operands) == 2 {
		return op.Operands[1], nil
	}
	value := op.Attrs.Get("value")
	t := mlir.TypeOf(value)
	if len(op.Operands) != 1 || t == nil {
		return nil, op.Errorf("needs two tensors")
	}
	constant := mlir.NewOp("stablehlo.constant", nil, []mlir.Type{t}, mlir.Attrs{{Name: "value", Value: value}})
	constant.Loc = op.Loc
	return constant.Result(), nil
}

// Compare returns an error that names the first element of the results at which a check fails.
func (c Check) Compare(results []*buf.Buffer) error {
	got, want := results[c.Actual], results[c.Want]
	if got.DType != want.DType || got.Len() != want.Len() {
		return fmt.Errorf("%s: %v%v, want %v%v", c.Kind, got.DType, got.Shape, want.DType, want.Shape)
	}
	for i := range got.Len() {
		if !c.agrees(got, want, i) {
			return fmt.Errorf("%s: element %d is %v, want %v", c.Kind, i, element(got, i), element(want, i))
		}
	}
	return nil
}

func element(b *buf.Buffer, i int) any {
	if b.DType.IsFloat() {
		return b.Float64(i)
	}
	return b.Int64(i)
}

func (c Check) agrees(got, want *buf.Buffer, i int) bool {
	if !got.DType.IsFloat() {
		return got.Int64(i) == want.Int64(i)
	}
	x, y := got.Float64(i), want.Float64(i)
	if x == y || math.IsNaN(x) && math.IsNaN(y) {
		return c.Kind != "expect_close" || c.MinUlps == 0
	}
	switch c.Kind {
	case "expect_almost_eq":
		return math.Abs(x-y) <= c.Within
	case "expect_close":
		distance := ulps(got, want, i)
		return distance >= c.MinUlps && distance <= c.MaxUlps
	}
	return false
}

// ulps is the distance of two elements in units in the last place. A number that is not finite is at the largest
// distance from all others.
func ulps(got, want *buf.Buffer, i int) uint64 {
	for _, b := range []*buf.Buffer{got, want} {
		if x := b.Float64(i); math.IsNaN(x) || math.IsInf(x, 0) {
			return math.MaxUint64
		}
	}
	x, y := bitsOf(got, i), bitsOf(want, i)
	return uint64(max(x, y)) - uint64(min(x, y))
}

// bitsOf is an element's place among the numbers of its type, in order; both zeros are 0.
func bitsOf(b *buf.Buffer, i int) int64 {
	var n int64
	width := b.DType.Bits()
	switch b.DType {
	case dtype.F64:
		n = int64(math.Float64bits(b.Float64(i)))
	case dtype.F32:
		n = int64(int32(math.Float32bits(float32(b.Float64(i)))))
	default:
		raw := b.Bytes()[2*i:]
		n = int64(int16(uint16(raw[0]) | uint16(raw[1])<<8))
	}
	if n < 0 {
		n = -(n & (1<<(width-1) - 1))
	}
	return n
}
