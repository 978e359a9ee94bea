package onnx

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

func init() {
	register("If", branch)
	register("Loop", loop)
	register("Scan", scan)
}

// branch runs the side that the condition chooses. A condition that depends on the model's inputs is read where the
// builder can, so that the other side costs nothing and need not fit the inputs. Where it cannot, both sides run and
// each result is chosen by the condition, element by element.
func branch(n *node) {
	n.subgraph("then_branch") // both must be there
	n.subgraph("else_branch")
	if n.value(0).known == nil && !n.ev.reads() {
		n.bothSides()
		return
	}
	b := n.known(0)
	if b.Len() != 1 {
		failf("the condition has %d elements", b.Len())
	}
	side := "else_branch"
	if b.Int64(0) != 0 {
		side = "then_branch"
	}
	n.results(n.side(side))
}

// side runs a side of a condition.
func (n *node) side(name string) []*value {
	g := n.subgraph(name)
	return n.ev.subgraph(n.inside(name), g, n.namesakes(g))
}

// bothSides runs both sides of a condition whose elements nobody can tell.
func (n *node) bothSides() {
	run := func(side string) []*value {
		defer func() {
			switch f := recover().(type) {
			case nil:
			case fault:
				failf("%w; both sides run, as the condition %q depends on the model's inputs, whose elements are not given", f.err, n.Inputs[0])
			default:
				panic(f)
			}
		}()
		return n.side(side)
	}
	yes, no := run("then_branch"), run("else_branch")
	for i := range n.out {
		if i >= len(yes) || i >= len(no) {
			failf("a branch has no output %d", i)
		}
		if !n.ev.alike(yes[i], no[i]) { // only one can be the result
			n.known(0)
		}
	}
	cond := n.Reshape(n.tensor(0), nil)
	for i := range n.out {
		n.out[i] = &value{tensor: n.Where(cond, n.ev.tensor(yes[i]), n.ev.tensor(no[i]))}
	}
}

// namesakes are the values around the node by the names of a branch's inputs, which some exporters declare although
// a branch has none.
func (n *node) namesakes(g *proto.Graph) []*value {
	var list []*value
	for _, in := range g.Inputs {
		v := n.ev.lookup(in.Name)
		if v == nil {
			failf("input %q of a branch is the result of no node before", in.Name)
		}
		list = append(list, v)
	}
	return list
}

// alike reports whether two values are tensors of one type, between which elements can choose.
func (ev *evaluator) alike(a, b *value) bool {
	if !a.isTensor() || !b.isTensor() {
		return false
	}
	x, y := ev.tensor(a), ev.tensor(b)
	return elem(x) == elem(y) && shape.Equal(extents(x), extents(y))
}

func (n *node) inside(attribute string) string {
	name := n.Name
	if name == "" {
		name = fmt.Sprintf("%s_%d", n.Op, n.Index)
	}
	return name + "." + attribute
}

func (n *node) results(values []*value) {
	if len(values) < len(n.out) {
		failf("the subgraph has %d outputs for %d", len(values), len(n.out))
	}
	copy(n.out, values)
}

// loop runs its body until the trip count or the condition ends it; both must be known.
func loop(n *node) {
	body := n.subgraph("body")
	trips := math.MaxInt
	if n.has(0) {
		trips = n.integer(0)
	}
	cond := &value{known: buf.From([]bool{true})}
	if n.has(1) {
		cond = n.value(1)
	}
	state := append([]*value(nil), n.in[min(2, len(n.in)):]...)
	var stacked [][]*value
	scans := len(body.Outputs) - 1 - len(state)
	if scans < 0 {
		failf("the body has %d outputs for %d values", len(body.Outputs), len(state))
	}
	stacked = make([][]*value, scans)
	for i := 0; i < trips; i++ {
		if b := n.ev.elements(cond, "condition"); b.Len() != 1 || b.Int64(0) == 0 {
			break
		}
		inputs := append([]*value{knownValue(buf.From([]int64{int64(i)})), cond}, state...)
		out := n.ev.subgraph(fmt.Sprintf("%s[%d]", n.inside("body"), i), body, inputs)
		cond = out[0]
		state = out[1 : 1+len(state)]
		for k := range scans {
			stacked[k] = append(stacked[k], out[1+len(state)+k])
		}
	}
	all := append([]*value(nil), state...)
	for k, parts := range stacked {
		info := body.Outputs[1+len(state)+k]
		if len(parts) == 0 && !info.Ranked {
			info = n.inferred(body, cond, state, 1+len(state)+k)
		}
		all = append(all, n.stack(parts, 0, info))
	}
	n.results(all)
}

// inferred is the type of an output of a loop's body that tells no shape: what the output has in a turn that nobody
// uses, if the body tells the numbers of dimensions of its state.
func (n *node) inferred(body *proto.Graph, cond *value, state []*value, output int) (info proto.ValueInfo) {
	info = body.Outputs[output]
	if len(body.Inputs) != 2+len(state) {
		return info
	}
	for i, v := range state {
		if in := body.Inputs[2+i]; !v.isTensor() || v.texts != nil || !in.Ranked || len(in.Dims) != len(v.dims()) {
			return info
		}
	}
	scope, path, depth := n.ev.scope, n.ev.path, n.ev.depth
	defer func() {
		switch f := recover().(type) {
		case nil:
		case fault: // such as an index that only a turn has
			n.ev.scope, n.ev.path, n.ev.depth = scope, path, depth
		default:
			panic(f)
		}
	}()
	out := n.ev.subgraph(n.inside("body"), body, append([]*value{knownValue(buf.From([]int64{0})), cond}, state...))[output]
	if out.isTensor() && out.texts == nil {
		info.Ranked = true
		for _, extent := range out.dims() {
			info.Dims = append(info.Dims, proto.Dim{Known: true, Value: int64(extent)})
		}
	}
	return info
}

