package ops

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// resize gives a tensor another size over the same memory: the first elements in
// row-major order stay, new ones are zero here. resize_ is its in-place form: a
// smaller tensor stays an alias of what it was.
func init() {
	for _, o := range []struct {
		schema string
		size   func(c *Call) []int
		sample Sample
	}{
		{"resize(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor",
			func(c *Call) []int { return c.Ints(1) }, Sample{S(2, 3), []int{2, 2}}},
		{"resize_as(Tensor self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor",
			func(c *Call) []int { return c.Shape(1) }, Sample{S(2), S(2, 3)}},
	} {
		register(&Op{
			Schema:  o.schema,
			Inplace: true,
			Resizes: true,
			Infer: func(c *Call) error {
				if err := shape.Check(o.size(c)); err != nil {
					return err
				}
				return c.Result(c.DTypeOf(0), o.size(c))
			},
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				have, want := shape.Size(c.Shape(0)), shape.Size(c.Out[0].Shape)
				t := l.Reshape(l.In(c, 0), []int{have})
				t = l.Pad(t, []int{0}, []int{want - have}, 0)
				return one(l.Reshape(t, c.Out[0].Shape))
			},
			Strides: func(c *Call, _ []int, _ int) []int { return shape.Strides(c.Out[0].Shape) },
			View: func(e Emit, _ *Call, base, view Value, _ int) Value {
				have, want := base.Type().Shape, view.Type().Shape
				n, k := shape.Size(have), shape.Size(want)
				flat := e.Reshape(view, []int{k})
				if k >= n {
					return e.Reshape(e.Call("slice.Tensor", flat, 0, 0, n), have)
				}
				whole := e.Call("slice_scatter", e.Reshape(base, []int{n}), flat, 0, 0, k)
				return e.Reshape(whole, have)
			},
			Samples: samplesOf(o.sample),
		})
	}
}

// resize lays a shape over the memory of the root of a view, from the first element of the view on, whichever elements
// of the root the view has.
func (r *Ref) resize(b Builder, op *Op, dims []int) error {
	past := append(r.history(), &Ref{value: r.value, version: r.version, Alias: &Alias{base: r.base, epoch: r.epoch,
		call: r.call, result: r.result}})
	root := r.Root()
	m, known := r.Memory(root.inMemory())
	if have := shape.Size(root.Type().Shape); !known || m.Offset+shape.Size(dims) > have {
		return (&Call{Op: op}).ShapeErrorf("%s reaches beyond the memory that self is a view of: clone it first",
			shape.String(dims))
	}
	c, err := MustLookup("as_strided").NewCall(TensorArg(root.Value(b)), IntsArg(slices.Clone(dims)),
		IntsArg(shape.Strides(dims)), IntArg(m.Offset))
	if err != nil {
		return err
	}
	r.value = b.Emit(c)[0]
	r.Alias = &Alias{base: root, epoch: len(root.history()), call: c, past: past}
	r.version = root.version
	return nil
}
