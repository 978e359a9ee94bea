package machine

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Grid2D is the family of plain grids of cells, with links to neighbours only.
const Grid2D Family = "systolic"

// Dataflow is which operand a systolic array keeps in its cells.
type Dataflow string

// SCALE-Sim's three dataflows.
const (
	OutputStationary Dataflow = "os"
	WeightStationary Dataflow = "ws"
	InputStationary  Dataflow = "is"
)

func (d Dataflow) known() bool {
	return d == OutputStationary || d == WeightStationary || d == InputStationary
}

func init() {
	register(family{Grid2D, cells{}, "systolic-RxC-os|ws|is[-I+F+OK@W]"}, preset{name: "systolic", make: func() *Machine {
		m := Systolic(32, 32, OutputStationary)
		m.Name = "systolic"
		return m
	}})
}

// Scratchpads are bytes of the three buffers of a systolic array: for the left operand, the right one (weights), and
// results. Each moves as much a cycle as the memory reads (DDR.Read).
type Scratchpads struct {
	Input  Constant `json:"input"`
	Filter Constant `json:"filter"`
	Output Constant `json:"output"`
}

// cells is the architecture of systolic arrays.
type cells struct{}

// Systolic returns a machine of rows × cols multiply-accumulate cells with the
// dataflow and buffers of SCALE-Sim: one MAC per cell and cycle, operands
// entering from two edges. It panics when an extent is not positive or the
// dataflow is unknown.
func Systolic(rows, cols int, d Dataflow) *Machine {
	if rows < 1 || cols < 1 {
		panic(fmt.Sprintf("machine: a systolic array of %d x %d", rows, cols))
	}
	if !d.known() {
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

// Style implements [Fixed]: a dataflow is all there is to map.
func (cells) Style(m *Machine) string { return string(*m.Systolic) }

// Product implements [Fixed].
func (cells) Product(m *Machine, rows, depth, cols int64) int64 {
	return m.Systolic.Cycles(m.Grid.CoreRows, m.Grid.Cols, rows, depth, cols)
}

// Cycles returns the cycles that SCALE-Sim counts for an M × K × N product on
// rows × cols cells: every fold of the stationary operand streams the moving
// ones through, skewed by one cycle per row and column. Like SCALE-Sim it is
// the index of the last cycle, one less than their number.
func (d Dataflow) Cycles(rows, cols int, m, k, n int64) int64 {
	r, c := int64(rows), int64(cols)
	folds := func(x, y int64) int64 { return ((x + r - 1) / r) * ((y + c - 1) / c) }
	switch d {
	case OutputStationary:
		return folds(m, n)*(k+r+c-2) - 1
	case WeightStationary:
		return folds(k, n)*(m+2*r+c-2) - 1
	}
	return folds(k, m)*(n+2*r+c-2) - 1
}

// Changes implements [Architecture].
func (cells) Changes() []Change {
	return []Change{
		bandwidth,
		{"half the rows of cells", func(m *Machine) { m.Grid.CoreRows = max(1, m.Grid.CoreRows/2) }},
		{"half the columns of cells", func(m *Machine) { m.Grid.Cols = max(1, m.Grid.Cols/2) }},
		{"twice rows and columns", func(m *Machine) {
			m.Grid.CoreRows, m.Grid.Cols = 2*m.Grid.CoreRows, 2*m.Grid.Cols
		}},
	}
}

// Upstream implements [Architecture].
func (cells) Upstream(*Machine) string { return "" }

var (
	cellsName = regexp.MustCompile(`^systolic-(\d{1,5})x(\d{1,5})-(os|ws|is)(?:-(\d{1,6})\+(\d{1,6})\+(\d{1,6})[Kk]@(\d{1,4}))?$`)
	cellsPads = regexp.MustCompile(`\b(\d+) ?\+ ?(\d+) ?\+ ?(\d+) ?ki?b\b`)
	cellsBand = regexp.MustCompile(`\bbw ?(\d+)\b`)
	cellsSize = regexp.MustCompile(`\b(\d+)x(\d+)\b`)
)

func (cells) named(name string) *Machine {
	g := cellsName.FindStringSubmatch(name)
	if g == nil {
		return nil
	}
	rows, _ := strconv.Atoi(g[1])
	cols, _ := strconv.Atoi(g[2])
	if rows < 1 || cols < 1 {
		return nil
	}
	m := Systolic(rows, cols, Dataflow(g[3]))
	if g[4] != "" {
		m.Name = fmt.Sprintf("%s-%s+%s+%sK@%s", m.Name, g[4], g[5], g[6], g[7])
		pad := func(kib string) Constant {
			n, _ := strconv.Atoi(kib)
			return assumed(float64(n)*1024, "B", "the name of the machine")
		}
		m.Scratchpads = Scratchpads{pad(g[4]), pad(g[5]), pad(g[6])}
		words, _ := strconv.Atoi(g[7])
		for _, c := range []*Constant{&m.DDR.Read, &m.DDR.Write, &m.DDR.PerShim} {
			*c = assumed(float64(words)*m.Clock.Value, "B/s", "the name of the machine, in bytes a cycle")
		}
		m.DDR.Total = assumed(2*m.DDR.Read.Value, "B/s", "the name of the machine")
	}
	return m
}

// find takes the size from the device and the dataflow from the work.
func (cells) find(device, work string) (string, error) {
	if !strings.Contains(device, "systolic") {
		return "", nil
	}
	size := cellsSize.FindStringSubmatch(device)
	if size == nil {
		return "", fmt.Errorf("device %q has no size", device)
	}
	for _, w := range strings.Fields(work) {
		if Dataflow(w).known() {
			name := fmt.Sprintf("systolic-%sx%s-%s", size[1], size[2], w)
			pads, band := cellsPads.FindStringSubmatch(device), cellsBand.FindStringSubmatch(work)
			if pads != nil && band != nil {
				name += fmt.Sprintf("-%s+%s+%sK@%s", pads[1], pads[2], pads[3], band[1])
			}
			return name, nil
		}
	}
	return "", fmt.Errorf("the row names no dataflow (os, ws or is)")
}

func (cells) check(v *checker, m *Machine) {
	v.grid(m, 1<<16)
	if p := &m.Scratchpads; *p != (Scratchpads{}) {
		const most = 1 << 24
		for i, c := range []Constant{p.Input, p.Filter, p.Output} {
			name := [...]string{"input", "filter", "output"}[i]
			v.require("scratchpads."+name, c.Value >= 1 && c.Value <= most, "is %v, want 1 to %d bytes: all three are set, or none", c, most)
		}
	}
	v.require("systolic", m.Systolic != nil && m.Systolic.known(), "must be os, ws or is")
}

// row implements [Architecture]: no interface row is drawn.
func (cells) row(_ *Machine, row int) string {
	if row == 0 {
		return ""
	}
	return "cells"
}
