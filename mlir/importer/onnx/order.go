package onnx

// sort puts nodes behind those whose results they need, as the format asks for and some exporters do not do. Nodes
// that are in order stay as they are; those of a circle, too, whose first one then lacks an input.
func (g *graph) sort() {
	maker := map[string]int{}
	for i, n := range g.nodes {
		for _, name := range n.outputs {
			if name != "" {
				maker[name] = i
			}
		}
	}
	needs, sorted := make([][]int, len(g.nodes)), true
	for i, n := range g.nodes {
		n.visitNames(func(name string) {
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
	state, order := make([]int, len(g.nodes)), make([]*nodeProto, 0, len(g.nodes))
	for first := range g.nodes {
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
				order = append(order, g.nodes[i])
			}
		}
	}
	g.nodes = order
}

// visitNames visits the names of values that a node needs, those that its subgraphs take from around them too.
func (n *nodeProto) visitNames(visit func(name string)) {
	for _, name := range n.inputs {
		visit(name)
	}
	for _, a := range n.attributes {
		if a.graph == nil {
			continue
		}
		inside := map[string]bool{}
		for _, in := range a.graph.inputs {
			inside[in.name] = n.op != "If" // a branch declares inputs for names around it
		}
		for _, t := range a.graph.initializers {
			inside[t.name] = true
		}
		for _, p := range a.graph.nodes {
			for _, name := range p.outputs {
				inside[name] = true
			}
		}
		outside := func(name string) {
			if !inside[name] {
				visit(name)
			}
		}
		for _, p := range a.graph.nodes {
			p.visitNames(outside)
		}
		for _, out := range a.graph.outputs {
			outside(out.name)
		}
		if n.op == "If" {
			for _, in := range a.graph.inputs {
				visit(in.name)
			}
		}
	}
}
