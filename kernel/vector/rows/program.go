package rows

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/fold"
)

const (
	// tileRows are summed at once, with tileCols columns: of 16 registers one is for each sum, for each row, and for a
	// column.
	tileRows, tileCols = 3, 4
	line               = 64 // bytes
	// longestPart is how many elements of a column are multiplied at once, so that the elements of tileCols columns
	// stay in the first-level cache.
	longestPart = 1024
	// fewTiles is how many tiles widen elements themselves: for more of them, a part of the columns is widened once.
	fewTiles = 2
)

// Words of the call block.
const (
	wordA      = iota // the first row
	wordB             // the first column
	wordSums          // of the first row and column, which the code adds to
	wordGroups        // of columns
	wordWide          // memory for a widened part of a group
	wordFault
	words
)

// product is sums of products of all rows with groups of columns. The depth is done in parts.
type product struct {
	*vector.Builder   // while the program is being written
	lanes             int
	b                 dtype.DType
	rows, cols, depth int
	aRow              int // bytes from a row to the next
	bColumn           int // bytes from a column to the next
	sumRow            int // bytes from the sums of a row to the next row's
}

// parts is in how many parts of equal length a depth is done: the fewest that are short enough, if a few more than that
// divide it, or one.
func (p *product) parts() int {
	least := (p.depth + longestPart - 1) / longestPart
	for n := least; n <= 4*least; n++ {
		if p.depth%(n*p.lanes) == 0 {
			return n
		}
	}
	return 1
}

// tiles is how many tiles of rows there are; the last may be lower.
func (p *product) tiles() int { return (p.rows + tileRows - 1) / tileRows }

// widens reports whether parts of columns are widened before they are multiplied.
func (p *product) widens() bool { return p.b != dtype.F32 && p.tiles() > fewTiles }

// part is how many elements of a column a part has.
func (p *product) part() int { return p.depth / p.parts() }

// wideColumn is the bytes from a widened column to the next: not as far as lines that share a set of the cache.
func (p *product) wideColumn() int { return 4*p.part() + line }

// columns are a part of a group of columns in memory, of elements of a type.
type columns struct {
	at     vector.Val
	of     dtype.DType
	column int // bytes from a column to the next
}

// load reads a vector of a column, from an element behind the address on.
func (p *product) load(c columns, at vector.Val, col, element int) vector.Val {
	_, mem := vector.Element(c.of)
	return p.Load(vector.F32, at, vector.Access{Mem: mem, Offset: col*c.column + element*c.of.Size()})
}

// program writes the loops over groups of columns and over parts of the depth.
func (p product) program() *vector.Program {
	p.Builder = vector.NewBuilder("rows", p.lanes)
	count, bytes := p.parts(), p.part()*p.b.Size()
	p.Loop(p.Arg(wordGroups), 1, nil, func(group vector.Val, _ []vector.Val) []vector.Val {
		b, sums := p.Along(p.Arg(wordB), group, p.cols*p.bColumn), p.Along(p.Arg(wordSums), group, 4*p.cols)
		p.Loop(p.Word(count), 1, nil, func(part vector.Val, _ []vector.Val) []vector.Val {
			c := columns{p.Along(b, part, bytes), p.b, p.bColumn}
			next := p.Offset(c.at, bytes)
			if toGroup := p.cols*p.bColumn - count*bytes; count == 1 {
				next = p.Offset(next, toGroup)
			} else { // behind the last part follows the first one of the next group
				last := p.OpImm(vector.WordSigned, 63, p.Op(vector.WordSub, p.Word(count-2), part)) // -1 if it is, and 0
				next = p.Along(next, last, -toGroup)
			}
			if p.widens() {
				c = p.widen(c)
			}
			p.allTiles(p.Along(p.Arg(wordA), part, 4*p.part()), sums, next, c)
			return nil
		})
		return nil
	})
	return p.Optimised()
}

// widen writes the copy of a part of the columns as f32.
func (p *product) widen(c columns) columns {
	wide := columns{p.Arg(wordWide), dtype.F32, p.wideColumn()}
	p.Loop(p.Word(p.part()), p.lanes, nil, func(i vector.Val, _ []vector.Val) []vector.Val {
		from, to := p.Along(c.at, i, c.of.Size()), p.Along(wide.at, i, 4)
		for col := range p.cols {
			p.Store(p.load(c, from, col, 0), to, vector.Access{Offset: col * wide.column})
		}
		return nil
	})
	return wide
}

// allTiles writes the tiles of a part. Each fetches columns of the part that comes next, as many as all of them take
// together, and goes on with groups behind that if there are more tiles.
func (p *product) allTiles(a, sums, next vector.Val, c columns) {
	full, rest := p.rows/tileRows, p.rows%tileRows
	fetched := (p.cols + p.tiles() - 1) / p.tiles() // by a tile
	if full > 0 {
		p.Loop(p.Word(full), 1, nil, func(n vector.Val, _ []vector.Val) []vector.Val {
			a, sums := p.Along(a, n, tileRows*p.aRow), p.Along(sums, n, tileRows*p.sumRow)
			p.tile(tileRows, a, sums, c, p.Along(next, n, fetched*p.bColumn), fetched)
			return nil
		})
	}
	if rest > 0 {
		a, sums, next := p.Offset(a, full*tileRows*p.aRow), p.Offset(sums, full*tileRows*p.sumRow), p.Offset(next, full*fetched*p.bColumn)
		p.tile(rest, a, sums, c, next, max(0, p.cols-full*fetched))
	}
}

// tile writes the sums of some rows, a vector of the depth at a time.
func (p *product) tile(rows int, a, sums vector.Val, c columns, next vector.Val, fetched int) {
	acc := make([]vector.Val, rows*p.cols)
	for i := range acc {
		acc[i] = p.Float(vector.F32, 0)
	}
	once := max(1, line/c.of.Size()/p.lanes) // vectors in a turn of the loop: as many as a line has, if that divides them
	if p.part()/p.lanes%once != 0 {
		once, fetched = 1, 0
	}
	acc = p.Loop(p.Word(p.part()), once*p.lanes, acc, func(i vector.Val, acc []vector.Val) []vector.Val {
		acc = append([]vector.Val(nil), acc...)
		for col := range fetched { // runs of columns are too short for the processor to fetch the next ones ahead
			p.Prefetch(p.Along(next, i, p.b.Size()), col*p.bColumn)
		}
		inA, inB := p.Along(a, i, 4), p.Along(c.at, i, c.of.Size())
		for v := range once {
			var x [tileRows]vector.Val
			for row := range rows {
				x[row] = p.Load(vector.F32, inA, vector.Access{Offset: row*p.aRow + 4*v*p.lanes})
			}
			for col := range p.cols {
				y := p.load(c, inB, col, v*p.lanes)
				for row := range rows {
					n := row*p.cols + col
					acc[n] = p.Op(vector.MulAdd, x[row], y, acc[n])
				}
			}
		}
		return acc
	})
	for row := range rows {
		to := vector.Access{Offset: row * p.sumRow, Count: p.cols}
		s := fold.Sums(p.Builder, acc[row*p.cols:(row+1)*p.cols])
		p.Store(p.Op(vector.Add, s, p.Load(vector.F32, sums, to)), sums, to)
	}
}
