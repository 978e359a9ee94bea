package passes

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// Partition moves maximal groups of operations that the device can run out of
// every function into functions of their own ("main_group_0"), so that what
// remains are calls of groups, host operations and control flow. The blocks of
// loops and choices, and blocks that are branched to, are partitioned alike. A
// function that the device can run as a whole is left as it is.
//
// The schedule is the groups' order: an operation joins the latest group that
// its operands allow, so no path leaves a group and comes back. Constants are
// cloned into every group that uses them.
func Partition(module *mlir.Operation) error {
	names := symbolsOf(module)
	for _, f := range module.Funcs() {
		if f.Body() != nil && !Wholly(f) {
			newPartitioner(module, f, names).run()
		}
	}
	return nil
}

// Wholly reports whether the device can run a function as one group.
func Wholly(f *mlir.Operation) bool {
	if len(f.Regions[0].Blocks) != 1 || HasComplex(f) {
		return false
	}
	for _, op := range f.Body().Ops {
		if op.Name != "func.return" && !OnDevice(op) {
			return false
		}
	}
	return true
}

// HasComplex reports whether a function takes or returns complex tensors, which no group
// can hold.
func HasComplex(f *mlir.Operation) bool {
	sig, _ := f.Attrs.Get("function_type").(mlir.TypeAttr)
	t, _ := sig.Type.(mlir.FunctionType)
	for _, types := range [][]mlir.Type{t.Inputs, t.Results} {
		for _, t := range types {
			if t, ok := t.(mlir.TensorType); ok && mlir.DTypeOf(t.Elem).IsComplex() {
				return true
			}
		}
	}
	return false
}

// computing are the dialects whose operations compute tensors without control flow.
var computing = map[string]bool{"arith": true, "math": true, "tensor": true, "linalg": true, "acap": true}

// OnDevice reports whether an operation can be part of a group: an aten operation with
// a lowering, or one of linalg's world already. What stands in its regions does not
// count, but for operations that belong to the host.
func OnDevice(op *mlir.Operation) bool {
	dialect, _, _ := strings.Cut(op.Name, ".")
	if !computing[dialect] {
		return lowers(op)
	}
	on := true
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			for _, inner := range b.Ops {
				on = on && (OnDevice(inner) && !isAten(inner))
			}
		}
	}
	return on
}

// runsAlone reports whether a group could be made of op alone: what it takes and gives
// are tensors of known extents, constants aside. Loose scalars stay on the host.
func runsAlone(op *mlir.Operation) bool {
	for _, v := range op.Captured() {
		if !isConstant(v) && !isStaticTensor(v.Type) {
			return false
		}
	}
	for _, r := range op.Results {
		if !isStaticTensor(r.Type) {
			return false
		}
	}
	return true
}

func isConstant(v *mlir.Value) bool { return v.Def != nil && v.Def.Name == "arith.constant" }

func isStaticTensor(t mlir.Type) bool {
	tensor, ok := t.(mlir.TensorType)
	if !ok {
		return false
	}
	_, static := mlir.NumElements(tensor.Shape)
	return static
}

// groupID names a group: the block that it is cut out of and its level there.
type groupID struct {
	block *mlir.Block
	level int
}

type partitioner struct {
	module *mlir.Operation
	f      *mlir.Operation
	names  map[string]bool
	users  map[*mlir.Value][]*mlir.Operation // at any depth
	group  map[*mlir.Operation]groupID       // the group of a device operation
	values map[*mlir.Value]*mlir.Value       // what the calls of groups give
}

func newPartitioner(module, f *mlir.Operation, names map[string]bool) *partitioner {
	p := &partitioner{module: module, f: f, names: names, users: map[*mlir.Value][]*mlir.Operation{},
		group:  map[*mlir.Operation]groupID{},
		values: map[*mlir.Value]*mlir.Value{}}
	f.Walk(func(op *mlir.Operation) {
		for _, v := range op.Operands {
			p.users[v] = append(p.users[v], op)
		}
		for _, s := range op.Successors {
			for _, v := range s.Args {
				p.users[v] = append(p.users[v], op)
			}
		}
	})
	return p
}

// run partitions the blocks that the host walks through: those of the function and, in
// turn, of what is no part of a group.
func (p *partitioner) run() {
	var plan []*schedule
	work := []*mlir.Operation{p.f}
	for len(work) > 0 {
		op := work[0]
		work = work[1:]
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				s := p.schedule(b)
				plan = append(plan, s)
				work = append(work, s.nested...)
			}
		}
	}
	first := 0
	for _, s := range plan {
		p.cut(s, first)
		first += s.last + 1
	}
	p.f.Walk(func(op *mlir.Operation) { op.ReplaceUses(p.values) })
}

// schedule is a block by levels: group n runs before the host operations of level n.
type schedule struct {
	block         *mlir.Block
	level         map[*mlir.Value]int // host operations on the longest path to a value
	groups, hosts map[int][]*mlir.Operation
	constants     []*mlir.Operation
	end           *mlir.Operation   // the terminator, if there is one
	nested        []*mlir.Operation // host operations with regions
	last          int               // the highest level
	effects       int               // the level of the last operation with effects
}

// schedule assigns the operations of a block to groups and to the host.
func (p *partitioner) schedule(b *mlir.Block) *schedule {
	s := &schedule{block: b, level: map[*mlir.Value]int{},
		groups: map[int][]*mlir.Operation{}, hosts: map[int][]*mlir.Operation{}}
	for i, op := range b.Ops {
		switch {
		case i == len(b.Ops)-1 && op.Def().Has(mlir.Terminator):
			s.end = op
		case op.Name == "arith.constant":
			s.constants = append(s.constants, op)
		default:
			p.place(s, op)
		}
	}
	return s
}

