package engine

import (
	"cmp"
	"slices"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
)

// Forecast is what a program takes of memory, in bytes, known before it runs.
type Forecast struct {
	// Run is what a run needs beside its inputs and results: values between kernels, the
	// scratch of all workers, what is computed once from constant inputs, and operands in
	// packed forms.
	Run int64
	// Constants is the data that is part of the program.
	Constants int64
	Results   int64
	// Largest are the largest values in memory, results included, largest first.
	Largest []LargeValue
}

// LargeValue is a value that lies in memory.
type LargeValue struct {
	Bytes int64
	DType dtype.DType
	Op    string // the operation that computes it
	Loc   mlir.Location
}

// mostLarge bounds the values that a forecast names.
const mostLarge = 5

// Forecast returns what the program takes of memory.
func (p *Program) Forecast() Forecast {
	f := p.forecast
	f.Run = p.Memory()
	return f
}

// forecastNow finds out what does not depend on the number of threads, while the tensors are known.
func (p *Program) forecastNow() Forecast {
	var f Forecast
	for _, r := range p.results {
		f.Results = buf.AddBytes(f.Results, int64(r.bytes))
	}
	for i := range p.slots {
		s := &p.slots[i]
		if s.t == nil {
			continue
		}
		if s.t.kind == kindConstant {
			f.Constants = buf.AddBytes(f.Constants, int64(s.bytes))
		}
		if len(s.t.writers) > 0 {
			n := s.t.writers[0]
			f.Largest = append(f.Largest, LargeValue{int64(s.bytes), s.t.dtype, n.op.Name, n.op.Loc})
		}
	}
	slices.SortStableFunc(f.Largest, func(a, b LargeValue) int { return cmp.Compare(b.Bytes, a.Bytes) })
	f.Largest = slices.Clone(f.Largest[:min(len(f.Largest), mostLarge)])
	return f
}
