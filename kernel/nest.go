package kernel

// Nest is a loop nest. The outer loops are parallel. At each outer point the
// stages run one after the other; a stage runs its body at every point of the
// inner loops (a Once stage at none: just once), folds its reductions, and may
// keep values for later stages of the same outer point.
//
// A pointwise kernel has outer loops only and one stage. A row sum has one inner
// loop, a stage with a reduction, and a Once stage that stores it. Softmax has
// three stages: maximum; exp and its sum, keeping the exp; scale and store.
type Nest struct {
	Name   string
	Outer  []int // extents, outermost first
	Inner  []int // extents, outermost first
	Access []Access
	Stages []Stage
}

// Access is a port of a nest: where it is at each point of the loops.
type Access struct {
	Port
	Offset int   // elements
	Outer  []int // stride in elements of each outer loop
	Inner  []int // stride in elements of each inner loop
}

// Stage is one pass over the inner loops.
type Stage struct {
	Once   bool // run the body once per outer point, with all inner indices 0
	Body   Body
	Reduce []Reduction
	// Keep lists instructions whose values later stages read with Kept: one value
	// for each inner point, or one for the outer point if the stage is Once.
	Keep []int
}

// Ports implements [Kernel].
func (n *Nest) Ports() []Port {
	ports := make([]Port, len(n.Access))
	for i, a := range n.Access {
		ports[i] = a.Port
	}
	return ports
}
