package tileexact

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
)

// pieces does the calls of a program whose cores take rows in pieces.
type pieces struct {
	p             *program.Program
	rows, cols    int
	piece, passes int
	cores         []pieceCore
	// work does a piece of a row, n columns from the first, in a pass; end does what
	// is left at the end of the row, gather looks in a piece of a table before that.
	work   func(core *pieceCore, pass, first, n int, at map[int]part) error
	gather func(core *pieceCore, c *program.Call, objects []*memory) error
	end    func(core *pieceCore, at map[int]part) error
}

// pieceCore is how far a core has come, and what it remembers of its row.
type pieceCore struct {
	row   int
	units int // pieces seen, of all passes
	state any // of work; nil at the start of a row
}

func newPieces(p *program.Program, w *workload.Normalize, g *mapping.Mapping) *pieces {
	x := &pieces{p: p, rows: w.Rows, cols: w.Cols, piece: g.TK, passes: max(1, w.Passes)}
	for i := range p.Cores {
		x.cores = append(x.cores, pieceCore{row: i})
	}
	return x
}

func (x *pieces) call(core int, c *program.Call, objects []*memory) error {
	k := &x.cores[core]
	count := (x.cols + x.piece - 1) / x.piece
	produced(x.p, core, c, objects)
	if c.Kernel != "gather" && c.Kernel != "finish" {
		if k.units == x.passes*count {
			*k = pieceCore{row: k.row + len(x.cores)}
		}
		k.units++
	}
	if k.row >= x.rows {
		return nil
	}
	at := parts(x.p, c, objects)
	switch c.Kernel {
	case "reduce", "rescale":
		first := (k.units - 1) % count * x.piece
		return x.work(k, (k.units-1)/count, first, min(x.piece, x.cols-first), at)
	case "gather":
		return x.gather(k, c, objects)
	case "finish":
		return x.end(k, at)
	}
	return fmt.Errorf("no such kernel")
}
