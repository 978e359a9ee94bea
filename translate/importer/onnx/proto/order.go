package proto

// sort puts nodes behind those whose results they need, as the format asks for and some exporters do not do. Nodes that
// are in order stay as they are. The nodes of a circle stay too, and the first of them lacks an input. So it does in
// the graphs of their attributes.
func (g *Graph) sort() {
	for _, n := range g.Nodes {
		sortGraphs(n.Attributes)
	}
	maker := map[string]int{}
	for i, n := range g.Nodes {
		for _, name := range n.Outputs {
			if name != "" {
				maker[name] = i
			}
		}
	}
	needs, sorted := make([][]int, len(g.Nodes)), true
	for i, n := range g.Nodes {
		n.VisitNames(func(name string) {
			if j, ok := maker[name]; ok && j != i {
				needs[i] = append(needs[i], j)
				sorted = sorted && j < i
			}
		})
	}
	if sorted {
		return
	}
	const fresh, open, done = 0, 1, 2
	state, order := make([]int, len(g.Nodes)), make([]*Node, 0, len(g.Nodes))
	for first := range g.Nodes {
		for stack := []int{first}; len(stack) > 0; {
			i := stack[len(stack)-1]
			if state[i] == fresh {
				state[i] = open
				for k := len(needs[i]) - 1; k >= 0; k-- {
					if state[needs[i][k]] == fresh {
						stack = append(stack, needs[i][k])
					}
				}
				continue
			}
			stack = stack[:len(stack)-1]
			if state[i] == open {
				state[i] = done
				order = append(order, g.Nodes[i])
			}
		}
	}
	g.Nodes = order
}

func sortGraphs(attributes map[string]*Attribute) {
	for _, a := range attributes {
		if a.Graph != nil {
			a.Graph.sort()
		}
	}
}

// VisitNames visits the names of the values that a node and its subgraphs need from outside.
func (n *Node) VisitNames(visit func(name string)) {
	for _, name := range n.Inputs {
		visit(name)
	}
	for _, a := range n.Attributes {
		if a.Graph == nil {
			continue
		}
		inside := map[string]bool{}
		for _, in := range a.Graph.Inputs {
			inside[in.Name] = n.Op != "If" // a branch declares inputs for names around it
		}
		for _, t := range a.Graph.Initializers {
			inside[t.Name] = true
		}
		for _, p := range a.Graph.Nodes {
			for _, name := range p.Outputs {
				inside[name] = true
			}
		}
		outside := func(name string) {
			if !inside[name] {
				visit(name)
			}
		}
		for _, p := range a.Graph.Nodes {
			p.VisitNames(outside)
		}
		for _, out := range a.Graph.Outputs {
			outside(out.Name)
		}
		if n.Op == "If" {
			for _, in := range a.Graph.Inputs {
				visit(in.Name)
			}
		}
	}
}
