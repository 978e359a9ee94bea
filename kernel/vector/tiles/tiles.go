package tiles

import (
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/nest"
)

// Tiles has the facts that the code of tiles depends on. Distances are bytes.
type Tiles struct {
	Multiply
	Rows, Low     int  // rows of a tile, and of each tile at the bottom, 0 if these have all
	Vectors, Tail int  // of a row of a tile, and the lanes of the last vector that are in use, 0 for all
	Depth         int  // steps
	OnePanel      bool // in each call
	OneTile       bool // in each panel

	ARow, AStep int
	BStep       int // between rows of a panel
	Panel       int // between panels
	Head        int // of a panel, in front of its rows
	Columns     int // of a panel that is not the last

	Masked bool // behind the lanes in use of the last vector, B has nothing that may be read
	Packs  int  // where the first tile of a panel reads rows so far apart, and writes them for the other tiles; else 0
	Alone  bool // a panel may have lower tiles alone; then the first of them packs
	Starts bool // the sums start at the numbers in front of the panel's rows
	Waits  bool // the sums start at sums that wait

	RowStarts int // where in a row of A is a number that its sums start at too; 0 if there is none

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
	wordPacked
	wordFetch
	wordSums
	wordPorts
)

// writer writes a program.
type writer struct {
	*Tiles
	*vector.Builder
	epilogue *nest.Epilogue
	signs    vector.Val // of bytes, where A is shifted
}

// panel is a panel, and the tile of it that is written.
type panel struct {
	rows, fetch vector.Val   // of B, and of what is fetched
	sums        vector.Val   // that wait, of the panel's first tile
	ports       []vector.Val // likewise
}

// program writes the loops over panels and tiles. They have nothing that would be worth moving out of a loop.
func (t *Tiles) program(target vector.Backend) *vector.Program {
	b := vector.NewBuilder("tiles", target.VectorBytes()/t.Kind.Size()).For(target)
	w := &writer{Tiles: t, Builder: b}
	w.epilogue = t.In(b)
	if t.Shifted {
		w.signs = b.Bits(vector.I32, 0x80808080)
	}
	fetches := t.Fetch.Rounds > 0
	carried := []vector.Val{b.Arg(wordB)}
	if fetches {
		carried = append(carried, b.Arg(wordFetch))
	}
	w.each(t.OnePanel, wordPanels, carried, func(n above, c []vector.Val) []vector.Val {
		p := &panel{rows: c[0]}
		if fetches {
			p.fetch = c[1]
		}
		w.place(p, n)
		w.panel(p)
		if t.OnePanel {
			return c
		}
		next := []vector.Val{b.Offset(c[0], t.Panel)}
		switch {
		case fetches && t.Fetch.Panels:
			next = append(next, b.Offset(next[0], t.Panel))
		case fetches:
			next = append(next, w.below(c[1], above{b.Arg(wordTiles), b.Arg(wordLow)}, t.Fetch.Bytes(), t.Fetch.Bytes()))
		}
		return next
	})
	return b.Program()
}

// place finds where sums and operands of a panel's first tile are.
func (w *writer) place(p *panel, n above) {
	if w.Waits || w.Epilogue == nil {
		p.sums = w.below(w.Arg(wordSums), n, w.Columns*w.Kind.Size())
	}
	for i := range w.Ports() {
		p.ports = append(p.ports, w.below(w.Arg(wordPorts+i), n, w.Columns*w.LaneBytes(i)))
	}
}

// each writes a body as often as a word says, in a loop unless that is always once. The body gets how many are done.
func (w *writer) each(once bool, word int, carried []vector.Val, body func(done above, carried []vector.Val) []vector.Val) []vector.Val {
	if once {
		return body(nil, carried)
	}
	return w.Loop(w.Arg(word), 1, carried, func(n vector.Val, c []vector.Val) []vector.Val { return body(above{n}, c) })
}

// panel writes the tiles of a panel. If the panel is to be packed, its first tile packs.
func (w *writer) panel(p *panel) {
	var packs []vector.Val
	if w.Packs != 0 {
		packs = []vector.Val{w.Arg(wordFirst)}
	}
	packs = w.each(w.OneTile, wordTiles, packs, func(n above, packs []vector.Val) []vector.Val { return w.tile(p, n, w.Rows, packs) })
	if w.Low == 0 {
		return
	}
	if !w.Alone {
		packs = nil
	}
	w.Loop(w.Arg(wordLow), 1, packs, func(n vector.Val, packs []vector.Val) []vector.Val {
		return w.tile(p, above{w.Arg(wordTiles), n}, w.Low, packs)
	})
}

