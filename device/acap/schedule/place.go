package schedule

import (
	"slices"

	"github.com/go-acap/acap/base/parallel"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/timing"
)

// Options are the ways in which launches can run.
type Options interface {
	// Legal reports whether a launch can run at the place of its mapping.
	Legal(l *Launch) bool
	// Narrow returns the best mapping of a launch's kernel on at most cols columns and rows rows of cores, with its
	// time; nil if there is none. It is called from several goroutines.
	Narrow(l *Launch, cols, rows int) (mapping.Mapping, *timing.Timing)
}

// Place chooses where the launches are placed on the array, and on how many cores launches of little work run, so that
// cores are loaded as seldom as possible. Kernels that leave part of the array free are placed side by side, each with
// its code in its own cores. Launches of one code and shape remain together. It changes mappings and timings and
// returns the seconds of a run that this saves.
func (p *Program) Place(m *machine.Machine, o Options) (saved float64) {
	s := placing{Program: p, machine: m, options: o, best: p.Cost(m).Seconds(), loads: newLoading(p, m)}
	before, start := s.best, slices.Clone(p.Launches)
	least, kept := before, start
	for _, from := range [...]freedom{moved, emptied} {
		if from == emptied && (s.loading() == 0 || !slices.ContainsFunc(start, func(l Launch) bool { return l.Mapping.Resident > 0 })) {
			break // nothing more may change, so the search would end at the same place
		}
		for _, last := range [...]bool{false, true} {
			s.best = before
			s.begin(start)
			if s.descend(from, last); s.best < least {
				least, kept = s.best, slices.Clone(p.Launches)
			}
		}
		s.begin(kept)
	}
	return before - least
}

// freedom says what may change in a launch.
type freedom int

const (
	moved   freedom = iota // where it is placed
	resized                // also its cores
	emptied                // also that its weights remain in mem tiles
)

// descend changes one kind of launch after the other while a run becomes shorter. It begins with the first kind or with
// the last one, and allows one more freedom after the other. The order decides where the search ends.
func (s *placing) descend(from freedom, last bool) {
	for may := from; may <= emptied; may++ {
		for better := true; better; {
			better = false
			kinds := s.kinds()
			if last {
				slices.Reverse(kinds)
			}
			for _, same := range kinds {
				if may == from && s.loading() == 0 {
					return
				}
				better = s.place(same, may) || better
			}
		}
	}
}

// placing is a search for places under way.
type placing struct {
	*Program
	machine *machine.Machine
	options Options
	best    float64 // seconds of a run
	loads   *loading
}

// begin goes on from launches.
func (s *placing) begin(launches []Launch) {
	copy(s.Launches, launches)
	s.loads = newLoading(s.Program, s.machine)
}

// loading is the seconds of a turn in which cores are loaded.
func (s *placing) loading() float64 {
	cores := 0
	for _, n := range s.loads.loads {
		cores += n
	}
	return float64(float64(cores) * s.machine.Host.Switch.Value)
}

// seconds returns the seconds of a run.
func (s *placing) seconds() float64 { return sum(s.costs(s.machine, s.loads.loads)).Seconds() }

// kinds returns the launches of each code and shape, by their indices, the first to run first.
func (p *Program) kinds() [][]int {
	type kind struct {
		code       string
		cols, rows int
		right      int // of those whose weights lie in the mem tiles of their columns
	}
	var out [][]int
	index := make(map[kind]int)
	for i := range p.Launches {
		l := &p.Launches[i]
		k := kind{code: l.Code, cols: l.Mapping.Cols, rows: l.Mapping.Rows}
		if l.tied() {
			k.right = 1 + l.Mapping.Col
		}
		at, ok := index[k]
		if !ok {
			at = len(out)
			index[k], out = at, append(out, nil)
		}
		out[at] = append(out[at], i)
	}
	return out
}

// tied reports whether an operand or a result of the launch lies in the mem tiles of all its columns.
func (l *Launch) tied() bool {
	return l.Mapping.Resident > 0 || l.retained()
}

// retained reports whether the launch takes an array that an earlier launch has left in mem tiles, or leaves one there.
// Such a launch cannot change alone.
func (l *Launch) retained() bool {
	return l.Mapping.In.Row > 0 || l.Mapping.Out.Row > 0
}

