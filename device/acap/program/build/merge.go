package build

import (
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// merges builds sorts of lines that do not fit a core. First every block of TK elements
// is sorted. Then, round by round of a network, cores take two sorted blocks from memory
// outside and give back the lower half of both and the upper. Elements travel with their
// positions, in the arrays of the results; those that fill up a block come last.
type merges struct {
	*share
	n              *workload.Normalize
	blocks         int // of a line
	pairs          [][][2]int
	first, later   int    // steps: blocks to sort, pairs to merge
	x, taken, kept stream // unsorted, sorted on the way in and out
	idle           [2]int // blocks for cores that have no pair
}

func newMerges(b *builder, n *workload.Normalize) *merges {
	g := &b.mapping
	s := &merges{n: n, blocks: up(n.Cols, g.TK)}
	s.share = &share{builder: b, unit: g.TK, tile: 1, cols: g.Cols, rows: g.Rows}
	s.pairs = mapping.Merges(s.blocks)
	all := n.Rows * s.blocks
	s.idle = [2]int{all, all + 1}
	s.first = up(all+2, g.Cores())
	for _, round := range s.pairs {
		s.later += up(n.Rows*len(round), g.Cores())
	}
	in := n.In[0]
	in.Walk = n.Walk(in)
	x := member{Member: timing.Member{Each: g.TK, Stream: in}}
	b.p.Args = append(b.p.Args, x.walked("in0"))
	s.x.members = []member{x}
	for i, out := range n.Out {
		m := member{timing.Member{Each: g.TK, Stream: workload.Stream{DType: out.DType}}, 1 + i}
		s.taken.members = append(s.taken.members, m)
		b.p.Args = append(b.p.Args, program.Arg{Name: [2]string{"out0", "out1"}[i], DType: out.DType,
			Shape: []int{s.first * g.Cores(), g.TK}, Output: true})
	}
	s.kept.members = s.taken.members
	return s
}

func (b *builder) merges(n *workload.Normalize) {
	s := newMerges(b, n)
	s.connectIn(0, &s.x)
	s.connectIn(1, &s.taken)
	s.connectOut(0, &s.kept)
	for col := range s.cols {
		for row := range s.rows {
			b.p.Cores = append(b.p.Cores, s.program(col, row))
		}
	}
	if b.err == nil {
		s.hostMerges()
	}
}

// bytes returns the bytes of memory that a core needs.
func (s *merges) bytes() int {
	bytes := 0
	for _, st := range []*stream{&s.x, &s.taken, &s.kept} {
		o, _ := s.bundle(st)
		bytes += s.depth(st) * machine.Aligned(o.Bytes())
	}
	return bytes
}

func (s *merges) program(col, row int) program.Core {
	x, in, out := s.x.inner[col][row], s.taken.inner[col][row], s.kept.inner[col][row]
	sorted := []program.Stmt{program.Acquire{FIFO: x, N: 1}, program.Acquire{FIFO: out, Produce: true, N: 1},
		program.Call{Kernel: "sort", Args: []program.ObjectRef{{FIFO: x}, {FIFO: out}},
			Cycles: s.cycles(s.timing.Sort)},
		program.Release{FIFO: x, N: 1}, program.Release{FIFO: out, Produce: true, N: 1}}
	merged := []program.Stmt{program.Acquire{FIFO: in, N: 2}, program.Acquire{FIFO: out, Produce: true, N: 2},
		program.Call{Kernel: "merge", Cycles: s.cycles(s.timing.Merge), Args: []program.ObjectRef{{FIFO: in},
			{FIFO: in, Index: 1}, {FIFO: out}, {FIFO: out, Index: 1}}},
		program.Release{FIFO: in, N: 2}, program.Release{FIFO: out, Produce: true, N: 2}}
	core := program.Core{Tile: s.coreAt(col, row), Body: []program.Stmt{program.Loop{Count: s.first, Body: sorted}}}
	if s.later > 0 {
		core.Body = append(core.Body, program.Loop{Count: s.later, Body: merged})
	}
	return core
}

// hostMerges sends what is to be sorted, then, round by round, the pairs. A round needs
// all results of the one before.
func (s *merges) hostMerges() {
	cores := s.cols * s.rows
	var results []int
	for step := range s.first {
		s.each(&s.x, step, s.sendBlock)
		results = s.each(&s.kept, step, s.block)
	}
	s.await(results)
	for _, round := range s.pairs {
		for step := range up(s.n.Rows*len(round), cores) {
			// One block of all cores of a column, then the other.
			for half := range 2 {
				block := func(f, unit int) int { return s.block(f, s.pair(round, unit)[half]) }
				s.each(&s.taken, step, block)
				results = s.each(&s.kept, step, block)
			}
			if s.err != nil {
				return
			}
		}
		s.await(results)
	}
}

// pair returns the blocks that a unit of a round merges.
func (s *merges) pair(round [][2]int, unit int) [2]int {
	line := unit / len(round)
	if line >= s.n.Rows {
		return s.idle
	}
	pair := round[unit%len(round)]
	return [2]int{pair[0] + line*s.blocks, pair[1] + line*s.blocks}
}

// each moves what a step of every core needs, and returns the last tasks. Core c has the
// units c, c + cores, c + 2·cores …
func (s *share) each(st *stream, step int, move func(fifo, unit int) int) []int {
	var tasks []int
	for col := range s.cols {
		for k := range s.rows {
			f := st.outer[col][min(k, len(st.outer[col])-1)]
			tasks = append(tasks, move(f, (step*s.cols+col)*s.rows+k))
		}
	}
	return tasks
}

// sendBlock sends a block to sort.
func (s *merges) sendBlock(f, unit int) int {
	line, start := unit/s.blocks, unit%s.blocks*s.unit
	count := min(s.unit, s.n.Cols-start)
	if line >= s.n.Rows {
		count = 0
	}
	return s.fetch(f, s.x.members[0], line*s.n.Cols+start, count, s.unit)
}

// block moves a sorted block and returns the task.
func (s *merges) block(f, n int) int {
	last := 0
	for _, m := range s.kept.members {
		last = s.task(f, m.arg, n*s.unit, dim(s.unit, 1))
	}
	return last
}
