package mapper

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program/build"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// Map returns the fastest mapping of the kernel on a coarse grid of tile sizes.
// It is an error when the kernel is invalid, when the machine cannot compute
// with its element types, or when nothing fits.
func Map(m *machine.Machine, w *workload.Kernel) (*Choice, error) { return run(m, w, false) }

// Search is Map over every legal tile size. Errors are those of [Map].
func Search(m *machine.Machine, w *workload.Kernel) (*Choice, error) { return run(m, w, true) }

// Within is Map on at most cols columns and rows rows of cores. Errors are those of [Map].
func Within(m *machine.Machine, w *workload.Kernel, cols, rows int) (*Choice, error) {
	return search{machine: m, kernel: w, cols: cols, rows: rows}.run()
}

// Styles lists the kernel styles of a machine that a product may be mapped with, by name.
func Styles(m *machine.Machine, w *workload.Kernel) []string {
	if w.Kind != workload.KindContraction {
		return nil
	}
	s := search{machine: m, kernel: w}
	return s.newProduct(&w.Contraction).styles()
}

// Larger is Map on more than the given number of cores. Errors are those of [Map].
func Larger(m *machine.Machine, w *workload.Kernel, cores int) (*Choice, error) {
	return search{machine: m, kernel: w, cols: m.Grid.Cols, rows: m.Grid.CoreRows, above: cores}.run()
}

// MapResident is Map with all of the right operand of a product, its weights, in a row of mem tiles
// from the start. The operand may take budget bytes of each of these tiles. Errors are those of [Map].
func MapResident(m *machine.Machine, w *workload.Kernel, row, budget int) (*Choice, error) {
	return search{machine: m, kernel: w, cols: m.Grid.Cols, rows: m.Grid.CoreRows, residentRow: row, budget: budget}.run()
}

// Retention names the arrays that remain in mem tiles between a kernel and the kernels before and after it.
type Retention struct {
	In, Out mapping.Retained
	Cols    int // of the mapping
	Block   int // neighbouring rows that a column has: see mapping.Retained
}

// MapRetained is Map with an operand taken from mem tiles and the result left there, by rows in blocks. Errors are
// those of [Map].
func MapRetained(m *machine.Machine, w *workload.Kernel, s Retention) (*Choice, error) {
	return search{machine: m, kernel: w, cols: s.Cols, rows: m.Grid.CoreRows, retention: s}.run()
}

func run(m *machine.Machine, w *workload.Kernel, full bool) (*Choice, error) {
	return search{machine: m, kernel: w, full: full, cols: m.Grid.Cols, rows: m.Grid.CoreRows}.run()
}

// run searches what a search asks for.
func (q search) run() (*Choice, error) {
	m, w := q.machine, q.kernel
	if rows := max(q.residentRow, q.retention.In.Row, q.retention.Out.Row); rows > m.Grid.MemRows {
		return nil, fmt.Errorf("mapper: nothing remains in row %d of mem tiles: %s has %d rows of them", rows, m.Name, m.Grid.MemRows)
	}
	if q.model == nil {
		var err error
		if q.model, err = timing.NewModel(m, w); err != nil {
			return nil, err
		}
	}
	s := q.begin()
	s.enumerate()
	if len(s.best) > 0 && m.Programmed() && build.Check(m, w, s.best[0].Mapping) != nil {
		// The machine has less than the enumeration takes care of.
		s = q.begin()
		s.strict = true
		s.enumerate()
	}
	return s.choice()
}

// begin returns a search that has not found anything.
func (q search) begin() *search {
	q.contention, q.promising = 256, math.Inf(1)
	q.rejected = make(map[reason]*Rejection)
	return &q
}

// enumerate offers all mappings and times those that can be among the best.
func (s *search) enumerate() {
	m, w := s.machine, s.kernel
	whole, fixed := mapping.Whole(m, w)
	switch {
	case fixed:
		s.offer(whole)
	case w.Kind == workload.KindContraction:
		s.contraction(&w.Contraction)
	case w.Kind == workload.KindConvolution:
		c := w.Convolution.AsContraction()
		if m.Grid.MemRows > 0 && s.retention.Block == 0 { // no strips are retained
			s.convolution(&w.Convolution, &c)
		}
		if m.Grid.MemRows == 0 || w.Convolution.Plain() { // or both compete
			s.contraction(&c)
		}
	case w.Kind == workload.KindAttention:
		s.attention(&w.Attention)
	case w.Kind == workload.KindMove:
		s.move()
	default:
		s.flat()
	}
	s.settle(len(s.contenders))
}

// shapes lists the sizes of the grid of cores to try, largest first, of those that have a
// place beside declared dead tiles: all of them in a full search, else halves, and where a
// column less gives more rows.
func (s *search) shapes() [][2]int {
	grid := &s.machine.Grid
	wanted := halves(s.cols, s.full)
	// Of streams there are no more than interface tiles have.
	if tiles := len(grid.ShimDMA); tiles < s.cols {
		wanted = append(wanted, halves(tiles, s.full)...)
	}
	var out [][2]int
	before := 0
	for c := s.cols; c >= 1; c-- {
		if s.retention.Block > 0 && c != s.cols {
			break
		}
		rows := min(grid.Tallest(c), s.rows)
		if rows > before || slices.Contains(wanted, c) {
			for _, r := range halves(rows, s.full) {
				out = append(out, [2]int{c, r})
			}
		}
		before = rows
	}
	return out
}

// fitting lists all sizes of the grid of cores that have a place, largest first: what fewer columns or rows allow is
// tried with more of them, too.
func (s *search) fitting() [][2]int {
	switch {
	case s.shape[0] > 0:
		return [][2]int{s.shape}
	case s.retention.Block > 0:
		return s.shapes()
	}
	var out [][2]int
	for cols := s.cols; cols >= 1; cols-- {
		for rows := min(s.machine.Grid.Tallest(cols), s.rows); rows >= 1; rows-- {
			out = append(out, [2]int{cols, rows})
		}
	}
	slices.SortStableFunc(out, func(a, b [2]int) int { return b[0]*b[1] - a[0]*a[1] })
	return out
}

func halves(n int, all bool) []int {
	var out []int
	for i := n; i >= 1; i-- {
		if all && n <= 16 || n <= 4 {
			out = append(out, i)
			continue
		}
		out = append(out, i)
		i = i/2 + 1
	}
	return out
}

// multiples lists tile sizes, largest first: unit times a factor, up to the
// extent rounded up and at most most. The coarse list has the least sizes that cut the
// extent into a few tiles, or into a power of two or one and a half of one, and the
// largest size.
func multiples(unit, extent, most int, all bool) []int {
	const few = 8
	whole := (extent + unit - 1) / unit // units that cover the extent
	limit := min(whole, max(1, most/unit))
	var out []int
	for f := limit; f >= 1; f-- {
		tiles := up(whole, f)
		least := f == up(whole, tiles)
		if all && limit <= 32 || f == limit || least && (tiles <= few || smooth(f) || smooth(tiles)) {
			out = append(out, f*unit)
		}
	}
	return out
}

// smooth reports whether n is a power of two, or one and a half of one.
func smooth(n int) bool {
	for n%2 == 0 {
		n /= 2
	}
	return n == 1 || n == 3
}
