package mlir

import "slices"

// Clone returns a copy of op with everything in it. The operands are those that
// values maps them to, or the same; values gains the results and block arguments of
// what is copied.
func (op *Operation) Clone(values map[*Value]*Value) *Operation {
	c := NewOp(op.Name, cloneUses(op.Operands, values), TypesOf(op.Results), slices.Clone(op.Attrs))
	c.Loc = op.Loc
	for i, r := range op.Results {
		c.Results[i].Name = r.Name
		values[r] = c.Results[i]
	}
	for _, r := range op.Regions {
		r.cloneInto(c.AddRegion(), values)
	}
	for _, s := range op.Successors {
		c.Successors = append(c.Successors, Successor{s.Block, cloneUses(s.Args, values)})
	}
	return c
}

func cloneUses(uses []*Value, values map[*Value]*Value) []*Value {
	out := make([]*Value, len(uses))
	for i, v := range uses {
		out[i] = v
		if to, ok := values[v]; ok {
			out[i] = to
		}
	}
	return out
}

// cloneInto copies the blocks of r. Blocks may use values of later blocks, so uses
// are repaired when all is copied.
func (r *Region) cloneInto(to *Region, values map[*Value]*Value) {
	blocks := make(map[*Block]*Block, len(r.Blocks))
	for _, b := range r.Blocks {
		c := to.AddBlock()
		c.Label = b.Label
		blocks[b] = c
		for _, a := range b.Args {
			v := c.AddArg(a.Type)
			v.Name = a.Name
			values[a] = v
		}
	}
	for _, b := range r.Blocks {
		for _, op := range b.Ops {
			blocks[b].Append(op.Clone(values))
		}
	}
	if len(r.Blocks) < 2 {
		return
	}
	for _, c := range to.Blocks {
		for _, op := range c.Ops {
			for i, s := range op.Successors {
				if b, ok := blocks[s.Block]; ok {
					op.Successors[i].Block = b
				}
			}
			op.Walk(func(inner *Operation) { inner.ReplaceUses(values) })
		}
	}
}

// ReplaceUses changes the operands of op, and what it passes to successors, from the
// keys of values to what they map to, through chains.
func (op *Operation) ReplaceUses(values map[*Value]*Value) {
	replace(op.Operands, values)
	for _, s := range op.Successors {
		replace(s.Args, values)
	}
}

// mapUses changes the operands of op, and what it passes to successors.
func (op *Operation) mapUses(to func(*Value) *Value) {
	for i, v := range op.Operands {
		op.Operands[i] = to(v)
	}
	for _, s := range op.Successors {
		for i, v := range s.Args {
			s.Args[i] = to(v)
		}
	}
}

func replace(uses []*Value, values map[*Value]*Value) {
	for i, v := range uses {
		to, ok := values[v]
		if !ok {
			continue
		}
		for next, ok := values[to]; ok && next != to; next, ok = values[to] {
			to = next
		}
		uses[i] = to
	}
}

// IsPure reports whether op, with its regions, has no effect besides its results. An equal operation can then replace
// op, and op can be removed if it is unused.
func (op *Operation) IsPure() bool {
	pure := true
	op.Walk(func(inner *Operation) {
		if !pure {
			return
		}
		def := inner.Def()
		switch {
		case def.Has(Pure):
		case def.Has(RecursiveEffects):
			for _, v := range inner.Operands {
				switch v.Type.(type) {
				case MemRefType, UnrankedMemRefType:
					pure = false
				}
			}
		default:
			pure = false
		}
	})
	return pure
}

// ConstantValue returns the attribute of the constant that makes v, or nil.
func ConstantValue(v *Value) Attribute {
	if v.Def == nil || !v.Def.Def().Has(ConstantLike) {
		return nil
	}
	return v.Def.Attrs.Get("value")
}