// place puts launches of one kind where the program takes least, and reports whether that is
// better than before.
func (s *placing) place(same []int, may freedom) bool {
	shapes := [][]Launch{s.take(same)}
	if may > moved {
		if first := &s.Launches[same[0]]; first.retained() || first.tied() && may < emptied {
			return false
		}
		shapes = s.shaped(same)
	}
	before, kept := s.best, s.take(same)
	for _, launches := range shapes {
		s.put(same, launches)
		g := launches[0].Mapping
		for _, row := range stops(s.machine.Grid.CoreRows, g.Rows) {
			for _, col := range stops(s.machine.Grid.Cols, g.Cols) {
				if launches[0].tied() && col != g.Col {
					continue
				}
				if _, _, ok := s.machine.Grid.At(g.Cols, g.Rows, col, row); !ok {
					continue
				}
				for _, i := range same {
					to := &s.Launches[i].Mapping
					to.Col, to.Row = col, row
				}
				s.loads.changed(same)
				const worth = 1e-9 // rounding does not move kernels
				if seconds := s.seconds(); seconds < s.best-worth && s.legal(same) {
					s.best, kept = seconds, s.take(same)
				}
			}
		}
	}
	s.put(same, kept)
	return s.best < before
}

// shaped returns the launches on fewer cores, and on one more row or column if they were narrowed too far. Shapes that
// cannot win are left out: the launches take longer there by more than all loads of cores take. Weights are not
// resident in these shapes.
func (s *placing) shaped(same []int) (out [][]Launch) {
	first := &s.Launches[same[0]].Mapping
	loading := s.loading()
	seconds := func(launches []Launch) float64 {
		sum := 0.0
		for i := range launches {
			sum += launches[i].Timing.Seconds
		}
		return sum
	}
	kept := s.take(same)
	now := seconds(kept)
	for _, shape := range s.shapes(first.Cols, first.Rows) {
		cols, rows := shape[0], shape[1]
		const most = 4 // times all loads: what takes longer would lose more on fewer cores
		less := cols*rows < first.Cores()
		if less && now-float64(float64(len(kept))*s.machine.Host.Launch.Value) > most*loading {
			continue
		}
		launches := slices.Clone(kept)
		parallel.For(len(launches), func(i int) { s.options.Narrow(&launches[i], cols, rows) }) // in parallel, as Narrow remembers its results
		fits := true
		for i := range launches {
			l := &launches[i]
			g, t := s.options.Narrow(l, cols, rows)
			if fits = t != nil; !fits {
				break
			}
			l.Mapping, l.Timing = g, t
		}
		if !fits || seconds(launches) > now+loading {
			if less {
				break // fewer cores would take even longer
			}
			continue
		}
		// Launches of one kind have one shape.
		g := launches[0].Mapping
		if !slices.ContainsFunc(launches, func(l Launch) bool { return l.Mapping.Cols != g.Cols || l.Mapping.Rows != g.Rows }) {
			out = append(out, launches)
		}
	}
	return out
}

// shapes lists the columns and rows of cores that a kernel may take instead, the most cores first: a row or a
// column more, halves, those that another kernel leaves free, and one column or core.
func (s *placing) shapes(cols, rows int) (out [][2]int) {
	grid := &s.machine.Grid
	all := [][2]int{{cols, rows + 1}, {cols + 1, rows}, {cols, rows / 2}, {cols / 2, rows}, {cols / 4, rows}, {1, rows}, {1, 1}}
	for i := range s.Launches {
		g := &s.Launches[i].Mapping
		all = append(all, [2]int{grid.Cols - g.Cols, grid.CoreRows}, [2]int{grid.Cols, grid.CoreRows - g.Rows})
	}
	slices.SortStableFunc(all, func(a, b [2]int) int { return b[0]*b[1] - a[0]*a[1] })
	for _, shape := range all {
		shape = [2]int{min(max(1, shape[0]), grid.Cols), min(max(1, shape[1]), grid.CoreRows)}
		if shape != [2]int{cols, rows} && !slices.Contains(out, shape) {
			out = append(out, shape)
		}
	}
	return out
}

func (s *placing) legal(same []int) bool {
	return !slices.ContainsFunc(same, func(i int) bool { return !s.options.Legal(&s.Launches[i]) })
}

// take returns copies of launches, and put puts them back.
func (s *placing) take(same []int) []Launch {
	out := make([]Launch, len(same))
	for k, i := range same {
		out[k] = s.Launches[i]
	}
	return out
}

func (s *placing) put(same []int, launches []Launch) {
	for k, i := range same {
		s.Launches[i] = launches[k]
	}
	s.loads.changed(same)
}

// stops lists the places of a piece in so much space: one beside the other from the start, and
// at the end.
func stops(space, piece int) []int {
	var out []int
	for at := 0; at+piece <= space; at += max(1, piece) {
		out = append(out, at)
	}
	if rest := space - piece; rest > 0 && !slices.Contains(out, rest) {
		out = append(out, rest)
	}
	return out
}