// above is how many tiles of all rows are above a tile, and of a lower tile how many lower ones; nothing if none ever is.
type above []vector.Val

// below moves an address behind the tiles above, by the bytes of each tile with all rows and of each lower tile.
func (w *writer) below(at vector.Val, tiles above, bytes ...int) vector.Val {
	for i, n := range tiles {
		at = w.Along(at, n, bytes[i])
	}
	return at
}

// tile writes a tile of some rows. It packs if there is a word that is 1, and returns the word for the next tile.
func (w *writer) tile(p *panel, n above, rows int, packs []vector.Val) []vector.Val {
	waiting := p.sums
	if w.Waits || w.Epilogue == nil {
		waiting = w.below(waiting, n, w.Rows*w.Sums, w.Low*w.Sums)
	}
	a := w.below(w.Arg(wordA), n, w.Rows*w.ARow, w.Low*w.ARow)
	sums := w.start(p, a, waiting, w.sumRows(rows)*w.Vectors)
	depth := func(packs bool) {
		in := &inner{writer: w, height: rows, packs: packs, row: w.Vals(w.ColumnVectors(w.Vectors)), sums: sums}
		in.depth(in.begin(p, a, n))
	}
	if packs == nil {
		depth(false)
	} else {
		w.When(packs[0], func() { depth(true) })
		w.When(w.Op(vector.WordSub, w.Word(1), packs[0]), func() { depth(false) })
	}
	if w.Squares() {
		sums = w.straight(sums, rows)
	}
	w.end(p, n, rows, waiting, sums)
	for i := range packs {
		packs[i] = w.Word(0)
	}
	return packs
}

// begin is the state of a tile in front of its steps.
func (i *inner) begin(p *panel, a vector.Val, n above) state {
	s := state(i.Vals(i.words()))
	s[stateA] = a
	switch {
	case i.packs:
		s[stateB], s[i.packed()] = p.rows, i.Arg(wordPacked)
	case i.Packs != 0:
		s[stateB] = i.Arg(wordPacked)
	default:
		s[stateB] = i.Offset(p.rows, i.Head)
	}
	if i.Fetch.Rounds > 0 {
		s[i.fetched()] = i.below(p.fetch, n, i.Fetch.Bytes(), i.Fetch.Bytes())
	}
	return s
}

// end writes what becomes of the sums of a tile.
func (w *writer) end(p *panel, n above, rows int, waiting vector.Val, sums []vector.Val) {
	if w.Epilogue == nil {
		for n, v := range sums {
			w.Store(v, waiting, vector.Access{Offset: n/w.Vectors*w.Sums + n%w.Vectors*w.vectorBytes()})
		}
		return
	}
	var ports []vector.Val
	for i, at := range p.ports {
		ports = append(ports, w.below(at, n, w.Rows*w.RowBytes(i), w.Low*w.RowBytes(i)))
	}
	for j := range w.Vectors {
		count := 0
		if j == w.Vectors-1 {
			count = w.Tail
		}
		for row := range rows {
			w.epilogue.WriteVector(sums[row*w.Vectors+j], ports, w.RowLoop, row, j, count)
		}
	}
}

func (w *writer) vectorBytes() int { return w.Lanes() * w.Kind.Size() }

// start returns variables for count sums, with their values before the first step.
func (w *writer) start(p *panel, a, waiting vector.Val, count int) []vector.Val {
	if !w.Waits && !w.Starts {
		return w.Zeros(w.Kind, count)
	}
	sums := w.Vals(count)
	for i := range sums {
		sums[i] = w.Variable(w.Kind)
		row, j := i/w.Vectors, i%w.Vectors
		if w.Waits {
			w.SetLoad(sums[i], waiting, vector.Access{Offset: row*w.Sums + j*w.vectorBytes()})
			continue
		}
		w.SetLoad(sums[i], p.rows, vector.Access{Offset: j * w.vectorBytes()})
		if w.RowStarts != 0 {
			w.Set(sums[i], vector.Add, 0, sums[i], w.Splat(w.Kind, a, vector.Access{Offset: row*w.ARow + w.RowStarts}))
		}
	}
	return sums
}
