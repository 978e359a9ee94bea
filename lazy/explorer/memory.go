package explorer

import (
	"context"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/engine"
)

// Memory says what a run holds in memory while each kernel runs: the part "memory".
type Memory struct {
	Steps   []MemoryStep  `json:"steps"`
	Blocks  []MemoryBlock `json:"blocks"`  // by the time at which they begin
	Run     int64         `json:"run"`     // bytes of a run at its peak, beside the inputs
	Kept    int64         `json:"kept"`    // bytes that the program keeps between runs
	Largest []LargeValue  `json:"largest"` // the largest values
}

// MemoryStep is a kernel and the bytes that are in use meanwhile.
type MemoryStep struct {
	Kernel  int   `json:"kernel"` // in Compiled.Kernels
	Between int64 `json:"between"`
	Inputs  int64 `json:"inputs"`
	Results int64 `json:"results"`
	Kept    int64 `json:"kept"`
}

// MemoryBlock is memory that one kernel writes and others read.
type MemoryBlock struct {
	Bytes int64  `json:"bytes"`
	First int    `json:"first"` // in Memory.Steps
	Last  int    `json:"last"`
	Use   string `json:"use"`
}

// LargeValue is a value of the program that takes much memory.
type LargeValue struct {
	Bytes int64  `json:"bytes"`
	Op    string `json:"op"`
	Calls []int  `json:"calls"`
}

// mostBlocks bounds the blocks that are listed.
const mostBlocks = 4000

func (e *Explorer) memoryPart(ctx context.Context, _ string) (any, error) {
	p, err := e.programOf(ctx)
	if err != nil {
		return nil, err
	}
	exe, err := e.executable(ctx)
	if err != nil {
		return nil, err
	}
	takes := exe.Memory()
	m := &Memory{Run: takes.Run, Kept: takes.Kept, Steps: []MemoryStep{}, Blocks: []MemoryBlock{}}
	for _, v := range takes.Largest {
		m.Largest = append(m.Largest, LargeValue{v.Bytes, v.Op, callsOf(v.Loc)})
	}
	g, ok := exe.(grouper)
	if !ok {
		return m, nil
	}
	next := 0
	for _, group := range g.Groups() {
		first := len(m.Steps)
		for range group.Program.Kernels() {
			for next < len(p.Kernels) && (p.Kernels[next].Kind == device.Fallback || p.Kernels[next].Group != group.Name) {
				next++
			}
			m.Steps = append(m.Steps, MemoryStep{Kernel: next})
			next++
		}
		for _, l := range group.Program.Lifetimes() {
			m.add(first, l)
		}
	}
	return m, nil
}

// add adds memory of a group whose first step is given.
func (m *Memory) add(first int, l engine.Lifetime) {
	for i := first + l.First; i <= first+l.Last; i++ {
		s := &m.Steps[i]
		*map[engine.Use]*int64{engine.Between: &s.Between, engine.Argument: &s.Inputs, engine.Result: &s.Results,
			engine.Kept: &s.Kept}[l.Use] += int64(l.Bytes)
	}
	if l.Use != engine.Kept && l.Use != engine.Argument && len(m.Blocks) < mostBlocks {
		m.Blocks = append(m.Blocks, MemoryBlock{int64(l.Bytes), first + l.First, first + l.Last, l.Use.String()})
	}
}
