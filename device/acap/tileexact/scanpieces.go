package tileexact

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// scanned is the fold of the elements of a line so far.
type scanned struct {
	fold *buf.Buffer // one element
	at   int64       // its position, if that is asked for
}

// scanPieces lays out a scan whose lines are taken in pieces: a core carries on what
// the elements so far have folded to, floats in f64, and of positions where that was.
func scanPieces(k *kernel.Scan, w *workload.Normalize, p *program.Program, g *mapping.Mapping,
	compile func(kernel.Kernel) (kernel.Code, error)) *layout {
	const in, out = 0, 1 // ports and arguments
	walk, length := w.Walk(w.In[0]), p.Args[out].Shape[1]
	x := newPieces(p, w, g)
	x.work = func(core *pieceCore, _, first, n int, at map[int]part) error {
		from, to := at[in], at[out]
		piece := buf.New(k.X.DType, []int{n})
		if err := arrange(&from, walk, piece, core.row*k.N+first, n); err != nil {
			return err
		}
		line, skip := accumulators(piece), 0
		before, later := core.state.(scanned)
		if later {
			line, skip = joined(before.fold, line), 1
		}
		result, err := scanLine(k, line, compile)
		if err != nil {
			return err
		}
		last := line.Len() - 1
		if !k.Positions {
			core.state = scanned{fold: one(result, last)}
			write(to, result, skip, n, k.Out.DType)
			return nil
		}
		for i := range result.Len() {
			if place := result.Int64(i); later && place == 0 {
				result.SetInt64(i, before.at)
			} else {
				result.SetInt64(i, place+int64(first-skip))
			}
		}
		extreme := one(line, 0)
		if at := result.Int64(last); !later || at != before.at {
			extreme = one(line, int(at)-first+skip)
		}
		core.state = scanned{extreme, result.Int64(last)}
		write(to, result, skip, n, k.Out.DType)
		return nil
	}
	return &layout{terms: float64(k.N), inputs: []placing{dense(in, in, k.X.Len)},
		outputs: []placing{{out, out, func(put func(int, int)) {
			for row := range w.Rows {
				for i := range k.N {
					put(row*length+i, (row/k.Inner*k.N+i)*k.Inner+row%k.Inner)
				}
			}
		}}},
		compute: func(*program.Program) (func(int, *program.Call, []*memory) error, error) {
			return x.call, nil
		}}
}

// accumulators gives the elements in the type in which they are folded.
func accumulators(piece *buf.Buffer) *buf.Buffer {
	if !piece.DType.IsFloat() {
		return piece
	}
	line := buf.New(dtype.F64, []int{piece.Len()})
	for i := range line.Len() {
		line.SetFloat64(i, piece.Float64(i))
	}
	return line
}

// scanLine scans one line as k scans its own.
func scanLine(k *kernel.Scan, line *buf.Buffer, compile func(kernel.Kernel) (kernel.Code, error)) (*buf.Buffer, error) {
	result := buf.New(line.DType, []int{line.Len()})
	if k.Positions {
		result = buf.New(dtype.I64, []int{line.Len()})
	}
	c := *k
	c.Lines = kernel.Lines{Outer: 1, N: line.Len(), Inner: 1}
	c.X = kernel.Port{DType: line.DType, Len: line.Len()}
	c.Out = kernel.Port{DType: result.DType, Len: line.Len(), Write: true}
	return result, once(compile, &c, []*buf.Buffer{line, result})
}

// one copies one element.
func one(from *buf.Buffer, i int) *buf.Buffer {
	out, size := buf.New(from.DType, []int{1}), from.DType.Size()
	copy(out.Bytes(), from.Bytes()[i*size:][:size])
	return out
}

// write puts n elements from the one numbered skip on where a piece lies.
func write(to part, from *buf.Buffer, skip, n int, d dtype.DType) {
	piece := buf.New(d, []int{n})
	for i := range n {
		if d.IsFloat() {
			piece.SetFloat64(i, from.Float64(skip+i))
		} else {
			piece.SetInt64(i, from.Int64(skip+i))
		}
	}
	copy(to.memory.data.Bytes()[to.offset:], piece.Bytes()[:n*d.Size()])
}
