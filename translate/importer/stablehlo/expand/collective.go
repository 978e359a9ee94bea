package expand

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	hlo "github.com/go-acap/acap/mlir/dialect/stablehlo"
)

// exchange is what the members of a group compute together: given the operands of each, the results of each.
type exchange func(g *grid, op *mlir.Operation, in [][]*mlir.Value) [][]*mlir.Value

var exchanges map[string]exchange

func init() {
	exchanges = map[string]exchange{
		"stablehlo.all_gather":           gathered,
		"stablehlo.all_reduce":           reduced,
		"stablehlo.reduce_scatter":       reduceScattered,
		"stablehlo.collective_reduce":    reducedAtRoot,
		"stablehlo.all_to_all":           exchanged,
		"stablehlo.collective_broadcast": broadcast,
		"stablehlo.collective_permute":   permuted,
	}
}

// channel is the number of an operation's channel, 0 without one.
func channel(op *mlir.Operation) int64 {
	if f := hlo.Fields(op.Attrs.Get("channel_handle")); len(f["handle"]) == 1 {
		return int64(f["handle"][0])
	}
	return 0
}

// exchange runs the collective at which p waits, if every member of p's group waits at it. It reports
// whether it did.
func (g *grid) exchange(p *process) bool {
	op := p.waits
	if exchanges[op.Name] == nil {
		return false
	}
	group := g.groupOf(p, op)
	if group == nil {
		switch op.Name {
		case "stablehlo.collective_broadcast", "stablehlo.collective_reduce":
			p.finish(op, g.zeros(op))
			return true
		}
		fail(op, "process (%d, %d) is in no group", p.replica, p.partition)
	}
	for _, q := range group {
		if q.waits == nil || q.waits.Name != op.Name || channel(q.waits) != channel(op) || len(q.waits.Results) != len(op.Results) {
			return false
		}
	}
	in := make([][]*mlir.Value, len(group))
	for i, q := range group {
		in[i] = q.in(q.waits)
	}
	outer := g.Loc
	g.Loc = op.Loc
	out := exchanges[op.Name](g, op, in)
	g.Loc = outer
	for i, q := range group {
		q.finish(q.waits, out[i])
	}
	return true
}

// groupOf returns the group of p at a collective, in the group's order, or nil. Its ids name replicas, partitions, or
// both at once, as the specification's four strategies say.
func (g *grid) groupOf(p *process, op *mlir.Operation) []*process {
	crossing := channel(op) > 0
	if op.Name == "stablehlo.collective_permute" { // everyone whom the pairs can name
		var line []*process
		for _, q := range g.processes {
			if crossing && q.replica == p.replica || !crossing && q.partition == p.partition {
				line = append(line, q)
			}
		}
		return line
	}
	groups, _ := op.Attrs.Get("replica_groups").(mlir.DenseAttr)
	ids, ok := groups.Int()
	shape, _, _ := mlir.ShapeOf(groups.Type)
	if !ok || len(shape) != 2 {
		fail(op, "replica_groups must be rows of integers")
	}
	both := op.Name == "stablehlo.all_gather" || op.Name == "stablehlo.all_reduce" || op.Name == "stablehlo.reduce_scatter"
	for ; len(ids) > 0 && shape[1] > 0; ids = ids[shape[1]:] {
		var group []*process
		add := func(replica, partition int) {
			i := replica*g.partitions + partition
			if replica >= g.replicas || partition >= g.partitions {
				fail(op, "there is no process (%d, %d)", replica, partition)
			}
			group = append(group, g.processes[i])
		}
		row := slices.DeleteFunc(slices.Clone(ids[:shape[1]]), func(id int) bool { return id < 0 })
		switch {
		case op.Attrs.Get("use_global_device_ids") != nil:
			for _, id := range row {
				add(id/g.partitions, id%g.partitions)
			}
		case crossing && both:
			for partition := range g.partitions {
				for _, id := range row {
					add(id, partition)
				}
			}
		case crossing:
			for _, id := range row {
				add(p.replica, id)
			}
		default:
			for _, id := range row {
				add(id, p.partition)
			}
		}
		if slices.Contains(group, p) {
			return group
		}
	}
	return nil
}

// zeros are results that nobody sends.
func (g *grid) zeros(op *mlir.Operation) []*mlir.Value {
	out := make([]*mlir.Value, len(op.Results))
	for i, r := range op.Results {
		out[i] = g.zero(op, r.Type)
	}
	return out
}

func (e emitter) zero(op *mlir.Operation, t mlir.Type) *mlir.Value {
	tensor, ok := t.(mlir.TensorType)
	if !ok {
		fail(op, "a value of type %s", t)
	}
	if q, ok := quantization(tensor.Elem); ok {
		return e.op("uniform_quantize", t, e.splat(of(tensor, q.Expressed), 0))
	}
	if c, ok := tensor.Elem.(mlir.ComplexType); ok {
		part := e.splat(of(tensor, c.Elem), 0)
		return e.op("complex", t, part, part)
	}
	return e.splat(tensor, 0)
}

// everyone gives all members the same results.
func everyone(n int, results []*mlir.Value) [][]*mlir.Value {
	out := make([][]*mlir.Value, n)
	for i := range out {
		out[i] = results
	}
	return out
}

// column are the k-th operands of all members.
func column(in [][]*mlir.Value, k int) []*mlir.Value {
	out := make([]*mlir.Value, len(in))
	for i := range in {
		out[i] = in[i][k]
	}
	return out
}

