package ops

import "github.com/go-acap/acap/base/shape"

// Memory is how the elements of a tensor lie in memory: neighbours along a dimension are Strides elements apart, and
// the first element lies at Offset.
type Memory struct {
	Strides []int
	Offset  int
}

// The numbers of memory formats, as PyTorch has them. Numbers above are of the formats that have channels last.
const (
	ContiguousFormat = 0 // in order
	PreserveFormat   = 1 // as the operands
)

// InOrder returns the memory of a tensor of its own, whose elements lie in order.
func InOrder(dims []int) Memory { return Memory{Strides: shape.Strides(dims)} }

// IsInOrder reports whether the elements of a tensor with these extents lie in order from the start.
func (m Memory) IsInOrder(dims []int) bool { return m.Offset == 0 && inOrder(dims, m.Strides) }

// SameAs reports whether the elements of tensors with these extents lie alike.
func (m Memory) SameAs(n Memory, dims []int) bool {
	for d, extent := range dims {
		if extent > 1 && m.Strides[d] != n.Strides[d] {
			return false
		}
	}
	return m.Offset == n.Offset
}

// Memory returns how the elements of r lie in the memory of its root, which lie as root says. It reports false where a
// view between them has elements of another size, or lies at a place that is not known.
func (r *Ref) Memory(root Memory) (Memory, bool) {
	if !r.IsView() {
		return root, true
	}
	m, ok := r.Base().Memory(root)
	c := r.call
	if !ok || c.Op.Strides == nil {
		return m, false
	}
	for i := range c.Args {
		if c.Args[i].Open() != nil {
			return m, false
		}
	}
	out := Memory{c.Op.Strides(c, m.Strides, r.result), m.Offset}
	if c.Op.Offset != nil {
		out.Offset += c.Op.Offset(c, m.Strides, r.result)
	}
	return out, true
}

// ofMemory gives as_strided, its copy and as_strided_scatter their meaning on a view: they take sizes and strides in
// the memory of the root, from where the view begins if they name no place. It returns the arguments for the root, as
// if the root's elements lay in order.
func ofMemory(b Builder, op *Op, args []Arg) ([]Arg, error) {
	r, ok := args[0].Tensor().(*Ref)
	place := len(op.Parsed().Params) - 1
	if ok && r.Root().Alias != nil && r.Root().own != nil {
		return nil, (&Call{Op: op}).ArgErrorf("self has memory with strides of %s, as the operands that it was computed of: call contiguous() first",
			shape.String(r.Root().own))
	}
	if !ok || !r.IsView() {
		return args, nil
	}
	if conjugated, negated := r.MathBits(); conjugated || negated {
		return nil, (&Call{Op: op}).ArgErrorf("self shows its memory conjugated or negated: call clone() first")
	}
	root := r.Root()
	m, known := r.Memory(InOrder(root.Type().Shape))
	if !known {
		return nil, (&Call{Op: op}).ArgErrorf("self is a view of memory in which its elements do not lie in a known order: clone it first")
	}
	out := append([]Arg(nil), args...)
	for len(out) <= place {
		out = append(out, Arg{})
	}
	out[0].SetTensor(root)
	if out[place].IsNone() {
		out[place] = IntArg(m.Offset)
	}
	if needsGrad(r.Value(b)) && !untracked(b) {
		return out, r.reaches(op, m, out[place-2:])
	}
	return out, nil
}

// mostReached bounds the elements that [Ref.reaches] looks at.
const mostReached = 1 << 28

// reaches refuses as_strided of a view that has gradients where the call reaches elements of memory that the view has
// not: PyTorch drops their gradients. at has size, stride and storage_offset; Infer refuses invalid values.
func (r *Ref) reaches(op *Op, view Memory, at []Arg) error {
	dims, size, memory := r.Type().Shape, at[0].Ints(), shape.Size(r.Root().Type().Shape)
	if shape.Check(size) != nil || len(size) != len(at[1].Ints()) {
		return nil
	}
	refused := func(what string, arguments ...any) error {
		return (&Call{Op: op}).ArgErrorf(what+": call it for the whole tensor, or for self.detach()", arguments...)
	}
	if max(shape.Size(size), memory) > mostReached {
		return refused("self is a view with gradients, and too large to see whether gradients flow from all of the result")
	}
	has, missing := make([]bool, memory), -1
	view.each(dims, func(place int) { has[place] = true })
	Memory{Strides: at[1].Ints(), Offset: at[2].Int()}.each(size, func(place int) {
		if place >= 0 && place < memory && !has[place] {
			missing = place
		}
	})
	if missing >= 0 {
		return refused("it reaches element %d of the memory, which self, a view of %s, has not, and no gradient flows there through self", missing, shape.String(dims))
	}
	return nil
}

// each calls f for the place of every element of a tensor with these extents.
func (m Memory) each(dims []int, f func(place int)) {
	if len(dims) == 0 || len(m.Strides) != len(dims) {
		f(m.Offset)
		return
	}
	for i := range dims[0] {
		Memory{m.Strides[1:], m.Offset + i*m.Strides[0]}.each(dims[1:], f)
	}
}

// scatterMemory is as_strided_scatter on a view: the memory of its root with src written, seen as the view sees it.
func (r *Ref) scatterMemory(b Builder, op *Op, args []Arg) (Value, error) {
	for d, stride := range r.strides() {
		if stride == 0 && r.Type().Shape[d] > 1 {
			return nil, repeatedError(op, d, r.Type().Shape)
		}
	}
	args, err := ofMemory(b, op, args)
	if err != nil {
		return nil, err
	}
	c := &Call{Op: op, Args: resolveRefs(b, args)}
	if err := c.initRecorded(); err != nil {
		return nil, err
	}
	return r.again(b, b.Emit(c)[0]), nil
}

// again repeats the views from the root to r on another value of the root.
func (r *Ref) again(b Builder, root Value) Value {
	if !r.IsView() {
		return root
	}
	return r.replay(b, r.Base().again(b, root))
}

// applyMemory is [Apply] of an operator that reads memory.
func applyMemory(b Builder, op *Op, args []Arg, fresh func() *Ref) ([]*Ref, error) {
	r, ok := args[0].Tensor().(*Ref)
	switch {
	case !ok || r.Alias == nil:
		return applyArgs(b, op, args, fresh)
	case op.IsInplace() && r.IsView():
		return nil, (&Call{Op: op}).ArgErrorf("self is a view and shares the memory of another tensor: call as_strided")
	case op.View == nil && args[1].Kind == KindTensor:
		v, err := r.scatterMemory(b, op, args)
		if err != nil {
			return nil, err
		}
		out := fresh()
		out.value = v
		return []*Ref{out}, nil
	}
	of, err := ofMemory(b, op, args)
	if err != nil {
		return nil, err
	}
	if r.detached() {
		memory, err := applyArgs(b, MustLookup("detach"), of[:1:1], func() *Ref { return &Ref{} })
		if err != nil {
			return nil, err
		}
		of[0] = TensorArg(memory[0])
	}
	return applyArgs(b, op, of, fresh)
}

// detached reports whether a detach lies between the root and r: gradients do not flow through r to the root.
func (r *Ref) detached() bool {
	for v := r; v.IsView(); v = v.Base() {
		if v.call.Op.Name() == "detach" {
			return true
		}
	}
	return false
}
