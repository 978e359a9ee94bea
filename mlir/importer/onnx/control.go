package onnx

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/shape"
)

func init() {
	register("If", branch)
	register("Loop", loop)
	register("Scan", scan)
}

// branch runs the side that a known condition chooses. If the condition is not known, both sides
// run, and each result is chosen by it, element by element.
func branch(n *node) {
	then, otherwise := n.subgraph("then_branch"), n.subgraph("else_branch")
	if b := n.value(0).known; b != nil {
		if b.Len() != 1 {
			failf("the condition has %d elements", b.Len())
		}
		side, g := "else_branch", otherwise
		if b.Int64(0) != 0 {
			side, g = "then_branch", then
		}
		n.results(n.ev.subgraph(n.inside(side), g, nil))
		return
	}
	cond := n.Reshape(n.tensor(0), nil)
	yes := n.ev.subgraph(n.inside("then_branch"), then, nil)
	no := n.ev.subgraph(n.inside("else_branch"), otherwise, nil)
	for i := range n.out {
		if i >= len(yes) || i >= len(no) {
			failf("a branch has no output %d", i)
		}
		x, y := n.ev.tensor(yes[i]), n.ev.tensor(no[i])
		if elem(x) != elem(y) || !shape.Equal(extents(x), extents(y)) {
			failf("the condition is not known before the model runs, and the branches give %s and %s",
				shape.String(extents(x)), shape.String(extents(y)))
		}
		n.out[i] = &value{tensor: n.Where(cond, x, y)}
	}
}

func (n *node) inside(attribute string) string {
	name := n.name
	if name == "" {
		name = fmt.Sprintf("%s_%d", n.op, n.index)
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
	trips := -1
	if n.has(0) {
		trips = n.integer(0)
	}
	cond := &value{known: buf.From([]bool{true})}
	if n.has(1) {
		cond = n.value(1)
	}
	state := append([]*value(nil), n.in[min(2, len(n.in)):]...)
	var stacked [][]*value
	scans := len(body.outputs) - 1 - len(state)
	if scans < 0 {
		failf("the body has %d outputs for %d values", len(body.outputs), len(state))
	}
	stacked = make([][]*value, scans)
	for i := 0; trips < 0 || i < trips; i++ {
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
		all = append(all, n.stack(parts, 0, body.outputs[1+len(state)+k]))
	}
	n.results(all)
}

// stack joins the results of iterations along a new dimension; info is the type of one, for when
// there is none.
func (n *node) stack(parts []*value, d int, info valueInfo) *value {
	if len(parts) == 0 {
		elem, err := dtypeOf(info.elem)
		if err != nil || !info.ranked {
			failf("output %q of no iteration has no type", info.name)
		}
		dims := []int{0}
		for _, d := range info.dims {
			if !d.known {
				failf("output %q of no iteration has an open shape", info.name)
			}
			dims = append(dims, int(d.value))
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
		failf("version 8 of Scan is not supported")
	}
	body, count := n.subgraph("body"), n.int("num_scan_inputs", 0)
	states := len(n.in) - count
	if count < 1 || states < 0 || len(body.outputs) < states {
		failf("%d scan inputs of %d inputs", count, len(n.in))
	}
	option := func(name string, i, or int) int {
		if list, _ := n.ints(name); i < len(list) {
			return list[i]
		}
		return or
	}
	inputs, length := make([]ops.Value, count), 0
	along := make([]int, count)
	for i := range inputs {
		x := n.tensor(states + i)
		along[i] = axis(option("scan_input_axes", i, 0), rank(x))
		if rank(x) == 0 || i > 0 && extents(x)[along[i]] != length {
			failf("the inputs differ in the number of slices")
		}
		inputs[i], length = x, extents(x)[along[i]]
	}
	state := append([]*value(nil), n.in[:states]...)
	stacked := make([][]*value, len(body.outputs)-states)
	for step := range length {
		args := append([]*value(nil), state...)
		for i, x := range inputs {
			at := step
			if option("scan_input_directions", i, 0) == 1 {
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
	all := append([]*value(nil), state...)
	for k, parts := range stacked {
		if option("scan_output_directions", k, 0) == 1 {
			slices.Reverse(parts)
		}
		all = append(all, n.stack(parts, option("scan_output_axes", k, 0), body.outputs[states+k]))
	}
	n.results(all)
}
