package plan

import (
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/mlir"
)

// Forecast is the memory that a program takes, in bytes, known before it runs.
type Forecast struct {
	// Run counts the memory of a run beside its inputs and results: values between kernels, the scratch of all workers,
	// values that are computed once from constant inputs, and packed operands.
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

// forecastNow finds out what does not depend on the number of threads, while the tensors are known.
func (p *Plan) forecastNow() Forecast {
	var f Forecast
	for _, r := range p.Results {
		f.Results = buf.AddBytes(f.Results, int64(r.Bytes))
	}
	for i := range p.Slots {
		s := &p.Slots[i]
		if s.t == nil {
			continue
		}
		if s.t.Kind == graph.Constant {
			f.Constants = buf.AddBytes(f.Constants, int64(s.Bytes))
		}
		if len(s.t.Writers) > 0 {
			n := s.t.Writers[0]
			f.large(LargeValue{int64(s.Bytes), s.t.DType, n.Op.Name, n.Op.Loc})
		}
	}
	return f
}

// large adds a value to the largest, if it is one of them; the first of equal ones comes first.
func (f *Forecast) large(v LargeValue) {
	at := len(f.Largest)
	for at > 0 && f.Largest[at-1].Bytes < v.Bytes {
		at--
	}
	if at < mostLarge {
		f.Largest = slices.Insert(f.Largest[:min(len(f.Largest), mostLarge-1)], at, v)
	}
}
