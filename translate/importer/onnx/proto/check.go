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

// Check refuses a function that gives two values one name.
func (f *Function) Check() (err error) {
	defer catch(&err)
	names := names{}
	for _, name := range f.Inputs {
		names.add(name, "an input of function "+f.Name)
	}
	names.addNodes(f.Nodes)
	return nil
}

// openExtent stands for an extent that is open, as some exporters write it.
const openExtent = -1

// names has what the values of a graph are called, with what has the name.
type names map[string]string

// add refuses a name that another value has. The empty one is none.
func (given names) add(name, what string) {
	if name == "" {
		return
	}
	if by, ok := given[name]; ok {
		failf("%q is the name of %s and of %s", name, by, what)
	}
	given[name] = what
}

func (given names) addNodes(nodes []*Node) {
	for _, n := range nodes {
		for _, name := range n.Outputs {
			given.add(name, fmt.Sprintf("an output of node %d (%s)", n.Index, n.Op))
		}
		for _, a := range n.Attributes {
			if a.Graph != nil {
				a.Graph.checkNames()
			}
		}
	}
}

// checkNames refuses a name that two values of a graph, or of a graph inside of it, share. An initializer may have the
// name of an input, whose default it is.
func (g *Graph) checkNames() {
	given, initialized := names{}, map[string]bool{}
	for _, in := range g.Inputs {
		given.add(in.Name, "an input")
	}
	for _, t := range g.Initializers {
		if initialized[t.Name] {
			failf("%q is the name of two initializers", t.Name)
		}
		initialized[t.Name] = true
		if _, ok := given[t.Name]; !ok {
			given.add(t.Name, "an initializer")
		}
	}
	given.addNodes(g.Nodes)
}
