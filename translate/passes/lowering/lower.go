package lowering

import (
	"maps"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/aten"
	"github.com/go-acap/acap/ops"
)

// ToLinalg rewrites every aten operation that has a lowering to linalg on
// tensors, wherever it stands: in a block that is branched to, or in a region of a loop
// or a choice. Operations that run on the host stay as they are. An operation that its operator does not take is an
// error with its place.
func ToLinalg(module *mlir.Operation) error {
	var parts []*lowering
	err := rewriteCalls(module, func() mlir.Visit {
		l := &lowering{signless: map[*mlir.Value]*mlir.Value{}, home: map[local]*mlir.Value{}}
		parts = append(parts, l)
		return l.visit
	})
	if err != nil {
		return err
	}
	all := parts[0]
	for _, l := range parts[1:] {
		maps.Copy(all.signless, l.signless)
		all.made = append(all.made, l.made...)
	}
	if err := all.join(module); err != nil {
		return err
	}
	return all.removeUnused(module)
}

// Lowers reports whether op is an aten operation that has a lowering and does not run
// on the host.
func Lowers(op *mlir.Operation) bool {
	if !aten.Is(op) {
		return false
	}
	o := ops.Lookup(op.Name)
	return o != nil && o.Lower != nil && !onHost(o, op)
}

// lowering is the state of the pass. Inside the linalg form unsigned tensors are signless, and floats of 8 bits
// integers. Every value keeps its type; a tensor.bitcast joins it with its signless form, so that whatever else uses
// the value (a function's result, a branch, a loop, a host operation) sees what the bits stand for.
type lowering struct {
	signless map[*mlir.Value]*mlir.Value // of the results of lowered operations
	home     map[local]*mlir.Value       // signless forms made where they were needed
	made     []*mlir.Operation           // what may turn out to be unused
}

// local is a value in a block that uses it.
type local struct {
	block *mlir.Block
	v     *mlir.Value
}

func (l *lowering) visit(r *mlir.Rewriter, op *mlir.Operation) error {
	if !Lowers(op) {
		return nil
	}
	call, err := ops.FromOperation(op, ops.OfIR)
	if err != nil {
		return op.Errorf("%w", err)
	}
	for _, v := range op.Operands { // before a region of the lowered form uses one
		l.operand(&r.Builder, v)
	}
	loc := op.Loc
	if loc.Operator == "" {
		loc.Operator = call.Op.Name()
	}
	builder := ops.NewLowering(r.Block, loc, func(v ops.Value) *mlir.Value {
		return l.operand(&r.Builder, ops.ToIR(v))
	})
	var lowered []*mlir.Value
	if err := ops.Try(func() { lowered = call.Op.Lower(builder, call) }); err != nil {
		return op.Errorf("%w", err)
	}
	for i, v := range lowered {
		if want := op.Results[i].Type; relabeled(want) && !mlir.SameType(v.Type, want) {
			cast := r.Create("tensor.bitcast", []*mlir.Value{v}, []mlir.Type{want}, nil)
			l.made = append(l.made, cast)
			l.signless[cast.Result()] = v
			lowered[i] = cast.Result()
		}
	}
	r.Replace(lowered...)
	return nil
}

// relabeled reports whether t is a tensor whose elements the linalg form holds as signless integers.
func relabeled(t mlir.Type) bool {
	tensor, ok := t.(mlir.TensorType)
	return ok && mlir.DTypeOf(tensor.Elem).Signless() != mlir.DTypeOf(tensor.Elem)
}

// operand returns the signless form of v.
func (l *lowering) operand(b *mlir.Builder, v *mlir.Value) *mlir.Value {
	if !relabeled(v.Type) {
		return v
	}
	if s := l.signless[v]; s != nil {
		return s
	}
	key := local{b.Block, v}
	if s := l.home[key]; s != nil {
		return s
	}
	t := v.Type.(mlir.TensorType)
	t.Elem = mlir.IntegerType{Width: mlir.BitWidth(t.Elem)}
	s := signlessConstant(b, v, t)
	if s == nil {
		s = b.Create("tensor.bitcast", []*mlir.Value{v}, []mlir.Type{t}, nil).Result()
	} else {
		l.made = append(l.made, v.Def)
	}
	l.home[key] = s
	return s
}

// signlessConstant makes the constant v anew with a signless type, if it is one.
func signlessConstant(b *mlir.Builder, v *mlir.Value, t mlir.TensorType) *mlir.Value {
	value := mlir.OfType(mlir.ConstantValue(v), t)
	if value == nil {
		return nil
	}
	c := b.Create(v.Def.Name, nil, []mlir.Type{t}, v.Def.Attrs.With("value", value))
	c.Loc = v.Def.Loc
	return c.Result()
}

// join gives to what one part of a function takes from another in its signless form the value that it was
// made of.
func (l *lowering) join(module *mlir.Operation) error {
	if len(l.signless) == 0 {
		return nil
	}
	return mlir.Rewrite(module, func(r *mlir.Rewriter, op *mlir.Operation) error {
		if op.Name != "tensor.bitcast" {
			return nil
		}
		if v := l.signless[op.Operands[0]]; v != nil && mlir.SameType(v.Type, op.Result().Type) {
			r.Replace(v)
		}
		return nil
	})
}

// removeUnused removes the reinterpretations and constants that nothing needs.
func (l *lowering) removeUnused(f *mlir.Operation) error {
	if len(l.made) == 0 {
		return nil
	}
	uses := mlir.CountUses(f)
	dead := map[*mlir.Operation]bool{}
	for _, op := range l.made {
		dead[op] = uses[op.Result()] == 0
	}
	return mlir.Rewrite(f, func(r *mlir.Rewriter, op *mlir.Operation) error {
		if dead[op] {
			r.Erase()
		}
		return nil
	})
}

// onHost reports whether a call of an operator that lowers runs on the host.
func onHost(o *ops.Op, op *mlir.Operation) bool {
	if o.OnHost == nil {
		return false
	}
	call, err := ops.FromOperation(op, ops.OfIR)
	return err == nil && o.OnHost(call)
}
