package ops

import "github.com/go-acap/acap/base/shape"

// Memory is how the elements of a tensor lie in memory: neighbours along a dimension are Strides elements apart, and
// the first element lies at Offset.
type Memory struct {
	Strides []int
	Offset  int
}

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

// ofMemory gives as_strided, its copy and as_strided_scatter their meaning on a view: they take sizes and strides in the
// memory of the root, from where the view begins if they name no place. It returns the arguments for the root, as if the
// root's elements lay in order.
func ofMemory(op *Op, args []Arg) ([]Arg, error) {
	r, ok := args[0].Tensor().(*Ref)
	place := len(op.schema.Params) - 1
	if !ok || !r.IsView() {
		return args, nil
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
	return out, nil
}

// scatterMemory is as_strided_scatter on a view: the memory of its root with src written, seen as the view sees it.
func (r *Ref) scatterMemory(b Builder, op *Op, args []Arg) (Value, error) {
	for d, stride := range r.strides() {
		if stride == 0 && r.Type().Shape[d] > 1 {
			return nil, repeatedError(op, d, r.Type().Shape)
		}
	}
	args, err := ofMemory(op, args)
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
	case !ok || !r.IsView():
		return applyArgs(b, op, args, fresh)
	case op.IsInplace():
		return nil, (&Call{Op: op}).ArgErrorf("self is a view, whose memory is that of another tensor: call as_strided")
	case op.View == nil && args[1].Kind == KindTensor:
		v, err := r.scatterMemory(b, op, args)
		if err != nil {
			return nil, err
		}
		out := fresh()
		out.value = v
		return []*Ref{out}, nil
	}
	args, err := ofMemory(op, args)
	if err != nil {
		return nil, err
	}
	return applyArgs(b, op, args, fresh)
}
