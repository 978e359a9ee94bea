package transpose

import "github.com/go-acap/acap/kernel/vector"

// Words of the call block.
const (
	wordFrom   = iota // address of the matrix in the source
	wordTo            // and in the destination
	wordFirst         // strip
	wordStrips        // how many
	wordFault
	words
)

// aheadTiles is how many tiles ahead rows are fetched.
const aheadTiles = 2

// program writes the copy of some strips of a matrix.
func (p *plan) program() *vector.Program {
	lanes := p.vector / 4
	if p.square {
		lanes = p.high()
	}
	b := vector.NewBuilder(p.name, lanes)
	b.Loop(b.Arg(wordStrips), 1, nil, func(n vector.Val, _ []vector.Val) []vector.Val {
		column := within(b, b.Op(vector.WordMulAdd, b.Op(vector.WordAdd, b.Arg(wordFirst), n), b.Word(p.wide), b.Word(0)), p.columns, p.wide)
		from := b.Along(b.Arg(wordFrom), column, p.size)
		to := b.Along(b.Arg(wordTo), column, p.column)
		b.Loop(b.Word(p.rows), p.high(), nil, func(row vector.Val, _ []vector.Val) []vector.Val {
			row = within(b, row, p.rows, p.high())
			p.tile(b, b.Along(from, row, p.row), b.Along(to, row, p.size))
			return nil
		})
		return nil
	})
	return b.Optimised()
}

// within returns the start of a piece that ends at n at the latest: at, or n less the piece's length.
func within(b *vector.Builder, at vector.Val, n, piece int) vector.Val {
	if n%piece == 0 {
		return at
	}
	last := b.Word(n - piece)
	return b.Op(vector.WordMulAdd, b.Op(vector.WordBelow, last, at), b.Op(vector.WordSub, last, at), at)
}

// tile writes the copy of a tile.
func (p *plan) tile(b *vector.Builder, from, to vector.Val) {
	if p.ahead {
		for row := range p.high() {
			b.PrefetchNear(from, (aheadTiles*p.high()+row)*p.row)
		}
	}
	if p.square {
		p.wholeTile(b, from, to)
		return
	}
	each := p.each()
	for first := 0; first < p.wide/each; first += p.groups {
		groups := min(p.groups, p.wide/each-first)
		rows := make([][]vector.Val, groups)
		for row := range each { // the pieces of a line one after the other
			for g := range groups {
				rows[g] = append(rows[g], p.load(b, from, row, first+g))
			}
		}
		for g := range groups {
			for n, v := range Parts(b, rows[g], p.size) {
				b.Store(v, to, vector.Access{Offset: ((first+g)*each + n) * p.column})
			}
		}
	}
}

// wholeTile writes the copy of a tile that is a square of vectors.
func (p *plan) wholeTile(b *vector.Builder, from, to vector.Val) {
	kind := vector.I32
	if p.size == 8 {
		kind = vector.I64
	}
	var rows []vector.Val
	for row := range p.high() {
		rows = append(rows, b.Load(kind, from, vector.Access{Offset: row * p.row}))
	}
	for n, v := range Square(b, rows) {
		b.Store(v, to, vector.Access{Offset: n * p.column})
	}
}

// load reads a part of each of several rows into one vector. The rows are as many rows apart as a part has elements, so
// each part of a column ends with the elements of neighbouring rows.
func (p *plan) load(b *vector.Builder, from vector.Val, row, group int) vector.Val {
	a := vector.Access{Offset: row*p.row + group*partBytes, Stride: p.each() * p.row}
	if p.vector == partBytes {
		a.Stride = 0
		return b.Load(vector.Bytes, from, a)
	}
	return b.Strided(vector.Bytes, from, a)
}
