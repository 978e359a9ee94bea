package panel

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/transpose"
)

// Pieces splits a number into numbers of bf16 that sum to it: a piece is the number rounded to the nearest, and what it
// leaves is split on. A cell has the piece of element i of a step and, above it, the piece of element i+16. The cells
// of a piece of 16 rows lie alone, as squares of 16 by 16. The largest magnitudes of the numbers are kept, for each of
// 16 lanes of each square, as bits of f32, which are ordered like the numbers, with infinities and NaN behind them.
type Pieces struct {
	From  dtype.DType // f32, or what widens to it
	Count int         // pieces of a number
	// Across is the number of squares of a piece side by side.
	Across int
	// Bytes from a group of rows to the next one: of the source, of the squares, and of the magnitudes. MostRow is the
	// bytes from the magnitudes of a row to the next row's.
	Next, To, Most, MostRow int
}

// Words of the call block.
const (
	piecesFrom = iota
	piecesTo
	piecesMost
	piecesRow  // bytes between rows
	piecesHigh // bytes from an element to that 16 behind it
	piecesRows
	piecesCount
	piecesWords
)

// PiecesCode is the code of [Pieces].
type PiecesCode struct{ code }

// PiecesCall says what a call splits: groups of rows.
type PiecesCall struct {
	From, To, Most uintptr
	Row, High      int // bytes from a row to the next, and from an element to that 16 behind it
	Rows, Groups   int
}

// Split runs a call.
func (c *PiecesCode) Split(p *PiecesCall) {
	c.call(p.From, p.To, p.Most, uintptr(p.Row), uintptr(p.High), uintptr(p.Rows), uintptr(p.Groups))
}

// Build makes the code, for processors with vectors of 16 numbers.
func (p Pieces) Build(t vector.Backend) (*PiecesCode, error) {
	c, err := build(t, p.program, piecesWords)
	return &PiecesCode{c}, err
}

func (p Pieces) program() *vector.Program {
	b := vector.NewBuilder("pieces", vector.TileSide)
	at := []vector.Val{b.Arg(piecesFrom), b.Arg(piecesTo), b.Arg(piecesMost)}
	b.Loop(b.Arg(piecesCount), 1, at, func(_ vector.Val, at []vector.Val) []vector.Val {
		b.Loop(b.Arg(piecesRows), 1, at, func(_ vector.Val, row []vector.Val) []vector.Val {
			s := &splitter{Builder: b, from: p.From}
			for j := range p.Across {
				most := vector.Access{Offset: 64 * j}
				s.most = b.Load(vector.I32, row[2], most)
				low, high := s.load(row[0], j*vector.TileSide*p.From.Size()), s.load(b.Op(vector.WordAdd, row[0], b.Arg(piecesHigh)), j*vector.TileSide*p.From.Size())
				for n, cells := range s.split(low, high, p.Count) {
					b.Store(cells, row[1], vector.Access{Offset: (n*p.Across + j) * vector.TileBytes})
				}
				b.Store(s.most, row[2], most)
			}
			return []vector.Val{b.Op(vector.WordAdd, row[0], b.Arg(piecesRow)), b.Offset(row[1], vector.TileRow), b.Offset(row[2], p.MostRow)}
		})
		return []vector.Val{b.Offset(at[0], p.Next), b.Offset(at[1], p.To), b.Offset(at[2], p.Most)}
	})
	return b.Optimised()
}

// splitter splits vectors.
type splitter struct {
	*vector.Builder
	from dtype.DType
	most vector.Val // largest magnitudes
}

// load reads numbers as f32.
func (s *splitter) load(at vector.Val, offset int) vector.Val {
	_, mem := vector.Element(s.from)
	return s.Load(vector.F32, at, vector.Access{Mem: mem, Offset: offset})
}

// split returns the cells of each piece of two vectors.
func (s *splitter) split(low, high vector.Val, pieces int) (cells []vector.Val) {
	bits := func(v vector.Val) vector.Val { return v.As(vector.I32) }
	magnitude, upper := s.Bits(vector.I32, 0x7fffffff), s.Bits(vector.I32, 0xffff0000)
	for _, v := range []vector.Val{low, high} {
		s.most = s.Op(vector.MaxUnsigned, s.most, s.Op(vector.And, bits(v), magnitude))
	}
	for range pieces - 1 {
		x, y := s.Op(vector.Add, bits(low), s.Bits(vector.I32, 0x8000)), s.Op(vector.Add, bits(high), s.Bits(vector.I32, 0x8000))
		word := s.OpImm(vector.ShiftRight, 16, x)
		x, y = s.Op(vector.And, x, upper), s.Op(vector.And, y, upper)
		low, high = s.Op(vector.Sub, low, x.As(vector.F32)), s.Op(vector.Sub, high, y.As(vector.F32))
		cells = append(cells, s.Op(vector.Or, word, y))
	}
	return append(cells, s.Op(vector.Or, s.OpImm(vector.ShiftRight, 16, bits(low)), s.Op(vector.And, bits(high), upper)))
}

// PieceColumns is [Pieces] of columns that are contiguous: sixteen columns become rows of cells, which are
// transposed in the place of their square. Each column has its own magnitudes. Distances are bytes.
type PieceColumns struct {
	From   dtype.DType
	Count  int // pieces of a number
	Across int // squares of a piece side by side, of sixteen columns each
	Column int // between columns
	To     int // from the squares of a step to the next step's
}

// columnsAhead is how many steps ahead of those that are read a column is fetched.
const columnsAhead = 8

// Build makes the code, for processors with vectors of 16 numbers. A call has steps of 32 elements in the place of
// groups.
func (p PieceColumns) Build(t vector.Backend) (*PiecesCode, error) {
	c, err := build(t, p.program, piecesWords)
	return &PiecesCode{c}, err
}

func (p PieceColumns) program() *vector.Program {
	b := vector.NewBuilder("piece columns", vector.TileSide)
	size := p.From.Size()
	step := 2 * vector.TileSide * size // bytes of a step in a column
	at := []vector.Val{b.Arg(piecesFrom), b.Arg(piecesTo)}
	b.Loop(b.Arg(piecesCount), 1, at, func(_ vector.Val, at []vector.Val) []vector.Val {
		for j := range p.Across {
			place := func(piece, row int) vector.Access {
				return vector.Access{Offset: (piece*p.Across+j)*vector.TileBytes + vector.TileRow*row}
			}
			s := &splitter{Builder: b, from: p.From}
			for i := range vector.TileSide {
				offset, most := (j*vector.TileSide+i)*p.Column, vector.Access{Offset: 64 * (j*vector.TileSide + i)}
				s.most = b.Load(vector.I32, b.Arg(piecesMost), most)
				for line := 0; line < step; line += 64 {
					b.PrefetchNear(at[0], offset+columnsAhead*step+line)
				}
				for n, cells := range s.split(s.load(at[0], offset), s.load(at[0], offset+vector.TileSide*size), p.Count) {
					b.Store(cells, at[1], place(n, i))
				}
				b.Store(s.most, b.Arg(piecesMost), most)
			}
			for piece := range p.Count {
				rows := make([]vector.Val, vector.TileSide)
				for i := range rows {
					rows[i] = b.Load(vector.I32, at[1], place(piece, i))
				}
				for i, v := range transpose.Square(b, rows) {
					b.Store(v, at[1], place(piece, i))
				}
			}
		}
		return []vector.Val{b.Offset(at[0], step), b.Offset(at[1], p.To)}
	})
	return b.Optimised()
}
