package ops

// sharing are the operators whose results are views of their operands, though their schemas do not say so.
var sharing = setOf("atleast_1d", "atleast_1d.Sequence", "atleast_2d", "atleast_2d.Sequence", "atleast_3d", "atleast_3d.Sequence",
	"broadcast_tensors", "meshgrid", "meshgrid.indexing")

// Shares reports whether every result is a view of an operand, as those of broadcast_tensors are: writes to the one are
// writes to the other.
func (op *Op) Shares() bool { return sharing[op.Name()] }

// sharer emits views of values that refs have as views of the refs.
type sharer struct {
	Builder
	refs map[Value]*Ref
}

// Emit adds a call, and the refs of its results.
func (s sharer) Emit(c *Call) []Value {
	if c.Op.Shares() {
		return c.Op.Expand(Emit{s}, c)
	}
	base := s.refs[c.Tensor(0)]
	if base == nil || !c.Op.IsView() {
		return s.Builder.Emit(c)
	}
	out := s.Builder.Emit(c)
	for i, v := range out {
		s.refs[v] = &Ref{value: v}
		s.refs[v].SetView(s.Builder, &Alias{}, base, c, i)
	}
	return out
}

// applyShared is [Apply] of an operator that [Op.Shares].
func applyShared(b Builder, op *Op, args []Arg, fresh func() *Ref) ([]*Ref, error) {
	c := &Call{Op: op, Args: resolveRefs(b, args)}
	if err := c.initRecorded(); err != nil {
		return nil, err
	}
	s := sharer{b, map[Value]*Ref{}}
	operands := args[0].Tensors()
	if args[0].Kind == KindTensor {
		operands = []Value{args[0].Tensor()}
	}
	for _, v := range operands {
		if r, ok := v.(*Ref); ok {
			s.refs[r.Value(b)] = r
		}
	}
	var refs []*Ref
	for _, v := range op.Expand(Emit{s}, c) {
		r := s.refs[v]
		if r == nil { // of a plain value
			r = &Ref{value: v}
		}
		same, err := applyArgs(b, MustLookup("alias"), []Arg{TensorArg(r)}, fresh)
		if err != nil {
			return nil, err
		}
		refs = append(refs, same[0])
	}
	return refs, nil
}