// stack joins the results of iterations along a new dimension; info is the type of one, for when
// there is none. Extents that info leaves open are then 0 for a loop, and an error for a scan, as in ONNX Runtime.
func (n *node) stack(parts []*value, d int, info proto.ValueInfo) *value {
	if len(parts) == 0 {
		elem, err := proto.DTypeOf(info.Elem)
		if err != nil || !info.Ranked && n.Op == "Scan" {
			failf("output %q of no iteration has no type", info.Name)
		}
		dims := []int{0}
		for _, d := range info.Dims {
			if !d.Known && n.Op == "Scan" {
				failf("output %q of no iteration has an open shape", info.Name)
			}
			dims = append(dims, int(d.Value))
		}
		return &value{tensor: n.Full(dims, 0, elem)}
	}
	list := make([]ops.Value, len(parts))
	for i, p := range parts {
		list[i] = n.ev.tensor(p)
	}
	return &value{tensor: n.Call("stack", list, axis(d, rank(list[0])+1))}
}

// scan runs its body for each slice of its inputs, in either direction.
func scan(n *node) {
	if n.version < 9 {
		n.scanBatch()
		return
	}
	body, count := n.subgraph("body"), n.int("num_scan_inputs", 0)
	states := len(n.in) - count
	if count < 1 || states < 0 || len(body.Outputs) < states {
		failf("%d scan inputs of %d inputs", count, len(n.in))
	}
	option := func(name string, i, or int) int {
		if list, _ := n.ints(name); i < len(list) {
			return list[i]
		}
		return or
	}
	inputs, along := make([]ops.Value, count), make([]int, count)
	for i := range inputs {
		inputs[i] = n.tensor(states + i)
		along[i] = axis(option("scan_input_axes", i, 0), rank(inputs[i]))
	}
	state, stacked := n.scanSlices(body, n.in[:states], inputs, along, func(i int) bool {
		return option("scan_input_directions", i, 0) == 1
	})
	all := append([]*value(nil), state...)
	for k, parts := range stacked {
		if option("scan_output_directions", k, 0) == 1 {
			slices.Reverse(parts)
		}
		all = append(all, n.stack(parts, option("scan_output_axes", k, 0), body.Outputs[states+k]))
	}
	n.results(all)
}

// scanSlices runs the body of a scan and returns the last state and the outputs of every step.
func (n *node) scanSlices(body *proto.Graph, state []*value, inputs []ops.Value, along []int,
	backward func(i int) bool) (last []*value, stacked [][]*value) {
	length := 0
	for i, x := range inputs {
		if rank(x) == 0 || i > 0 && extents(x)[along[i]] != length {
			failf("the inputs differ in the number of slices")
		}
		length = extents(x)[along[i]]
	}
	states := len(state)
	stacked = make([][]*value, len(body.Outputs)-states)
	for step := range length {
		args := append([]*value(nil), state...)
		for i, x := range inputs {
			at := step
			if backward(i) {
				at = length - 1 - step
			}
			args = append(args, &value{tensor: n.Call("select.int", x, along[i], at)})
		}
		out := n.ev.subgraph(fmt.Sprintf("%s[%d]", n.inside("body"), step), body, args)
		state = out[:states]
		for k := range stacked {
			stacked[k] = append(stacked[k], out[states+k])
		}
	}
	return state, stacked
}

// scanBatch is version 8 of Scan: states and inputs begin with the dimension of a batch. Each entry of the batch is
// scanned alone along the next dimension, as far as the first input says.
func (n *node) scanBatch() {
	body, count := n.subgraph("body"), n.int("num_scan_inputs", 0)
	states := len(n.in) - 1 - count
	if count < 1 || states < 0 || len(body.Outputs) < states {
		failf("%d scan inputs of %d inputs", count, len(n.in))
	}
	if n.has(0) {
		failf("sequences of different lengths are not supported")
	}
	directions, _ := n.ints("directions")
	batch := 0
	for i := 1; i < len(n.in); i++ {
		x := n.tensor(i)
		if rank(x) == 0 || i > 1 && extents(x)[0] != batch {
			failf("the inputs differ in the size of the batch")
		}
		batch = extents(x)[0]
	}
	all := make([][]*value, len(body.Outputs))
	for b := range batch {
		part := func(i int) ops.Value { return n.Call("select.int", n.tensor(1+i), 0, b) }
		state, inputs := make([]*value, states), make([]ops.Value, count)
		for i := range state {
			state[i] = &value{tensor: part(i)}
		}
		for i := range inputs {
			inputs[i] = part(states + i)
		}
		last, stacked := n.scanSlices(body, state, inputs, make([]int, count), func(i int) bool {
			return i < len(directions) && directions[i] == 1
		})
		for k := range all {
			if k < states {
				all[k] = append(all[k], last[k])
			} else {
				all[k] = append(all[k], n.stack(stacked[k-states], 0, body.Outputs[k]))
			}
		}
	}
	var results []*value
	for k, parts := range all {
		results = append(results, n.stack(parts, 0, body.Outputs[k]))
	}
	n.results(results)
}
