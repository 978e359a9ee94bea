package onnx

import "fmt"

// check refuses a graph of a file that gives two values one name, has an output of no name twice,
// or an extent that no tensor has.
func (g *graph) check() {
	if len(g.outputs) == 0 {
		failf("the graph has no outputs")
	}
	for _, list := range [][]valueInfo{g.inputs, g.outputs} {
		for _, v := range list {
			for _, d := range v.dims {
				if d.known && d.value < openExtent {
					failf("%q has an extent of %d", v.name, d.value)
				}
			}
		}
	}
	g.checkNames()
}

// openExtent stands for an extent that is open, as some exporters write it.
const openExtent = -1

// checkNames refuses a name that two values of a graph, or of a graph inside of it, share.
func (g *graph) checkNames() {
	given := map[string]string{}
	add := func(name, what string) {
		if name == "" {
			return
		}
		if by, ok := given[name]; ok {
			failf("%q is the name of %s and of %s", name, by, what)
		}
		given[name] = what
	}
	for _, in := range g.inputs {
		add(in.name, "an input")
	}
	initialized := map[string]bool{}
	for _, t := range g.initializers {
		if initialized[t.name] {
			failf("%q is the name of two initializers", t.name)
		}
		initialized[t.name] = true
		if _, ok := given[t.name]; !ok {
			add(t.name, "an initializer")
		}
	}
	for _, n := range g.nodes {
		for _, name := range n.outputs {
			add(name, fmt.Sprintf("an output of node %d (%s)", n.index, n.op))
		}
		for _, a := range n.attributes {
			if a.graph != nil {
				a.graph.checkNames()
			}
		}
	}
}
