package tiles

import (
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/nest"
)

// Tiles is what the code of tiles depends on. Distances are bytes.
type Tiles struct {
	Multiply
	Rows, Low     int // rows of a tile, and of the last tile of some rows, 0 if that has all
	Vectors, Tail int // of a row of a tile, and the lanes of the last vector that are in use, 0 for all
	Depth         int // steps

	ARow, AStep int
	BStep       int // between rows of a panel
	Panel       int // between panels
	Head        int // of a panel, in front of its rows
	Columns     int // of a panel that is not the last

	Masked bool // behind the lanes in use of the last vector, B has nothing that may be read
	Packs  int  // where the first tile of a panel reads rows so far apart, and writes them for the other tiles; else 0
	Alone  bool // a panel may have no tile but the lower one, which packs then
	Starts bool // the sums start at the numbers in front of the panel's rows
	Waits  bool // the sums start at sums that wait

	RowAhead     int                // how far ahead rows of B are fetched, 0 if they are not
	PackingAhead int                // likewise while a tile packs
	FarA         bool               // the rows of the next tile are fetched
	EachEmbeds   func(row int) bool // whether each multiplication reads the element of A; never if nil
	Fetch        Fetch

	Sums int // between rows of sums that wait
	Ending
}

// Unroll is the number of steps in one round of the inner loop.
const Unroll = 4

// Words of the call block.
const (
	wordA = iota
	wordB
	wordPanels
	wordTiles
	wordLow
	wordFirst
	wordFirstLow
	wordPacked
	wordFetch
	wordAll
	wordSums
	wordPorts
)

// writer writes a program.
type writer struct {
	*Tiles
	*vector.Builder
	epilogue *nest.Epilogue
}

// panel is a panel, and the tile of it that is written.
type panel struct {
	rows, fetch vector.Val   // of B, and of what is fetched
	sums        vector.Val   // that wait, of the panel's first tile
	ports       []vector.Val // likewise
}

// program writes the loops over panels and tiles.
func (t *Tiles) program(target vector.Backend) *vector.Program {
	b := vector.NewBuilder("tiles", target.VectorBytes()/t.Kind.Size()).For(target)
	w := &writer{Tiles: t, Builder: b}
	w.epilogue = t.In(b)
	fetches := t.Fetch.Rounds > 0
	carried := []vector.Val{b.Arg(wordB)}
	if fetches {
		carried = append(carried, b.Arg(wordFetch))
	}
	b.Loop(b.Arg(wordPanels), 1, carried, func(n vector.Val, c []vector.Val) []vector.Val {
		p := &panel{rows: c[0]}
		if fetches {
			p.fetch = c[1]
		}
		w.place(p, n)
		w.panel(p)
		next := []vector.Val{b.Offset(c[0], t.Panel)}
		switch {
		case fetches && t.Fetch.Panels:
			next = append(next, b.Offset(next[0], t.Panel))
		case fetches:
			next = append(next, b.Along(c[1], b.Arg(wordAll), t.Fetch.Bytes()))
		}
		return next
	})
	p := b.Program()
	p.Hoist()
	return p
}

// place finds where sums and operands of a panel's first tile are.
func (w *writer) place(p *panel, n vector.Val) {
	if w.Waits || w.Epilogue == nil {
		p.sums = w.Along(w.Arg(wordSums), n, w.Columns*w.Kind.Size())
	}
	for i := range w.Ports() {
		p.ports = append(p.ports, w.Along(w.Arg(wordPorts+i), n, w.Columns*w.LaneBytes(i)))
	}
}

// panel writes the tiles of a panel: first the one that packs, if there is one.
func (w *writer) panel(p *panel) {
	at := func(n vector.Val) vector.Val { return n }
	if w.Packs != 0 {
		zero := w.Word(0)
		w.When(w.Arg(wordFirst), func() { w.tile(p, zero, w.Rows, true) })
		if w.Low > 0 && w.Alone {
			w.When(w.Arg(wordFirstLow), func() { w.tile(p, zero, w.Low, true) })
		}
		at = func(n vector.Val) vector.Val { return w.Op(vector.WordAdd, n, w.Arg(wordFirst)) }
	}
	w.Loop(w.Arg(wordTiles), 1, nil, func(n vector.Val, _ []vector.Val) []vector.Val {
		w.tile(p, at(n), w.Rows, false)
		return nil
	})
	if w.Low > 0 {
		w.When(w.Arg(wordLow), func() { w.tile(p, at(w.Arg(wordTiles)), w.Low, false) })
	}
}

// tile writes a tile of some rows, below n tiles of all rows.
func (w *writer) tile(p *panel, n vector.Val, rows int, packs bool) {
	sums := p.sums
	if w.Waits || w.Epilogue == nil {
		sums = w.Along(sums, n, w.Rows*w.Sums)
	}
	in := &inner{writer: w, height: rows, packs: packs, row: make([]vector.Val, w.ColumnVectors(w.Vectors))}
	s := make(state, in.words()+w.sumRows(rows)*w.Vectors)
	s[stateA] = w.Along(w.Arg(wordA), n, w.Rows*w.ARow)
	w.start(p, sums, s[in.words():])
	switch {
	case packs:
		s[stateB], s[in.packed()] = p.rows, w.Arg(wordPacked)
	case w.Packs != 0:
		s[stateB] = w.Arg(wordPacked)
	default:
		s[stateB] = w.Offset(p.rows, w.Head)
	}
	if w.Fetch.Rounds > 0 {
		s[in.fetched()] = w.Along(p.fetch, n, w.Fetch.Bytes())
	}
	last := in.depth(s)[in.words():]
	if w.Squares() {
		last = w.straight(last, rows)
	}
	if w.Epilogue == nil {
		w.each(last, func(row, j int, v vector.Val) {
			w.Store(v, sums, vector.Access{Offset: row*w.Sums + j*w.vectorBytes()})
		})
		return
	}
	var ports []vector.Val
	for i, at := range p.ports {
		ports = append(ports, w.Along(at, n, w.Rows*w.RowBytes(i)))
	}
	for j := range w.Vectors {
		count := 0
		if j == w.Vectors-1 {
			count = w.Tail
		}
		for row := range rows {
			w.epilogue.WriteVector(last[row*w.Vectors+j], ports, w.RowLoop, row, j, count)
		}
	}
}

func (w *writer) vectorBytes() int { return w.Lanes() * w.Kind.Size() }

// each calls f with the row and the place in it of each vector of sums.
func (w *writer) each(sums []vector.Val, f func(row, j int, v vector.Val)) {
	for n, v := range sums {
		f(n/w.Vectors, n%w.Vectors, v)
	}
}

// start writes what the sums are before the first step.
func (w *writer) start(p *panel, sums vector.Val, list []vector.Val) {
	w.each(list, func(row, j int, _ vector.Val) {
		v := &list[row*w.Vectors+j]
		switch {
		case w.Waits:
			*v = w.Load(w.Kind, sums, vector.Access{Offset: row*w.Sums + j*w.vectorBytes()})
		case w.Starts && row > 0:
			*v = list[j]
		case w.Starts:
			*v = w.Load(w.Kind, p.rows, vector.Access{Offset: j * w.vectorBytes()})
		default:
			*v = w.Bits(w.Kind, 0)
		}
	})
}
