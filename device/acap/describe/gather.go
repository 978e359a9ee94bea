package describe

import "github.com/go-acap/acap/kernel"

// Gather is an instruction that reads at a computed place.
type Gather struct {
	Stage, Instr int
	Port         int
	Row          bool // it reads once for every point of a row, not once for the row
	Round        int  // how many reads at computed places its place depends on in turn
}

// Gathers lists the reads of a nest at computed places, in the order of the program.
func Gathers(n *kernel.Nest) []Gather {
	var out []Gather
	after := make([][]int, len(n.Stages)) // by stage and instruction: rounds before it is known
	reduced := make([]int, len(n.Stages)) // before the reductions and kept values of a stage
	for s := range n.Stages {
		stage := &n.Stages[s]
		for k, i := range stage.Body {
			round := 0
			for _, from := range i.Operands() {
				round = max(round, after[s][from])
			}
			switch i.Op {
			case kernel.Acc, kernel.Kept:
				round = reduced[i.Port]
			case kernel.LoadAt:
				out = append(out, Gather{Stage: s, Instr: k, Port: i.Port,
					Row: len(n.Inner) > 0 && !stage.Once, Round: round})
				round++
			}
			after[s] = append(after[s], round)
			reduced[s] = max(reduced[s], round)
		}
	}
	return out
}
