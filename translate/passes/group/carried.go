package group

import (
	"slices"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// carry finds the operations of a block that are cloned into each group that reads them, as constants are. These are
// the results of constants alone, where marked arguments count as constants, and rearranged arguments of the block,
// such as a transposed weight. As ordinary operations they would all be computed by the first group, and later groups
// would not know that they are constant.
//
// All readers of a carried operation may be part of a group. Results of constants may be read in the body of a loop,
// for which they are computed once. A rearranged argument is read in the block alone, because each turn of a loop would
// rearrange it again. A block that writes to its arguments carries nothing, because its operations have an order.
func (p *partitioner) carry(b *mlir.Block) {
	var found []*mlir.Operation
	constant, rearranged := map[*mlir.Operation]bool{}, map[*mlir.Operation]bool{}
	same := func(v *mlir.Value) bool { return isConstant(v) || constant[v.Def] || p.marked[v] }
	for _, op := range b.Ops {
		if o := ops.Lookup(op.Name); o != nil && o.IsInplace() {
			return
		}
		if isConstantOp(op) || !p.carries(op) {
			continue
		}
		constant[op] = !slices.ContainsFunc(op.Operands, func(v *mlir.Value) bool { return !same(v) })
		if rearranges(op) {
			v := op.Operands[0]
			rearranged[op] = v.Def == nil && slices.Contains(b.Args, v) || rearranged[v.Def]
		}
		if constant[op] || rearranged[op] {
			found = append(found, op)
		}
	}
	for _, op := range slices.Backward(found) {
		p.carried[op] = p.onlyGroupsRead(op, constant[op])
	}
	for _, op := range found {
		for _, v := range op.Operands {
			p.carried[op] = p.carried[op] && (v.Def == nil || isConstant(v) || p.carried[v.Def])
		}
	}
}

// carries reports whether an operation can be computed more than once, in a group.
func (p *partitioner) carries(op *mlir.Operation) bool {
	o := ops.Lookup(op.Name)
	if o == nil || o.Draws || o.Begins || len(op.Regions) > 0 || len(op.Results) == 0 || !op.IsPure() {
		return false
	}
	tensors := !slices.ContainsFunc(op.Results, func(v *mlir.Value) bool { return !mlir.IsStaticTensor(v.Type) })
	return tensors && p.how.Supports(op) == nil
}

// onlyGroupsRead reports whether all that reads the results of an operation can be in a group or is carried, and
// whether all of it is in the operation's block, unless bodies of loops may read it, too.
func (p *partitioner) onlyGroupsRead(op *mlir.Operation, inLoops bool) bool {
	read := false
	for _, v := range op.Results {
		for _, u := range p.users[v] {
			if u.Block != op.Block && !inLoops || u.Def().Has(mlir.Terminator) || !p.carried[u] && !p.offered(u) {
				return false
			}
			read = true
		}
	}
	return read
}

// offered reports whether an operation can be part of a group.
func (p *partitioner) offered(op *mlir.Operation) bool {
	return op.IsPure() && p.how.Supports(op) == nil
}

// rearranges reports whether an operation is a view of all elements of its operand.
func rearranges(op *mlir.Operation) bool {
	o := ops.Lookup(op.Name)
	if o == nil || !o.IsView() || len(op.Operands) != 1 || len(op.Results) != 1 {
		return false
	}
	from, ok := op.Operands[0].Type.(mlir.TensorType)
	if !ok {
		return false
	}
	a, known := mlir.NumElements(from.Shape)
	b, _ := mlir.NumElements(op.Results[0].Type.(mlir.TensorType).Shape)
	return known && a == b
}
