package predict

import (
	"iter"
	"math"
	"slices"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

var (
	partTile = match(`\btile (\d+)x(\d+)x(\d+)`) // M, K and N
	partHerd = match(`\bherd (\d+)x(\d+)`)
	partN    = match(`\btile_n[ =](\d+)`)
	partM    = match(`\btile_m[ =](\d+)`)
	named    = match(`\b(direct|drain|fused-cast|external)\b`)
	// mlirAIE is what is said of kernels of mlir-aie and IRON; their products stage one tile of each operand and hold
	// none.
	mlirAIE = match(`\bmlir-aie\b|\biron\.operators\b|\bpeano\b`)
	// asymmetric is what is said of designs of others, which a compiler of theirs may compile as well.
	asymmetric = match(`\basymmetric\b|\bflm\b|\bfastflowlm\b`)
)

// partly is what a row says of a mapping that it does not name whole: 0 and "" are anything.
type partly struct {
	cols, rows, tm, tk, tn int
	style                  string
	staged                 bool // one tile of each operand is staged at a time, and none held
}

// said reads what a plain row says of its mapping.
func (r *Row) said(m *machine.Machine) partly {
	text := r.Workload + " " + r.Notes
	p := partly{staged: mlirAIE.MatchString(text) && !asymmetric.MatchString(text)}
	if v := numbers(partTile, r.Notes); v != nil {
		p.tm, p.tk, p.tn = v[0], v[1], v[2]
	}
	if v := numbers(partN, r.Notes); v != nil {
		p.tn = v[0]
	}
	if v := numbers(partM, r.Notes); v != nil {
		p.tm = v[0]
	}
	if v := numbers(partHerd, r.Notes); v != nil {
		p.cols, p.rows = v[0], v[1]
	}
	if g := named.FindStringSubmatch(r.Workload); g != nil {
		if _, ok := m.Compute.Styles[g[1]]; ok {
			p.style = g[1]
		}
	}
	return p
}

// constrained returns the fastest mapping of a product that is as a row says, with kernels that are published if the
// machine knows some of the kind, and false where there is none or the row says nothing.
func (r *Row) constrained(m *machine.Machine, s *subject) (mapping.Mapping, bool) {
	p := r.said(m)
	if p.tm+p.tk+p.tn == 0 && p.style == "" && !p.staged || s.kernel.Kind != workload.KindContraction {
		return mapping.Mapping{}, false
	}
	return r.ordinary(m, s, p, r.stylesOf(m, s, p.style))
}

// ordinary returns the fastest mapping of a product with tiles of the usual sizes where the row says nothing else.
func (r *Row) ordinary(m *machine.Machine, s *subject, p partly, styles []string) (mapping.Mapping, bool) {
	model, err := timing.NewModel(m, &s.kernel)
	if err != nil {
		return mapping.Mapping{}, false
	}
	best, found, seconds := mapping.Mapping{}, false, math.Inf(1)
	c := &s.kernel.Contraction
	for _, name := range styles {
		converts := m.Compute.Styles[name].Convert.Value > 0 && c.Out != c.Acc
		for g := range p.layouts(r.gridsOf(m, &p)) {
			g.Style = name
			for g := range p.tilings(g) {
				if converts && g.TM > 32 && p.tm == 0 {
					continue // sums and a converted tile do not fit beside two tiles of each operand
				}
				if holds(m, &subject{kernel: s.kernel, mapping: g}) != nil {
					continue
				}
				if t, err := model.Estimate(g); err == nil && t.Seconds < seconds {
					best, found, seconds = g, true, t.Seconds
				}
			}
		}
	}
	return best, found
}

// layouts yields the divisions of a product among the cores of some grids: the rows of cores divide M and the columns N,
// or the rows divide N and the columns M.
func (p *partly) layouts(grids [][2]int) iter.Seq[mapping.Mapping] {
	return func(yield func(mapping.Mapping) bool) {
		for _, grid := range grids {
			g := mapping.Mapping{Kind: workload.KindContraction, Cols: grid[0], Rows: grid[1], PartsM: grid[1], PartsN: grid[0],
				Cascade: 1, StageM: 1, StageN: 1, Depth: 2, OutDepth: 1}
			if !yield(g) {
				return
			}
			if g.PartsM, g.PartsN = g.PartsN, g.PartsM; !yield(g) {
				return
			}
		}
	}
}

// tilings yields a mapping with the tiles of the usual sizes, or those that the row says, and with as many of them staged.
func (p *partly) tilings(g mapping.Mapping) iter.Seq[mapping.Mapping] {
	staged := []int{held, 1, 2, 4, 8}
	if p.staged {
		staged = []int{1}
	}
	ms, ns, ks := sizes(p.tm, 16, 32, 64, 128), sizes(p.tn, 16, 32, 48, 64, 96, 128), sizes(p.tk, 32, 64)
	return func(yield func(mapping.Mapping) bool) {
		for i := range len(ms) * len(ns) * len(ks) * len(staged) {
			tiles := staged[i%len(staged)]
			i /= len(staged)
			g.TM, g.TN, g.TK = ms[i/len(ks)/len(ns)], ns[i/len(ks)%len(ns)], ks[i%len(ks)]
			g.KL2, g.Hold = max(1, tiles)*g.TK, 0
			if tiles == held && p.style == "" {
				g.Hold = 1
			}
			if !yield(g) {
				return
			}
		}
	}
}

// held, as a number of staged tiles, means that strips of A lie in mem tiles.
const held = -1

// sizes is the size that a row says, or those to try.
func sizes(said int, others ...int) []int {
	if said > 0 {
		return []int{said}
	}
	return others
}

// gridsOf lists the grids of cores that a row may mean.
func (r *Row) gridsOf(m *machine.Machine, p *partly) [][2]int {
	switch {
	case p.cols > 0 && p.cols <= m.Grid.Cols && p.rows <= m.Grid.CoreRows:
		return [][2]int{{p.cols, p.rows}}
	case r.Tiles == 0:
		return [][2]int{{m.Grid.Cols, m.Grid.CoreRows}}
	}
	var out [][2]int
	for cols := 1; cols <= min(m.Grid.Cols, r.Tiles); cols++ {
		if r.Tiles%cols == 0 && r.Tiles/cols <= m.Grid.CoreRows {
			out = append(out, [2]int{cols, r.Tiles / cols})
		}
	}
	return out
}

// by returns the machine with the kernel styles alone of those who made the kernels of the row, if it says that and the
// machine has them for its operands.
func (r *Row) by(m *machine.Machine, s *subject) (*machine.Machine, bool) {
	with, ok := m.By(r.Workload + " " + r.Notes)
	if !ok {
		return m, false
	}
	styles := mapper.Styles(with, &s.kernel)
	if s.kernel.Contraction.N == 1 { // by a vector
		styles = slices.DeleteFunc(styles, func(name string) bool { return !with.Compute.Styles[name].Vector })
	}
	return with, len(styles) > 0
}

// stylesOf lists the kernel styles that a row may mean.
func (r *Row) stylesOf(m *machine.Machine, s *subject, said string) []string {
	if said != "" {
		return []string{said}
	}
	with, ok := r.by(m, s)
	if !ok {
		with = m.Published()
	}
	styles := mapper.Styles(with, &s.kernel)
	if !ok && mlirAIE.MatchString(r.Workload+" "+r.Notes) { // not by those of a maker whom the row does not name
		others := slices.DeleteFunc(slices.Clone(styles), func(name string) bool { return len(m.Compute.Styles[name].Makers) > 0 })
		if len(others) > 0 {
			return others
		}
	}
	if len(styles) > 0 {
		return styles
	}
	return mapper.Styles(m, &s.kernel)
}

// published returns the mapping of a product in the fastest way of kernels that people have published, and false where the
// machine knows of none for its operands.
func (r *Row) published(m *machine.Machine, s *subject) (mapping.Mapping, bool) {
	with, ok := r.by(m, s)
	if !ok {
		with = m.Published()
	}
	if len(with.Compute.Styles) == len(m.Compute.Styles) || s.kernel.Kind != workload.KindContraction {
		return mapping.Mapping{}, false
	}
	styles := mapper.Styles(with, &s.kernel)
	if len(styles) == 0 {
		return mapping.Mapping{}, false
	}
	// Kernels that load and store their sums in every call are made for a few sizes, the others for any.
	if style := with.Compute.Styles[styles[0]]; style.Update.Value > 0 {
		if g, ok := r.ordinary(with, s, partly{}, styles); ok {
			return g, true
		}
	}
	g, err := r.ours(with, s)
	return g, err == nil
}
