package predict

import (
	"iter"
	"math"
	"slices"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/predict/notation"
	"github.com/go-acap/acap/device/acap/predict/published"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// partial is the part of a mapping that a row names. Fields that the row does not name are 0 or "".
type partial struct {
	cols, rows, tm, tk, tn int
	style                  string
	staged                 bool // one tile of each operand is staged at a time, and none held
}

// partialMapping reads the part of a mapping that a plain row names.
func (r *Row) partialMapping(m *machine.Machine) partial {
	text := r.Workload + " " + r.Notes
	p := partial{staged: mlirAIE.MatchString(text) && !asymmetric.MatchString(text)}
	if v := notation.Numbers(partTile, r.Notes); v != nil {
		p.tm, p.tk, p.tn = v[0], v[1], v[2]
	}
	if v := notation.Numbers(partN, r.Notes); v != nil {
		p.tn = v[0]
	}
	if v := notation.Numbers(partM, r.Notes); v != nil {
		p.tm = v[0]
	}
	if v := notation.Numbers(partHerd, r.Notes); v != nil {
		p.cols, p.rows = v[0], v[1]
	}
	if g := partStyle.FindStringSubmatch(r.Workload); g != nil {
		if _, ok := m.Compute.Styles[g[1]]; ok {
			p.style = g[1]
		}
	}
	return p
}

// constrained returns the fastest mapping of a product that agrees with the part of a mapping that the row names.
// Kernels are published ones, if the machine has some of the kind. It returns false where no mapping agrees or the row
// names no part.
func (r *Row) constrained(m *machine.Machine, s *subject) (mapping.Mapping, bool) {
	p := r.partialMapping(m)
	if p.tm+p.tk+p.tn == 0 && p.style == "" && !p.staged || s.kernel.Kind != workload.KindContraction {
		return mapping.Mapping{}, false
	}
	return r.ordinary(m, s, p, r.stylesOf(m, s, p.style))
}

// ordinary returns the fastest mapping of a product by kernels of some styles. Tiles have the usual sizes where p
// leaves them open. It returns false where no core has space for any of the tiles.
func (r *Row) ordinary(m *machine.Machine, s *subject, p partial, styles []string) (mapping.Mapping, bool) {
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
				if published.Fits(m, &s.kernel, &g) != nil {
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

// layouts yields the divisions of a product among the cores of some grids: the rows of cores divide M and the columns
// N, or the rows divide N and the columns M.
func (p *partial) layouts(grids [][2]int) iter.Seq[mapping.Mapping] {
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

// tilings yields a mapping with the tiles of the usual sizes, or those that the row says, and with as many of them
// staged.
func (p *partial) tilings(g mapping.Mapping) iter.Seq[mapping.Mapping] {
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
func (r *Row) gridsOf(m *machine.Machine, p *partial) [][2]int {
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

// madeBy returns the machine reduced to the kernel styles of the makers whom the row names, and whether one of these
// styles takes the operands. Without a maker it returns m and false.
func (r *Row) madeBy(m *machine.Machine, s *subject) (*machine.Machine, bool) {
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

// stylesOf lists the kernel styles of a product: the style that the row names, the styles of the makers whom the row
// names, or published styles.
func (r *Row) stylesOf(m *machine.Machine, s *subject, said string) []string {
	if said != "" {
		return []string{said}
	}
	with, ok := r.madeBy(m, s)
	if !ok {
		with = m.Published()
	}
	styles := mapper.Styles(with, &s.kernel)
	if !ok && mlirAIE.MatchString(r.Workload+" "+r.Notes) { // not by the rows of a maker whom the row does not name
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

// published returns the fastest mapping of a product by published kernels, and false where the machine has no published
// kernels for the operands.
func (r *Row) published(m *machine.Machine, s *subject) (mapping.Mapping, bool) {
	with, ok := r.madeBy(m, s)
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
		if g, ok := r.ordinary(with, s, partial{}, styles); ok {
			return g, true
		}
	}
	g, err := published.Ours(with, &s.kernel, r.Tiles)
	return g, err == nil
}
