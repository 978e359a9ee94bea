package tosa

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
	"github.com/go-acap/acap/mlir/dialect/linalg"
	tensordialect "github.com/go-acap/acap/mlir/dialect/tensor"
	"github.com/go-acap/acap/mlir/dialect/tosa"
	"github.com/go-acap/acap/translate/importer"
	"github.com/go-acap/acap/translate/passes"
)

func init() {
	passes.Register(passes.Pass{Name: "tosa-to-linalg", Doc: "lower the tosa dialect to linalg on tensors", Run: Lower})
}

// Has reports whether a module has operations of the tosa dialect.
func Has(module *mlir.Operation) bool {
	found := false
	module.Walk(func(op *mlir.Operation) { found = found || strings.HasPrefix(op.Name, "tosa.") })
	return found
}

// UnsupportedError is an operation that cannot be lowered.
type UnsupportedError = importer.UnsupportedError

// Lower rewrites a module in place. The first operation that has no form in acap is an error with its place.
func Lower(module *mlir.Operation) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *UnsupportedError:
			err = p
		default:
			panic(p)
		}
	}()
	err = mlir.Rewrite(module, func(r *mlir.Rewriter, op *mlir.Operation) error {
		name, ours := strings.CutPrefix(op.Name, "tosa.")
		if !ours || name == "const_shape" { // which others read
			return nil
		}
		l := &lowering{Builder: &r.Builder, r: r, op: op}
		if control := controls[name]; control != nil {
			control(l)
			return nil
		}
		rule := rules[name]
		if tosa.IsVersion1(op) {
			rule = version1[name]
		}
		if rule == nil {
			l.fail("is not supported")
		}
		if op.Attrs.Get("quantization_info") != nil {
			l.fail("quantization is not supported")
		}
		for _, v := range append(slices.Clone(op.Operands), op.Results...) {
			if _, shape := v.Type.(mlir.OpaqueType); !shape {
				l.shape(v)
			}
		}
		if len(op.Results) != 1 {
			l.fail("has %d results", len(op.Results))
		}
		v := rule(l)
		if !mlir.SameType(v.Type, op.Result().Type) {
			l.fail("gives %s, not %s", v.Type, op.Result().Type)
		}
		r.Replace(v)
		return nil
	})
	if err != nil {
		return err
	}
	return mlir.Rewrite(module, func(r *mlir.Rewriter, op *mlir.Operation) error {
		if op.Name == "tosa.const_shape" {
			r.Erase()
		}
		return nil
	})
}

// lowering is an operation that is being lowered.
type lowering struct {
	*mlir.Builder
	r  *mlir.Rewriter
	op *mlir.Operation
}

// rules are the operations with one result, by name.
var rules = map[string]func(l *lowering) *mlir.Value{}

func (l *lowering) fail(format string, args ...any) {
	panic(importer.Unsupported(l.op, format, args...))
}

// in is an operand.
func (l *lowering) in(i int) *mlir.Value {
	if i >= len(l.op.Operands) {
		l.fail("has only %d operands", len(l.op.Operands))
	}
	return l.op.Operands[i]
}

func (l *lowering) result() mlir.TensorType { return l.op.Result().Type.(mlir.TensorType) }

// shape is the shape of a tensor, which has to be static.
func (l *lowering) shape(v *mlir.Value) []int {
	t, ok := v.Type.(mlir.TensorType)
	if !ok {
		l.fail("works on tensors, not on %s", v.Type)
	}
	if _, static := mlir.NumElements(t.Shape); !static {
		l.fail("needs static shapes, not %s", t)
	}
	return t.Shape
}

func elem(v *mlir.Value) mlir.Type { return v.Type.(mlir.TensorType).Elem }

func isFloat(t mlir.Type) bool {
	_, ok := t.(mlir.FloatType)
	return ok
}

// ints is an attribute that lists integers.
func (l *lowering) ints(name string, n int) []int {
	list, ok := mlir.IntList(l.op.Attrs.Get(name))
	if !ok || n >= 0 && len(list) != n {
		l.fail("needs %d integers in %s", n, name)
	}
	return list
}

func (l *lowering) int(name string) int {
	a, ok := l.op.Attrs.Get(name).(mlir.IntegerAttr)
	if !ok {
		l.fail("needs an integer %s", name)
	}
	return int(a.Value)
}

// axis is an attribute that names a dimension of a shape.
func (l *lowering) axis(shape []int) int {
	n := l.int("axis")
	if n < 0 || n >= len(shape) {
		l.fail("there is no axis %d among %d", n, len(shape))
	}
	return n
}

// constants are the elements of an operand that is a constant.
func (l *lowering) constants(i int) []int {
	v := l.in(i)
	if v.Def != nil {
		for _, name := range []string{"value", "values"} {
			if d, ok := v.Def.Attrs.Get(name).(mlir.DenseAttr); ok && d.Len() <= 1<<16 {
				if list, ok := d.Int(); ok {
					return list
				}
			}
		}
	}
	l.fail("operand %d has to be a constant", i)
	return nil
}

// number is a scalar constant of an element type.
func number(b *mlir.Builder, t mlir.Type, x float64) *mlir.Value {
	if isFloat(t) {
		return arith.Constant(b, mlir.RoundedFloat(x, t))
	}
	return arith.Constant(b, mlir.IntegerAttr{Value: int64(x), Type: t})
}