func integer(op *mlir.Operation, name string) int {
	a, ok := op.Attrs.Get(name).(mlir.IntegerAttr)
	if !ok {
		fail(op, "%s must be an integer", name)
	}
	return int(a.Value)
}

// dimension is an attribute that names a dimension of a value.
func dimension(op *mlir.Operation, name string, v *mlir.Value) int {
	d := integer(op, name)
	if d < 0 || d >= len(tensorOf(v).Shape) {
		fail(op, "%s %d of %s", name, d, v.Type)
	}
	return d
}

func gathered(g *grid, op *mlir.Operation, in [][]*mlir.Value) [][]*mlir.Value {
	var results []*mlir.Value
	for k, v := range in[0] {
		results = append(results, g.concatenate(dimension(op, "all_gather_dim", v), column(in, k)...))
	}
	return everyone(len(in), results)
}

// combine folds the k-th operands of all members by the operation's region, element by element.
func (g *grid) combine(op *mlir.Operation, in [][]*mlir.Value, k int) *mlir.Value {
	if len(op.Regions) != 1 || op.Body() == nil || len(op.Body().Args) != 2 {
		fail(op, "needs a region of two arguments")
	}
	sum := in[0][k]
	for _, next := range in[1:] {
		dims := shape.UpTo(len(tensorOf(sum).Shape))
		m := mlir.NewOp("stablehlo.map", []*mlir.Value{sum, next[k]}, []mlir.Type{sum.Type},
			mlir.Attrs{{Name: "dimensions", Value: mlir.Ints(dims)}})
		body := op.Clone(map[*mlir.Value]*mlir.Value{}).Regions[0]
		body.Parent = m
		m.Regions = []*mlir.Region{body}
		sum = g.Insert(m).Result()
	}
	return sum
}

func (g *grid) combineAll(op *mlir.Operation, in [][]*mlir.Value) []*mlir.Value {
	var sums []*mlir.Value
	for k := range in[0] {
		sums = append(sums, g.combine(op, in, k))
	}
	return sums
}

func reduced(g *grid, op *mlir.Operation, in [][]*mlir.Value) [][]*mlir.Value {
	return everyone(len(in), g.combineAll(op, in))
}

func reducedAtRoot(g *grid, op *mlir.Operation, in [][]*mlir.Value) [][]*mlir.Value {
	out := everyone(len(in), g.zeros(op))
	out[0] = g.combineAll(op, in)
	return out
}

func reduceScattered(g *grid, op *mlir.Operation, in [][]*mlir.Value) [][]*mlir.Value {
	out := make([][]*mlir.Value, len(in))
	for _, sum := range g.combineAll(op, in) {
		for i, part := range g.split(op, sum, dimension(op, "scatter_dimension", sum), len(in)) {
			out[i] = append(out[i], part)
		}
	}
	return out
}

// split cuts a value into n equal parts.
func (g *grid) split(op *mlir.Operation, v *mlir.Value, dim, n int) []*mlir.Value {
	extent := tensorOf(v).Shape[dim]
	if n < 1 || extent%n != 0 {
		fail(op, "dimension %d of %s does not split into %d parts", dim, v.Type, n)
	}
	parts := make([]*mlir.Value, n)
	for i := range parts {
		parts[i] = g.part(v, dim, i*(extent/n), extent/n)
	}
	return parts
}

func exchanged(g *grid, op *mlir.Operation, in [][]*mlir.Value) [][]*mlir.Value {
	out := make([][]*mlir.Value, len(in))
	if n := integer(op, "split_count"); n != len(in) {
		fail(op, "splits into %d parts for %d members", n, len(in))
	}
	for k, v := range in[0] {
		sent := make([][]*mlir.Value, len(in))
		for i := range in {
			sent[i] = g.split(op, in[i][k], dimension(op, "split_dimension", v), len(in))
		}
		for i := range in {
			out[i] = append(out[i], g.concatenate(dimension(op, "concat_dimension", v), column(sent, i)...))
		}
	}
	return out
}

// broadcast sends what the first member has, or the member whose place in the group a last operand names.
func broadcast(g *grid, op *mlir.Operation, in [][]*mlir.Value) [][]*mlir.Value {
	if op.Attrs.Get("has_dynamic_root") == nil {
		return everyone(len(in), in[0])
	}
	n := len(in[0]) - 1
	roots := in[0][n]
	if len(op.Results) != n || shape.Size(tensorOf(roots).Shape) != n {
		fail(op, "%d roots for %d results", shape.Size(tensorOf(roots).Shape), len(op.Results))
	}
	var results []*mlir.Value
	for k, sent := range in[0][:n] {
		root := g.reshape(g.part(g.reshape(roots, []int{n}), 0, k, 1), nil)
		for i := 1; i < len(in); i++ {
			sent = g.sel(g.compare("EQ", root, g.number(root, float64(i))), in[i][k], sent)
		}
		results = append(results, sent)
	}
	return everyone(len(in), results)
}

func permuted(g *grid, op *mlir.Operation, in [][]*mlir.Value) [][]*mlir.Value {
	out := make([][]*mlir.Value, len(in))
	pairs, _ := op.Attrs.Get("source_target_pairs").(mlir.DenseAttr)
	ids, ok := pairs.Int()
	for ; ok && len(ids) > 1; ids = ids[2:] {
		if ids[0] < 0 || ids[1] < 0 || ids[0] >= len(in) || ids[1] >= len(in) {
			fail(op, "the pair (%d, %d) of %d processes", ids[0], ids[1], len(in))
		}
		out[ids[1]] = in[ids[0]]
	}
	for i := range out {
		if out[i] == nil {
			out[i] = g.zeros(op)
		}
	}
	return out
}
