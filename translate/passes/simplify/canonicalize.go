package simplify

import "github.com/go-acap/acap/mlir"

// CanonicalizeRounds bounds how often folding and removal alternate.
const CanonicalizeRounds = 10

// Canonicalize folds operations whose results are known, replaces those for which their definition has a simpler
// form, moves constant operands of commutative operations to the right, and removes what becomes dead. The error is
// always nil.
func Canonicalize(module *mlir.Operation) error {
	return CanonicalizeWithin(module, CanonicalizeRounds)
}

// CanonicalizeWithin is [Canonicalize] with a bound of its own. The error is always nil.
func CanonicalizeWithin(module *mlir.Operation, rounds int) error {
	for range rounds {
		f := folder{values: map[*mlir.Value]*mlir.Value{}}
		f.run(module)
		if err := DCE(module); err != nil {
			return err
		}
		if !f.changed {
			return nil
		}
	}
	return nil
}

// folder rewrites blocks forward; values maps a folded value to its replacement.
type folder struct {
	values  map[*mlir.Value]*mlir.Value
	changed bool
}

func (f *folder) run(module *mlir.Operation) {
	stack := []*mlir.Operation{module}
	for len(stack) > 0 {
		op := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				f.block(b)
				stack = append(stack, b.Ops...)
			}
		}
	}
	if len(f.values) > 0 { // uses that stand before the definition in the text
		module.Walk(func(op *mlir.Operation) { op.ReplaceUses(f.values) })
	}
}

func (f *folder) block(b *mlir.Block) {
	ops := b.Ops
	b.Ops = make([]*mlir.Operation, 0, len(ops))
	for _, op := range ops {
		op.ReplaceUses(f.values)
		if !f.fold(b, op) {
			b.Ops = append(b.Ops, op)
		}
	}
}

// fold reports whether op is replaced and can go.
func (f *folder) fold(b *mlir.Block, op *mlir.Operation) bool {
	def := op.Def()
	if def == nil || def.Has(mlir.ConstantLike) {
		return false
	}
	if x := op.Operands; def.Has(mlir.Commutative) && len(x) == 2 &&
		mlir.ConstantValue(x[0]) != nil && mlir.ConstantValue(x[1]) == nil {
		op.Operands = []*mlir.Value{x[1], x[0]}
		f.changed = true
	}
	constants := make([]mlir.Attribute, len(op.Operands))
	for i, v := range op.Operands {
		constants[i] = mlir.ConstantValue(v)
	}
	if def.Fold != nil {
		if folded := def.Fold(op, constants); len(folded) == len(op.Results) && f.replace(b, op, folded) {
			return true
		}
	}
	return def.Simplify != nil && f.simplify(b, op, def)
}

// simplify replaces op by what its definition has for it.
func (f *folder) simplify(b *mlir.Block, op *mlir.Operation, def *mlir.OpDef) bool {
	values := def.Simplify(&mlir.Builder{Block: b, Loc: op.Loc}, op)
	if values == nil {
		return false
	}
	for i, v := range values {
		if f.resolve(v) == op.Results[i] {
			return false // a cycle of a graph region
		}
	}
	for i, v := range values {
		f.values[op.Results[i]] = v
	}
	f.changed = true
	return true
}

// replace puts constants before op and notes what stands for its results. It reports
// false if a constant cannot be made.
func (f *folder) replace(b *mlir.Block, op *mlir.Operation, folded []mlir.Folded) bool {
	made := make([]*mlir.Operation, len(folded))
	for i, r := range folded {
		if r.Value != nil && f.resolve(r.Value) == op.Results[i] {
			return false // a cycle of a graph region
		}
		if r.Value == nil {
			if made[i] = materialize(op, r.Attr, op.Results[i].Type); made[i] == nil {
				return false
			}
		}
	}
	for i, r := range folded {
		to := r.Value
		if made[i] != nil {
			b.Append(made[i])
			to = made[i].Result()
		}
		f.values[op.Results[i]] = to
	}
	f.changed = true
	return true
}

// resolve follows what stands for v.
func (f *folder) resolve(v *mlir.Value) *mlir.Value {
	for to, ok := f.values[v]; ok; to, ok = f.values[v] {
		v = to
	}
	return v
}

// materialize makes a constant by the dialect of op, or else by arith.
func materialize(op *mlir.Operation, a mlir.Attribute, t mlir.Type) *mlir.Operation {
	for _, name := range [...]string{op.Name, "arith.constant"} {
		if d := mlir.DialectOf(name); d != nil && d.Constant != nil {
			if c := d.Constant(a, t); c != nil {
				c.Loc = op.Loc
				return c
			}
		}
	}
	return nil
}