func integer(b *mlir.Builder, t mlir.Type, n int) *mlir.Value {
	return arith.Constant(b, mlir.IntegerAttr{Value: int64(n), Type: t})
}

func (l *lowering) empty(shape []int, t mlir.Type) *mlir.Value {
	return tensordialect.Empty(l.Builder, mlir.TensorType{Shape: shape, Elem: t})
}

func (l *lowering) filled(shape []int, x *mlir.Value) *mlir.Value {
	return linalg.Fill(l.Builder, x, l.empty(shape, x.Type))
}

func (l *lowering) zeros(shape []int, t mlir.Type) *mlir.Value {
	return l.filled(shape, number(l.Builder, t, 0))
}

func parallel(n int) []string { return slices.Repeat([]string{linalg.Parallel}, n) }

// scalars builds the body of a generic.
type scalars struct{ *mlir.Builder }

// index is the number of a loop.
func (s scalars) index(loop int) *mlir.Value {
	return s.Create("linalg.index", nil, []mlir.Type{mlir.Index},
		mlir.Attrs{{Name: "dim", Value: mlir.Int(loop)}}).Result()
}

// each makes a tensor; every element is computed from its index.
func (l *lowering) each(t mlir.TensorType, body func(s scalars, at []*mlir.Value) *mlir.Value) *mlir.Value {
	n := len(t.Shape)
	return linalg.Generic(l.Builder, nil, []*mlir.Value{l.empty(t.Shape, t.Elem)}, []mlir.AffineMap{mlir.Identity(n)},
		parallel(n), func(b *mlir.Builder, _ []*mlir.Value) []*mlir.Value {
			s := scalars{b}
			at := make([]*mlir.Value, n)
			for i := range at {
				at[i] = s.index(i)
			}
			return []*mlir.Value{body(s, at)}
		})[0]
}

// elementwise computes each element from the elements of operands at the same index; an extent of 1 is broadcast.
func (l *lowering) elementwise(t mlir.TensorType, in []*mlir.Value, body func(b *mlir.Builder, x []*mlir.Value) *mlir.Value) *mlir.Value {
	n := len(t.Shape)
	var maps []mlir.AffineMap
	for _, v := range in {
		shape := l.shape(v)
		skip := n - len(shape)
		if skip < 0 {
			l.fail("an operand has more dimensions than the result")
		}
		dims := make([]int, len(shape))
		for k, extent := range shape {
			dims[k] = skip + k
			switch {
			case extent == t.Shape[skip+k]:
			case extent == 1:
				dims[k] = -1
			default:
				l.fail("shapes %v and %v do not fit", shape, t.Shape)
			}
		}
		maps = append(maps, mlir.Projection(n, dims...))
	}
	return linalg.Generic(l.Builder, in, []*mlir.Value{l.empty(t.Shape, t.Elem)}, append(maps, mlir.Identity(n)),
		parallel(n), func(b *mlir.Builder, x []*mlir.Value) []*mlir.Value { return []*mlir.Value{body(b, x[:len(in)])} })[0]
}

// reduce folds one dimension, which goes.
func (l *lowering) reduce(v *mlir.Value, axis int, inits []*mlir.Value, body func(s scalars, x []*mlir.Value) []*mlir.Value) []*mlir.Value {
	n := len(l.shape(v))
	kinds := parallel(n)
	kinds[axis] = linalg.Reduction
	var rest []int
	for k := range n {
		if k != axis {
			rest = append(rest, k)
		}
	}
	maps := []mlir.AffineMap{mlir.Identity(n)}
	for range inits {
		maps = append(maps, mlir.Projection(n, rest...))
	}
	return linalg.Generic(l.Builder, []*mlir.Value{v}, inits, maps, kinds,
		func(b *mlir.Builder, x []*mlir.Value) []*mlir.Value { return body(scalars{b}, x) })
}

// reshape gives the elements another shape: through one dimension.
func (l *lowering) reshape(v *mlir.Value, to []int) *mlir.Value {
	have := l.shape(v)
	if slices.Equal(have, to) {
		return v
	}
	n, _ := mlir.NumElements(have)
	if m, ok := mlir.NumElements(to); !ok || m != n {
		l.fail("%d elements have no shape %v", n, to)
	}
	switch len(have) {
	case 0:
		v = l.expanded(v, [][]int{}, []int{})
		return l.expanded(v, [][]int{}, to)
	case 1:
	default:
		v = tensordialect.CollapseShape(l.Builder, v, [][]int{shape.UpTo(len(have))})
	}
	if len(to) == 0 {
		return tensordialect.CollapseShape(l.Builder, v, [][]int{})
	}
	return l.expanded(v, [][]int{shape.UpTo(len(to))}, to)
}

func (l *lowering) expanded(v *mlir.Value, groups [][]int, shape []int) *mlir.Value {
	if slices.Equal(l.shape(v), shape) {
		return v
	}
	list := mlir.ArrayAttr{}
	for _, g := range groups {
		entry := mlir.ArrayAttr{}
		for _, d := range g {
			entry = append(entry, mlir.Int(d))
		}
		list = append(list, entry)
	}
	return l.Create("tensor.expand_shape", []*mlir.Value{v}, []mlir.Type{mlir.TensorType{Shape: shape, Elem: elem(v)}},
		mlir.Attrs{{Name: "reassociation", Value: list}, {Name: "static_output_shape", Value: mlir.Ints(shape)}}).Result()
}
