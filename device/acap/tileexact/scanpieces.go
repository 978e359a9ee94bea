package tileexact

import (
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
)

// scanPieces lays out a scan whose lines are taken in pieces: a core carries on what
// the elements so far have folded to, floats in f64.
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
		line := piece
		if k.X.DType.IsFloat() {
			line = buf.New(dtype.F64, []int{n})
			for i := range n {
				line.SetFloat64(i, piece.Float64(i))
			}
		}
		skip := 0
		if carry, ok := core.state.(*buf.Buffer); ok {
			line, skip = joined(carry, line), 1
		}
		c := *k
		c.Lines = kernel.Lines{Outer: 1, N: line.Len(), Inner: 1}
		c.X = kernel.Port{DType: line.DType, Len: line.Len()}
		c.Out = kernel.Port{DType: line.DType, Len: line.Len(), Write: true}
		result := buf.New(line.DType, []int{line.Len()})
		if err := once(compile, &c, []*buf.Buffer{line, result}); err != nil {
			return err
		}
		last := buf.New(line.DType, []int{1})
		size := line.DType.Size()
		copy(last.Bytes(), result.Bytes()[(line.Len()-1)*size:][:size])
		core.state = last
		if k.X.DType.IsFloat() {
			for i := range n {
				piece.SetFloat64(i, result.Float64(skip+i))
			}
		} else {
			copy(piece.Bytes(), result.Bytes()[skip*size:])
		}
		copy(to.memory.data.Bytes()[to.offset:], piece.Bytes()[:n*piece.DType.Size()])
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
