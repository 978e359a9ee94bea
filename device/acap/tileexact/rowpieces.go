package tileexact

import (
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// rowPieces is a nest whose rows are taken in pieces. Of a row a core remembers what
// its reductions have come to; a pass does again what those before it did for the
// elements of its piece.
type rowPieces struct {
	*tiles
	w      *workload.Normalize
	stages []int // by pass
}

// reduction is one of a stage.
type reduction struct{ stage, number int }

// rowState is what a core remembers of a row.
type rowState struct {
	results map[reduction]*buf.Buffer         // so far; halves are summed in f32
	best    map[reduction]map[int]*buf.Buffer // operands, by access, at the place found so far
	column  map[reduction]int                 // which is this one
	values  map[int]*buf.Buffer               // accesses with one value for the row
	found   *found
}

// inPieces lays out a nest whose rows are taken in pieces: arrays with an order of
// their own as they lie, others in the order of the kernel.
func (f *flat) inPieces(l *layout, i int, s workload.Stream, arg int, shape []int) {
	a := &f.n.Access[i]
	row, col := f.offsets(a)
	place := placing{arg: arg, port: i}
	f.bind(i, arg, []int{0, 0}, nil)
	if a.Write {
		if !varies(col) { // the value of a row, in the first element of a word
			col = col[:1]
		}
		place.each = func(put func(int, int)) {
			for r, at := range row {
				for c, within := range col {
					put(r*shape[1]+c, at+within)
				}
			}
		}
		l.outputs = append(l.outputs, place)
		return
	}
	w := f.order.Walk(s)
	f.walks[i] = w
	place.each = func(put func(int, int)) {
		for r, at := range row {
			for c := range w.Row() {
				put(r*w.Outer[0].Stride+c, at+col[c])
			}
		}
	}
	l.inputs = append(l.inputs, place)
}

func newRowPieces(f *flat, p *program.Program, g *mapping.Mapping) *pieces {
	r := &rowPieces{tiles: &tiles{flat: f, p: p}, w: f.order}
	for i, s := range f.n.Stages {
		if !s.Once {
			r.stages = append(r.stages, i)
		}
	}
	x := newPieces(p, f.order, g)
	x.work, x.gather, x.end = r.work, r.look, r.end
	return x
}

func (r *rowPieces) state(k *pieceCore) *rowState {
	if k.state == nil {
		k.state = &rowState{results: make(map[reduction]*buf.Buffer), column: make(map[reduction]int),
			best: make(map[reduction]map[int]*buf.Buffer), values: make(map[int]*buf.Buffer)}
	}
	return k.state.(*rowState)
}

// work does one piece in one pass.
func (r *rowPieces) work(k *pieceCore, pass, first, n int, at map[int]part) error {
	s := r.state(k)
	in := make(map[int]*buf.Buffer)
	for i := range r.n.Access {
		if err := r.load(i, k.row, first, n, at, in); err != nil {
			return err
		}
		if b := in[i]; b != nil && (r.args[i] < 0 || r.walks[i].Row() == 1) {
			s.values[i] = b
		}
	}
	outs, stage := make(map[int]*buf.Buffer), -1
	if len(r.stages) > 0 {
		stage = r.stages[pass]
	}
	if pass == max(1, len(r.stages))-1 {
		for i := range r.n.Access {
			if a := &r.n.Access[i]; a.Write && r.isAlong(a) {
				outs[i] = buf.New(a.DType, []int{n})
			}
		}
	}
	var folds, args []int
	for i, d := range r.n.Stages[stage].Reduce {
		if d.Kind == kernel.ReduceArgMax || d.Kind == kernel.ReduceArgMin {
			args = append(args, i)
		} else {
			folds = append(folds, i)
		}
	}
	t := &strip{r: r, state: s, row: k.row, cols: columns(first, n), in: in, outs: outs}
	if err := t.fold(stage, folds); err != nil {
		return err
	}
	for i, b := range outs {
		o := at[r.args[i]]
		copy(o.memory.data.Bytes()[o.offset:], b.Bytes())
	}
	for _, i := range args {
		if err := r.seek(s, k.row, reduction{stage, i}, first, n, in); err != nil {
			return err
		}
	}
	return nil
}

// isAlong reports whether an access has an element for every column of a row.
func (r *rowPieces) isAlong(a *kernel.Access) bool {
	for i, n := range r.n.Inner {
		if n > 1 && a.Inner[i] != 0 {
			return true
		}
	}
	return false
}

// load reads what an access sees of a piece, if it is there.
func (r *rowPieces) load(i, row, first, n int, at map[int]part, in map[int]*buf.Buffer) error {
	a := &r.n.Access[i]
	if a.Write || slices.Contains(r.passing, i) {
		return nil
	}
	if r.args[i] < 0 {
		in[i] = r.scalars[i]
		return nil
	}
	p, ok := at[r.args[i]]
	if !ok {
		return nil
	}
	w := r.walks[i]
	start, count := row*w.Row()+first, n
	if w.Row() == 1 {
		start, count = row, 1
	}
	in[i] = buf.New(a.DType, []int{count})
	return arrange(&p, w, in[i], start, count)
}

// columns are the n indices from the first on.
func columns(first, n int) *buf.Buffer {
	b := buf.New(dtype.I64, []int{n})
	for i := range n {
		b.SetInt64(i, int64(first+i))
	}
	return b
}

// fold goes on with the numbered reductions of a stage, all of which fold values, and computes outs.
func (t *strip) fold(stage int, numbers []int) error {
	var reduce []kernel.Reduction
	for _, i := range numbers {
		d := t.r.n.Stages[stage].Reduce[i]
		d.Type, d.Init = started(d)
		if b := t.state.results[reduction{stage, i}]; b != nil {
			d.Init = bits(b)
		}
		reduce = append(reduce, d)
	}
	results, err := t.run(stage, reduce, nil)
	if err != nil {
		return err
	}
	for k, i := range numbers {
		t.state.results[reduction{stage, i}] = results[k]
	}
	return nil
}

// started is the type in which a reduction is carried on, and its start value.
func started(d kernel.Reduction) (dtype.DType, uint64) {
	b := buf.New(d.Type, []int{1})
	for i := range b.Bytes() {
		b.Bytes()[i] = byte(d.Init >> (8 * i))
	}
	if d.Type == dtype.F16 || d.Type == dtype.BF16 {
		f := buf.New(dtype.F32, []int{1})
		f.SetFloat64(0, b.Float64(0))
		b = f
	}
	return b.DType, bits(b)
}

func bits(b *buf.Buffer) uint64 {
	v := uint64(0)
	for i, x := range b.Bytes()[:b.DType.Size()] {
		v |= uint64(x) << (8 * i)
	}
	return v
}

// seek goes on with a reduction that gives a place: among the place found so far, whose operands the core has kept, and
// the places of the piece.
func (r *rowPieces) seek(s *rowState, row int, d reduction, first, n int, in map[int]*buf.Buffer) error {
	cols, candidates := columns(first, n), in
	if best := s.best[d]; best != nil {
		candidates = make(map[int]*buf.Buffer)
		for i, b := range in {
			candidates[i] = b
			if best[i] != nil {
				candidates[i] = joined(best[i], b)
			}
		}
		kept := buf.New(dtype.I64, []int{1})
		kept.SetInt64(0, int64(s.column[d]))
		cols = joined(kept, cols)
	}
	t := &strip{r: r, state: s, row: row, cols: cols, in: candidates}
	seek := r.n.Stages[d.stage].Reduce[d.number]
	local := seek
	local.Arg = len(r.n.Stages[d.stage].Body) // the place among the candidates
	local.Type = dtype.I64
	results, err := t.run(d.stage, []kernel.Reduction{seek, local}, columns(0, cols.Len()))
	if err != nil {
		return err
	}
	s.results[d] = results[0]
	j := int(results[1].Int64(0))
	s.column[d], s.best[d] = int(cols.Int64(j)), make(map[int]*buf.Buffer)
	for i, b := range candidates {
		if b.Len() == cols.Len() && s.values[i] == nil {
			one := buf.New(b.DType, []int{1})
			size := b.DType.Size()
			copy(one.Bytes(), b.Bytes()[j*size:][:size])
			s.best[d][i] = one
		}
	}
	return nil
}

func joined(a, b *buf.Buffer) *buf.Buffer {
	out := buf.New(a.DType, []int{a.Len() + b.Len()})
	size := a.DType.Size()
	copy(out.Bytes(), a.Bytes()[:a.Len()*size])
	copy(out.Bytes()[a.Len()*size:], b.Bytes()[:b.Len()*size])
	return out
}

// end computes what there is once for the row.
func (r *rowPieces) end(k *pieceCore, at map[int]part) error {
	outs := make(map[int]*buf.Buffer)
	for i := range r.n.Access {
		if a := &r.n.Access[i]; a.Write {
			if _, ok := at[r.args[i]]; ok {
				outs[i] = buf.New(a.DType, []int{1})
			}
		}
	}
	s := r.state(k)
	t := &strip{r: r, state: s, row: k.row, in: s.values, outs: outs}
	if _, err := t.run(len(r.n.Stages)-1, nil, nil); err != nil {
		return err
	}
	for i, b := range outs {
		o := at[r.args[i]]
		copy(o.memory.data.Bytes()[o.offset:], b.Bytes())
	}
	return nil
}

// look looks in the piece of a table that passes by for what the row reads.
func (r *rowPieces) look(k *pieceCore, c *program.Call, objects []*memory) error {
	s := r.state(k)
	if s.found == nil {
		s.found = r.newFound(objects[len(objects)-len(r.passing):])
	}
	return r.pick(s.found, c, objects[0], 1, func(i int) (*buf.Buffer, error) {
		t := &strip{r: r, state: s, row: k.row, in: s.values, place: &r.gathers[i], gather: i}
		places, err := t.run(r.gathers[i].Stage, nil, nil)
		if err != nil {
			return nil, err
		}
		return places[0], nil
	})
}
