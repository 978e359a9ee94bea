package group

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// Grouping says how [Group] divides a module. The zero value makes groups for the engine of
// this module, as large as they can be.
type Grouping struct {
	// Supports returns nil for an operation that can be part of a group, else why it cannot;
	// nil means [Supported].
	Supports func(op *mlir.Operation) error
	// MinNodes is how many operations a group needs, constants aside; smaller ones stay
	// with the host.
	MinNodes int
	// Separate leaves groups apart that pass no values to each other.
	Separate bool
	// Outline moves a function that is one group as a whole into another function, too.
	Outline bool
	// Kind is the part of the groups' names that tells what they are: "group" if empty, as
	// in @main_group_0.
	Kind string
	// Attrs are further attributes of the groups' functions.
	Attrs mlir.Attrs
	// Refused, if it is set, is told of each operation that is supported and is in no group, and why.
	Refused func(op *mlir.Operation, why error)
}

// Partition is [Group] with the zero Grouping. The error is always nil.
func Partition(module *mlir.Operation) error { Group(module, Grouping{}); return nil }

// Group moves maximal groups of operations that the device can run out of every function into functions of their own
// ("main_group_0"), and leaves calls of groups, host operations and control flow. Blocks of loops, of choices and of
// branches are divided alike. A function that the device can run as a whole is left as it is, unless the grouping says
// otherwise.
//
// No path leaves a group and comes back. Joining two groups of the result, one of which passes values to the other,
// would make such a path. So would joining any two groups, unless they are to be separate. Operations that write what
// they are given keep their place among all that read it. A value that is no tensor does not cross the border of a
// group. Constants, values that follow from constants alone, and rearranged arguments are cloned into every group that
// uses them.
//
// It returns the functions that are groups: new ones, and those that are left as they are.
func Group(module *mlir.Operation, how Grouping) []*mlir.Operation {
	if how.Supports == nil {
		how.Supports = Supported
	}
	if how.Kind == "" {
		how.Kind = "group"
	}
	names := symbolsOf(module)
	var groups []*mlir.Operation
	for _, f := range module.Funcs() {
		switch {
		case f.Body() == nil:
		case how.leaves(f):
			groups = append(groups, f)
		default:
			p := newPartitioner(module, f, names, how)
			p.run()
			groups = append(groups, p.outlined...)
		}
	}
	return groups
}

// leaves reports whether a function stays one group as it is.
func (how *Grouping) leaves(f *mlir.Operation) bool {
	if how.Outline || len(f.Regions[0].Blocks) != 1 || HasComplex(f) {
		return false
	}
	nodes := 0
	for _, op := range f.Body().Ops {
		if op.Name == "func.return" {
			continue
		}
		if !isConstantOp(op) {
			nodes++
		}
		if how.Supports(op) != nil {
			return false
		}
	}
	return nodes >= how.MinNodes
}

type partitioner struct {
	module   *mlir.Operation
	f        *mlir.Operation
	how      Grouping
	names    map[string]bool
	users    map[*mlir.Value][]*mlir.Operation // at any depth
	group    map[*mlir.Operation]*item         // the group of an operation that is in one
	carried  map[*mlir.Operation]bool          // operations that are cloned as constants are; see carry
	kept     map[*mlir.Operation]bool          // carried operations that the host reads
	marked   map[*mlir.Value]bool              // arguments that hold the same data in many runs
	values   map[*mlir.Value]*mlir.Value       // what the calls of groups give
	outlined []*mlir.Operation                 // the groups' functions
}

func newPartitioner(module, f *mlir.Operation, names map[string]bool, how Grouping) *partitioner {
	p := &partitioner{module: module, f: f, how: how, names: names,
		users:   map[*mlir.Value][]*mlir.Operation{},
		group:   map[*mlir.Operation]*item{},
		carried: map[*mlir.Operation]bool{}, kept: map[*mlir.Operation]bool{},
		marked: map[*mlir.Value]bool{},
		values: map[*mlir.Value]*mlir.Value{}}
	for i, marked := range ops.ConstantArguments(f) {
		p.marked[f.Body().Args[i]] = marked
	}
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

// run divides the blocks that the host walks through: the blocks of the function and, in turn, of operations that are
// in no group.
func (p *partitioner) run() {
	var plan []*division
	work := []*mlir.Operation{p.f}
	for len(work) > 0 {
		op := work[0]
		work = work[1:]
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				d := p.divide(b)
				plan = append(plan, d)
				work = append(work, p.note(d)...)
			}
		}
	}
	for _, d := range slices.Backward(plan) { // bodies before what is around them
		p.keep(d)
	}
	for _, d := range plan {
		p.cut(d)
	}
	p.f.Walk(func(op *mlir.Operation) { op.ReplaceUses(p.values) })
}

// note notes which group each operation of a block is in, and returns the operations with regions that are in no group.
func (p *partitioner) note(d *division) (outside []*mlir.Operation) {
	for _, i := range d.items {
		switch {
		case i.group:
			for _, op := range i.ops {
				p.group[op] = i
			}
		case len(i.ops[0].Regions) > 0:
			outside = append(outside, i.ops[0])
		}
	}
	return outside
}

