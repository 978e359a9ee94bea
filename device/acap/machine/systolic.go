package machine

import "fmt"

// Systolic returns a machine of rows × cols multiply-accumulate cells with the
// dataflow and buffers of SCALE-Sim: one MAC per cell and cycle, operands
// entering from two edges. It panics when an extent is not positive or the
// dataflow is unknown.
func Systolic(rows, cols int, d Dataflow) *Machine {
	if rows < 1 || cols < 1 {
		panic(fmt.Sprintf("machine: a systolic array of %d x %d", rows, cols))
	}
	if d != OutputStationary && d != WeightStationary && d != InputStationary {
		panic(fmt.Sprintf("machine: no dataflow %q", string(d)))
	}
	const scale = "SCALE-Sim"
	one := map[string]Constant{"any": datasheet(1, "op/cycle", scale)}
	return &Machine{
		Name:  fmt.Sprintf("systolic-%dx%d-%s", rows, cols, d),
		Title: fmt.Sprintf("systolic array of %d x %d cells, %s (SCALE-Sim)", rows, cols, d),

		Family: Grid2D, Systolic: &d,
		Grid:  Grid{Cols: cols, CoreRows: rows},
		Clock: assumed(1e9, "Hz", "SCALE-Sim counts cycles only"),
		Compute: Compute{
			MACs:  one,
			Lanes: one,
			Styles: map[string]Style{"cells": {
				Efficiency: datasheet(1, "", scale)}},
			LoadBytes:  assumed(2, "B/cycle", scale),
			StoreBytes: assumed(1, "B/cycle", scale),
		},
		DDR: DDR{
			Read:    assumed(10e9, "B/s", "SCALE-Sim USER bandwidth 10 words/cycle"),
			Write:   assumed(10e9, "B/s", "SCALE-Sim USER bandwidth 10 words/cycle"),
			Total:   assumed(20e9, "B/s", "SCALE-Sim USER bandwidth 10 words/cycle"),
			PerShim: assumed(10e9, "B/s", "SCALE-Sim USER bandwidth 10 words/cycle"),
		},
		Energy: nominalEnergy(),
	}
}
