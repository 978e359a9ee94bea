package proto

import "fmt"

// Check refuses a graph of a file that gives two values one name, has an output of no name twice,
// or an extent that no tensor has.
func (g *Graph) Check() (err error) {
	defer catch(&err)
	if len(g.Outputs) == 0 {
		failf("the graph has no outputs")
	}
	for _, list := range [][]ValueInfo{g.Inputs, g.Outputs} {
		for _, v := range list {
			for _, d := range v.Dims {
				if d.Known && d.Value < openExtent {
					failf("%q has an extent of %d", v.Name, d.Value)
				}
			}
		}
	}
	g.checkNames()
	return nil
}

// openExtent stands for an extent that is open, as some exporters write it.
const openExtent = -1

// checkNames refuses a name that two values of a graph, or of a graph inside of it, share.
func (g *Graph) checkNames() {
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
	for _, in := range g.Inputs {
		add(in.Name, "an input")
	}
	initialized := map[string]bool{}
	for _, t := range g.Initializers {
		if initialized[t.Name] {
			failf("%q is the name of two initializers", t.Name)
		}
		initialized[t.Name] = true
		if _, ok := given[t.Name]; !ok {
			add(t.Name, "an initializer")
		}
	}
	for _, n := range g.Nodes {
		for _, name := range n.Outputs {
			add(name, fmt.Sprintf("an output of node %d (%s)", n.Index, n.Op))
		}
		for _, a := range n.Attributes {
			if a.Graph != nil {
				a.Graph.checkNames()
			}
		}
	}
}