// place gives an operation the number of host operations of the block that must come
// before it; those with effects keep their order.
func (p *partitioner) place(s *schedule, op *mlir.Operation) {
	n := 0
	for _, v := range op.Captured() {
		n = max(n, s.level[v])
	}
	at := n
	if OnDevice(op) && runsAlone(op) {
		s.groups[n] = append(s.groups[n], op)
		p.group[op] = groupID{s.block, n}
	} else {
		if !op.IsPure() {
			n = max(n, s.effects)
			s.effects = n
		}
		s.hosts[n] = append(s.hosts[n], op)
		at = n + 1
		if len(op.Regions) > 0 {
			s.nested = append(s.nested, op)
		}
	}
	for _, r := range op.Results {
		s.level[r] = at
	}
	s.last = max(s.last, at)
}

// cut puts the calls of the groups, numbered from first, and the host operations into
// the block.
func (p *partitioner) cut(s *schedule, first int) {
	s.block.Ops = nil
	for _, c := range s.constants {
		if p.usedOutside(c.Result(), groupID{}) {
			s.block.Append(c)
		}
	}
	for n := 0; n <= s.last; n++ {
		if len(s.groups[n]) > 0 {
			p.outline(groupID{s.block, n}, s.groups[n], first+n)
		}
		for _, op := range s.hosts[n] {
			s.block.Append(op)
		}
	}
	if s.end != nil {
		s.block.Append(s.end)
	}
}

// groupOf returns the group that op, or what op stands in, belongs to.
func (p *partitioner) groupOf(op *mlir.Operation) (groupID, bool) {
	for ; op != nil; op = op.Parent() {
		if g, ok := p.group[op]; ok {
			return g, true
		}
	}
	return groupID{}, false
}

// usedOutside reports whether a value has a user that is not in the group; a constant
// is cloned into groups, so only the host counts for it.
func (p *partitioner) usedOutside(v *mlir.Value, id groupID) bool {
	for _, u := range p.users[v] {
		if g, grouped := p.groupOf(u); !grouped || g != id && !isConstant(v) {
			return true
		}
	}
	return false
}

// outline moves a group into a function and appends its call to the block.
func (p *partitioner) outline(id groupID, group []*mlir.Operation, number int) {
	inputs, constants := groupInputs(group)
	var outputs []*mlir.Value
	for _, op := range group {
		for _, r := range op.Results {
			if p.usedOutside(r, id) {
				outputs = append(outputs, r)
			}
		}
	}
	name := p.name(number)
	types := mlir.FunctionType{Inputs: mlir.TypesOf(inputs), Results: mlir.TypesOf(outputs)}
	g := mlir.NewOp("func.func", nil, nil, mlir.Attrs{
		{Name: "sym_name", Value: mlir.StringAttr(name)},
		{Name: "function_type", Value: mlir.TypeAttr{Type: types}},
		{Name: "sym_visibility", Value: mlir.StringAttr("private")},
	})
	body := g.AddRegion().AddBlock(types.Inputs...)
	inside := map[*mlir.Value]*mlir.Value{}
	for i, v := range inputs {
		inside[v] = body.Args[i]
	}
	for _, c := range constants {
		inside[c.Result()] = body.Append(c.Clone(inside)).Result()
	}
	for _, op := range group {
		op.Walk(func(inner *mlir.Operation) { inner.ReplaceUses(inside) })
		body.Append(op)
	}
	body.Append(mlir.NewOp("func.return", outputs, nil, nil))
	p.module.Body().Append(g)

	call := id.block.Append(mlir.NewOp("func.call", inputs, types.Results, mlir.Attrs{
		{Name: "callee", Value: mlir.SymbolRefAttr{name}}}))
	for i, v := range outputs {
		p.values[v] = call.Results[i]
	}
}

// name makes the name of a group that no other symbol has.
func (p *partitioner) name(n int) string {
	name := fmt.Sprintf("%s_group_%d", symbol(p.f), n)
	for p.names[name] {
		name += "_"
	}
	p.names[name] = true
	return name
}

// groupInputs lists the values that a group takes from outside, in order of
// first use, and the constants among them apart.
func groupInputs(group []*mlir.Operation) (inputs []*mlir.Value, constants []*mlir.Operation) {
	seen := map[*mlir.Value]bool{}
	for _, op := range group {
		for _, r := range op.Results {
			seen[r] = true
		}
	}
	for _, op := range group {
		for _, v := range op.Captured() {
			switch {
			case seen[v]:
			case isConstant(v):
				constants = append(constants, v.Def)
			default:
				inputs = append(inputs, v)
			}
			seen[v] = true
		}
	}
	return inputs, constants
}

func symbol(f *mlir.Operation) string {
	s, _ := f.Attrs.Get("sym_name").(mlir.StringAttr)
	return string(s)
}

func symbolsOf(module *mlir.Operation) map[string]bool {
	names := map[string]bool{}
	for _, op := range module.Body().Ops {
		names[symbol(op)] = true
	}
	return names
}

// onHost reports whether a call of an operator that lowers runs on the host.
func onHost(o *ops.Op, op *mlir.Operation) bool {
	if o.OnHost == nil {
		return false
	}
	call, err := ops.FromOperation(op, ops.OfIR)
	return err == nil && o.OnHost(call)
}