// keep finds the constants of a block, and what is carried, that the host reads.
func (p *partitioner) keep(d *division) {
	for _, c := range slices.Backward(d.constants) {
		p.kept[c] = slices.ContainsFunc(c.Results, func(v *mlir.Value) bool { return p.usedOutside(v, nil) })
	}
}

// cut puts the calls of the groups and the host operations into the block.
func (p *partitioner) cut(d *division) {
	d.block.Ops = nil
	for _, c := range d.constants {
		if p.kept[c] {
			d.block.Append(c)
			if p.carried[c] {
				p.refuse(c, errReadByHost)
			}
		}
	}
	for _, i := range d.items {
		if i.group {
			p.outline(d.block, i)
		} else {
			d.block.Append(i.ops[0])
			p.refuse(i.ops[0], i.why)
		}
	}
	if d.end != nil {
		d.block.Append(d.end)
	}
}

// refuse tells of an operation that is in no group although the device takes it.
func (p *partitioner) refuse(op *mlir.Operation, why error) {
	if p.how.Refused != nil && why != nil {
		p.how.Refused(op, why)
	}
}

// groupOf returns the group that op, or what op stands in, belongs to, or nil.
func (p *partitioner) groupOf(op *mlir.Operation) *item {
	for ; op != nil; op = op.Parent() {
		if g := p.group[op]; g != nil {
			return g
		}
	}
	return nil
}

// usedOutside reports whether a value has a user that is not in the group; a constant and what
// is carried are cloned into groups, so only the host counts for them.
func (p *partitioner) usedOutside(v *mlir.Value, of *item) bool {
	for _, u := range p.users[v] {
		if p.carried[u] && !p.kept[u] {
			continue
		}
		if g := p.groupOf(u); g == nil || g != of && !isConstant(v) && !p.carried[v.Def] {
			return true
		}
	}
	return false
}

// outline moves a group into a function and appends its call to the block.
func (p *partitioner) outline(block *mlir.Block, i *item) {
	inputs, along := p.inputs(i.ops)
	var outputs []*mlir.Value
	for _, op := range i.ops {
		for _, r := range op.Results {
			if p.usedOutside(r, i) {
				outputs = append(outputs, r)
			}
		}
	}
	name := p.name()
	types := mlir.FunctionType{Inputs: mlir.TypesOf(inputs), Results: mlir.TypesOf(outputs)}
	attrs := mlir.Attrs{
		{Name: "sym_name", Value: mlir.StringAttr(name)},
		{Name: "function_type", Value: mlir.TypeAttr{Type: types}},
		{Name: "sym_visibility", Value: mlir.StringAttr("private")},
	}
	g := mlir.NewOp("func.func", nil, nil, append(attrs, p.how.Attrs...))
	body := g.AddRegion().AddBlock(types.Inputs...)
	inside := map[*mlir.Value]*mlir.Value{}
	for i, v := range inputs {
		inside[v] = body.Args[i]
	}
	for _, c := range along {
		body.Append(c.Clone(inside))
	}
	for _, op := range i.ops {
		op.Walk(func(inner *mlir.Operation) { inner.ReplaceUses(inside) })
		body.Append(op)
	}
	body.Append(mlir.NewOp("func.return", outputs, nil, nil))
	p.outlined = append(p.outlined, p.module.Body().Append(g))

	call := block.Append(mlir.NewOp("func.call", inputs, types.Results, mlir.Attrs{
		{Name: "callee", Value: mlir.SymbolRefAttr{name}}}))
	for i, v := range outputs {
		p.values[v] = call.Results[i]
	}
}

// name makes the name of a group that no other symbol has.
func (p *partitioner) name() string {
	name := fmt.Sprintf("%s_%s_%d", p.f.Symbol(), p.how.Kind, len(p.outlined))
	for p.names[name] {
		name += "_"
	}
	p.names[name] = true
	return name
}

// inputs lists the values that a group takes from outside, in order of first use, and apart from
// them the constants among them and what is carried, each behind what it needs.
func (p *partitioner) inputs(group []*mlir.Operation) (inputs []*mlir.Value, along []*mlir.Operation) {
	seen := map[*mlir.Value]bool{}
	see := func(list []*mlir.Value) {
		for _, v := range list {
			seen[v] = true
		}
	}
	for _, op := range group {
		see(op.Results)
	}
	var visit func(v *mlir.Value)
	visit = func(v *mlir.Value) {
		switch {
		case seen[v]:
			return
		case isConstant(v) || p.carried[v.Def]:
			see(v.Def.Results)
			for _, x := range v.Def.Operands {
				visit(x)
			}
			along = append(along, v.Def)
		default:
			inputs = append(inputs, v)
		}
		seen[v] = true
	}
	for _, op := range group {
		for _, v := range op.Captured() {
			visit(v)
		}
	}
	return inputs, along
}

func symbolsOf(module *mlir.Operation) map[string]bool {
	names := map[string]bool{}
	for _, op := range module.Body().Ops {
		names[op.Symbol()] = true
	}
	return names
}
