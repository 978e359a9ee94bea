package tiles

import (
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/nest"
)

// Ending says where sums go at the end: to an epilogue, or to memory, where they wait.
type Ending struct {
	Epilogue *kernel.Epilogue // nil if the sums wait
	Port     int              // of the epilogue's first operand
	RowLoop  int              // of the epilogue, along rows
	LaneLoop int              // along lanes
	Flush    bool             // stores of bf16 may have zeros for numbers below the least normal one
}

// Ports is how many operands the epilogue has.
func (e *Ending) Ports() int {
	if e.Epilogue == nil {
		return 0
	}
	return len(e.Epilogue.Access)
}

// In returns what writes the epilogue in a program, nil if there is none.
func (e *Ending) In(b *vector.Builder) *nest.Epilogue {
	if e.Epilogue == nil {
		return nil
	}
	return nest.NewEpilogue(e.Epilogue, e.Port, e.LaneLoop, e.Flush).In(b)
}

// RowBytes is the bytes from a row of an operand of the epilogue to the next one.
func (e *Ending) RowBytes(port int) int {
	a := &e.Epilogue.Access[port]
	return a.Outer[e.RowLoop] * a.DType.Size()
}

// LaneBytes is the bytes from a lane of an operand of the epilogue to the next one.
func (e *Ending) LaneBytes(port int) int {
	a := &e.Epilogue.Access[port]
	return a.Outer[e.LaneLoop] * a.DType.Size()
}
