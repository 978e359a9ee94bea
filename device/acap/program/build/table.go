package build

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// passing is tables that no core can keep. They pass by all cores of a column in
// pieces, once for every tile and round; a core picks up what its tile reads, and
// computes when it has all. A place that depends on what was read takes another round.
type passing struct {
	tables []table
	piece  int // bytes
	pieces int // of all tables
	rounds int
	depth  int
	outer  []int // by column; without mem tiles the same as inner
	inner  []int // by column
}

// table is one of them.
type table struct {
	arg    int
	pieces int
	reads  int // elements that a unit reads
	stream workload.Stream
}

// pass adds a table that passes by.
func (s *share) pass(name string, in workload.Stream) {
	t := &s.tables
	size := in.DType.Size()
	t.piece, t.depth = timing.TablePiece(s.machine), s.mapping.Depth
	each := t.piece / size
	b := table{arg: len(s.p.Args), pieces: up(in.Table, each), reads: in.Reads, stream: in}
	t.tables, t.pieces = append(t.tables, b), t.pieces+b.pieces
	t.rounds = max(t.rounds, in.Rounds)
	s.p.Args = append(s.p.Args, program.Arg{Name: "table" + name[len("in"):], Shape: []int{b.pieces, each},
		DType: in.DType})
}

// bytes is the memory that tables need in a core: for the pieces and for the elements that were picked up.
func (t *passing) bytes(s *share) int {
	n := t.depth * machine.Aligned(t.piece)
	for _, o := range t.kept(s) {
		n += machine.Aligned(o.Bytes())
	}
	if len(t.tables) == 0 {
		return 0
	}
	return n
}

// kept is the buffers of a core for what its tile reads of each table.
func (t *passing) kept(s *share) []program.Object {
	var out []program.Object
	for _, b := range t.tables {
		out = append(out, array([]int{s.tile, b.reads}, b.stream.DType))
	}
	return out
}

// connect makes the stream of a column: all its cores see every piece.
func (t *passing) connect(s *share) {
	if len(t.tables) == 0 {
		return
	}
	object := array([]int{t.piece}, dtype.U8)
	if len(t.tables) == 1 {
		d := t.tables[0].stream.DType
		object = array([]int{t.piece / d.Size()}, d)
	}
	for col := range s.cols {
		var to []program.Coord
		for row := range s.rows {
			to = append(to, s.coreAt(col, row))
		}
		outer, inner := s.inbound(inflow{fmt.Sprintf("table_%d", col), 2, object, object, nil, t.depth}, to)
		t.outer, t.inner = append(t.outer, outer), append(t.inner, inner...)
	}
}

// gather is the statements of a core for the pieces that pass by for one tile. The objects of its inputs say where it
// reads.
func (t *passing) gather(s *share, col int, inputs []program.ObjectRef) []program.Stmt {
	if len(t.tables) == 0 {
		return nil
	}
	f := t.inner[col]
	call := program.Call{Kernel: "gather", Args: append([]program.ObjectRef{{FIFO: f}}, inputs...),
		Cycles: s.cycles(s.timing.Gather / float64(t.rounds*t.pieces))}
	for i := range t.tables {
		call.Args = append(call.Args, program.ObjectRef{FIFO: -1, Index: i})
	}
	return []program.Stmt{program.Loop{Count: t.rounds * t.pieces,
		Body: []program.Stmt{program.Acquire{FIFO: f, N: 1}, call, program.Release{FIFO: f, N: 1}}}}
}

// host sends the tables for all steps.
func (t *passing) host(s *share) {
	if n := s.steps * t.rounds * t.pieces; n > maxPieces {
		s.fail("%w: %d pieces of tables pass by each core, and %d may", ErrTooLong, n, maxPieces)
		return
	}
	for col := range t.outer {
		for range s.steps * t.rounds {
			for _, b := range t.tables {
				s.task(t.outer[col], b.arg, 0, dim(s.p.Args[b.arg].Elements(), 1))
			}
		}
	}
}
