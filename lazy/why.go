package lazy

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// Recompilation says why a program was compiled: what is different from the most similar
// program that there was.
type Recompilation struct {
	Time   time.Time     `json:"time"`
	Device string        `json:"device"`
	Step   int           `json:"step"`  // the number of the barrier, from 1
	Where  string        `json:"where"` // the line that recorded the last call of the program
	Calls  int           `json:"calls"`
	Took   time.Duration `json:"took_ns"`
	// Program is the number of this program, from 1. Nearest is the number of the most similar program, 0 if no program
	// has anything in common with this one.
	Program int `json:"program"`
	Nearest int `json:"nearest"`
	// Same is how many calls, from the first, the two have in common.
	Same       int               `json:"same_calls"`
	Difference *trace.Difference `json:"difference,omitempty"`
	// Inputs are the Go numbers that became inputs with this program, because they vary.
	Inputs []trace.Difference `json:"inputs,omitempty"`
	// Exact says why a program with dynamic dimensions was compiled for its extents and not for a bucket.
	Exact string `json:"exact,omitempty"`
	// Advice is how to avoid it, if anything is known.
	Advice string `json:"advice,omitempty"`
}

// Recompilations are in the order in which they happened.
type Recompilations []Recompilation

// WhyRecompiled says of every program that the devices have compiled why it was: the
// barrier, its line, and what differs from the nearest program that there was already.
// The last few hundred are remembered.
func WhyRecompiled() Recompilations {
	var all Recompilations
	for _, r := range Runtimes() {
		if !r.eager {
			all = append(all, r.WhyRecompiled()...)
		}
	}
	slices.SortStableFunc(all, func(a, b Recompilation) int { return a.Time.Compare(b.Time) })
	return all
}

// WhyRecompiled is [WhyRecompiled] for one device.
func (r *Runtime) WhyRecompiled() Recompilations {
	r.why.mu.Lock()
	defer r.why.mu.Unlock()
	return slices.Clone(r.why.list)
}

// mostRemembered bounds the recompilations that are remembered, and mostCompared the
// programs that a new one is compared with.
const (
	mostRemembered = 256
	mostCompared   = 64
)

// history remembers why programs were compiled.
type history struct {
	mu    sync.Mutex
	count int
	list  Recompilations
	open  map[ops.Hash][]trace.Difference // by family, of programs that are about to be compiled
}

// opened notes numbers that have become inputs.
func (h *history) opened(family ops.Hash, varied []trace.Varied) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open == nil {
		h.open = map[ops.Hash][]trace.Difference{}
	}
	var all []trace.Difference
	for _, v := range varied {
		all = append(all, v.Difference)
	}
	h.open[family] = all
}

// compiled notes a program that is not in the cache yet.
func (h *history) compiled(r *Runtime, p *program) {
	w := Recompilation{Time: time.Now(), Device: r.dev.Name(), Calls: p.sketch.Calls(), Took: p.took}
	w.Step = int(r.stats.cachedCompile.Value()+r.stats.uncachedCompile.Value()) + 1
	if w.Calls > 0 {
		_, at := p.sketch.Call(w.Calls - 1)
		w.Where = at.Short()
	}
	w.Exact = p.exact
	nearest := r.nearest(p.sketch)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.count++
	p.number, w.Program = h.count, h.count
	if nearest != nil {
		w.Nearest, w.Same = nearest.number, p.sketch.Same(nearest.sketch)
		w.Difference = p.sketch.Differ(nearest.sketch)
		w.Advice = advice(w.Difference)
	}
	if w.Inputs = h.open[p.family]; w.Inputs != nil {
		w.Difference = &w.Inputs[0]
		w.Advice = becameInputs(w.Inputs)
		delete(h.open, p.family)
	}
	if h.list = append(h.list, w); len(h.list) > mostRemembered {
		h.list = slices.Delete(h.list, 0, len(h.list)-mostRemembered)
	}
}

// nearest returns the program with the most calls in common, relative to its length.
func (r *Runtime) nearest(s *trace.Sketch) *program {
	var best *program
	most, tried := 0.0, 0
	r.cache.each(func(p *program) bool {
		if p.sketch == nil { // from the disk
			return true
		}
		if likeness := s.Likeness(p.sketch); likeness > most {
			best, most = p, likeness
		}
		tried++
		return tried < mostCompared
	})
	return best
}

// becameInputs says what was done about numbers that vary.
func becameInputs(all []trace.Difference) string {
	if len(all) == 1 {
		return "it is an input of this program and of later ones: other values need no other program"
	}
	return fmt.Sprintf("this and %d more are inputs of this program and of later ones: other values need no other program",
		len(all)-1)
}

// advice says how to avoid a difference.
func advice(d *trace.Difference) string {
	if d == nil {
		return ""
	}
	switch d.Kind {
	case "scalar":
		return fmt.Sprintf("%s decides what is computed, and stays part of the program", d.Now)
	case "shape":
		return fmt.Sprintf("pad or bucket: %s and %s are two programs", d.Was, d.Now)
	case "dtype":
		return fmt.Sprintf("convert before the loop: %s and %s are two programs", d.Was, d.Now)
	case "constant":
		return "freeze a weight before the first use"
	case "dynamic":
		return "give an input the same dynamic dimensions and buckets in every step"
	case "results":
		return "ask for the same values in every step, or Sync the step's values before reading one"
	case "extra call", "missing call":
		return "put a Sync at the end of every step, so that each has the same calls"
	}
	return ""
}

// String prints a line for each cause, with how often it came up.
func (l Recompilations) String() string {
	var b strings.Builder
	type group struct {
		first Recompilation
		times int
		last  Recompilation
		took  time.Duration
	}
	var groups []*group
	at := map[string]*group{}
	for _, w := range l {
		key := fmt.Sprint("first", w.Device, w.Program)
		if d := w.Difference; d != nil {
			key = fmt.Sprint(w.Device, d.Kind, d.Op, d.Where, d.What)
		}
		g := at[key]
		if g == nil {
			g = &group{first: w}
			at[key] = g
			groups = append(groups, g)
		}
		g.times++
		g.last = w
		g.took += w.Took
	}
	for _, g := range groups {
		w := g.last
		fmt.Fprintf(&b, "step %d, %s, program %d of %d calls (%v)", w.Step, orUnknown(w.Where), w.Program, w.Calls,
			w.Took.Round(time.Microsecond))
		switch d := w.Difference; {
		case w.Nearest == 0:
			b.WriteString(": nothing like it was compiled before\n")
		case d == nil:
			fmt.Fprintf(&b, ": the same as program %d, which was not in the cache any more\n", w.Nearest)
		default:
			fmt.Fprintf(&b, ": like program %d but for %s of %s at %s: %s, was %s", w.Nearest, d.What,
				orUnknown(d.Op), orUnknown(d.Where), d.Now, d.Was)
			if d.WasWhere != d.Where && d.WasWhere != "" {
				fmt.Fprintf(&b, " at %s", d.WasWhere)
			}
			b.WriteByte('\n')
			if g.times > 1 {
				fmt.Fprintf(&b, "    %d programs for this reason since step %d, %v\n", g.times, g.first.Step,
					g.took.Round(time.Microsecond))
			}
			if w.Advice != "" {
				fmt.Fprintf(&b, "    %s\n", w.Advice)
			}
			if w.Exact != "" {
				fmt.Fprintf(&b, "    no bucket: %s\n", w.Exact)
			}
		}
	}
	return b.String()
}

func orUnknown(s string) string {
	if s == "" {
		return "an unknown place"
	}
	return s
}
