package mapper

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/program/build"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// Choice is the result of a search.
type Choice struct {
	Machine *machine.Machine
	Kernel  *workload.Kernel
	Mapping mapping.Mapping
	Timing  timing.Timing

	Runners  []Candidate // the next best, fastest first
	Rejected []Rejection // by number, most first
	Legal    int         // mappings that fit
	Pruned   int         // mappings that could not win by their arithmetic

	build sync.Once
	prog  *program.Program
	err   error
}

// Candidate is a mapping that fits.
type Candidate struct {
	Mapping mapping.Mapping
	Seconds float64
}

// Rejection counts the mappings that one limit forbids and shows one of them.
type Rejection struct {
	Reason  string
	Count   int
	Example mapping.Mapping
	Detail  string // the limit and the need of the example
}

// Program returns the device program of the chosen mapping: a copy of its own for each
// caller, who may lower it while others do. Errors are those of [Choice.Build].
func (c *Choice) Program() (*program.Program, error) {
	c.build.Do(func() { c.prog, c.err = c.Build() })
	if c.err != nil {
		return nil, c.err
	}
	return c.prog.Copy(), nil
}

// With returns the choice with another mapping of the kernel; an error if the machine cannot run
// it.
func (c *Choice) With(g mapping.Mapping) (*Choice, error) {
	if c.Mapping == g {
		return c, nil
	}
	d := &Choice{Machine: c.Machine, Kernel: c.Kernel, Mapping: g, Runners: c.Runners,
		Rejected: c.Rejected, Legal: c.Legal, Pruned: c.Pruned}
	var err error
	if d.Timing, err = timing.Estimate(d.Machine, d.Kernel, d.Mapping); err != nil {
		return nil, err
	}
	if err = d.Verify(); err != nil {
		return nil, err
	}
	return d, nil
}

// Restore returns a choice that an earlier search stored in a file. The mapping in the file is verified, and everything
// that follows from the mapping is computed again, so that the machine can run the result whatever the file says. A
// mapping that the machine cannot run is an error.
func Restore(m *machine.Machine, w *workload.Kernel, s Stored) (c *Choice, err error) {
	c = &Choice{Machine: m, Kernel: w, Mapping: s.Mapping, Rejected: s.Rejected, Legal: s.Legal, Pruned: s.Pruned}
	if c.Timing, err = timing.Estimate(m, w, s.Mapping); err != nil {
		return nil, err
	}
	if len(s.Runners) > runners || len(s.Rejected) > int(programs)+1 || s.Legal < 0 || s.Pruned < 0 {
		return nil, fmt.Errorf("mapper: %d next best mappings of %d, %d pruned, %d reasons", len(s.Runners), s.Legal, s.Pruned, len(s.Rejected))
	}
	for _, g := range s.Runners {
		t, err := timing.Estimate(m, w, g)
		if err != nil {
			return nil, err
		}
		c.Runners = append(c.Runners, Candidate{g, t.Seconds})
	}
	for _, r := range s.Rejected {
		known := false
		for i := range programs + 1 {
			known = known || r.Reason == i.String()
		}
		if !known || r.Count < 1 || len(r.Detail) > mostDetail {
			return nil, fmt.Errorf("mapper: %d mappings are rejected for %.100q", r.Count, r.Reason)
		}
	}
	return c, c.Verify()
}

// mostDetail bounds what a rejection says of its example.
const mostDetail = 1 << 12

// Stored is the part of a choice from which [Restore] makes the choice again.
type Stored struct {
	Mapping       mapping.Mapping
	Runners       []mapping.Mapping
	Rejected      []Rejection
	Legal, Pruned int
}

// Stored returns the part of a choice that [Restore] needs.
func (c *Choice) Stored() Stored {
	s := Stored{Mapping: c.Mapping, Rejected: c.Rejected, Legal: c.Legal, Pruned: c.Pruned}
	for _, r := range c.Runners {
		s.Runners = append(s.Runners, r.Mapping)
	}
	return s
}

// Build makes the device program of the chosen mapping, not lowered, with the host's
// steps in an order that suits the queues of the machine. A mapping that has no program is an error.
func (c *Choice) Build() (*program.Program, error) {
	p, err := build.Program(c.Machine, c.Kernel, c.Mapping)
	if err == nil {
		err = event.Arrange(p)
	}
	return p, err
}

// Verify reports why the machine cannot run the chosen program, nil if it can. A program
// that is too long to be built is checked as far as [build.Check] goes,
// as every choice is.
func (c *Choice) Verify() error {
	if !c.Machine.Programmed() {
		return nil
	}
	p, err := c.Program()
	if errors.Is(err, build.ErrTooLong) {
		return nil
	}
	if err != nil {
		return err
	}
	p.Lower()
	return p.Verify()
}

// runners is how many of the next best are kept.
const runners = 5

// search is an enumeration under way.
type search struct {
	machine     *machine.Machine
	kernel      *workload.Kernel
	model       *timing.Model
	full        bool
	cols        int // of cores, at most
	rows        int
	above       int // cores, which are too few
	residentRow int // row of mem tiles in which weights lie, 0 for none
	budget      int // bytes for them in each
	retention   Retention
	shape       [2]int  // columns and rows of the only grid of cores for products, zeros for all
	bound       float64 // seconds: slower mappings are not wanted; 0 for none
	alone       bool    // the next best are not wanted

	best       []Candidate // sorted, at most as many as are kept
	contenders []contender // that may be among them
	contention int         // contenders that are worth settling some of
	fastest    float64     // seconds of the best of a series of mappings, whose exact floors decide how long it gets
	promising  float64     // seconds below which a floor makes a mapping worth timing at once
	legal      int
	pruned     int
	rejected   map[reason]*Rejection
	modelErrs  error
	strict     bool // only mappings whose program the machine can hold are kept
	refused    int  // by the programs' check
}

// contender is a mapping that fits, with a lower bound of its seconds.
type contender struct {
	mapping mapping.Mapping
	floor   float64
}

// offer takes a mapping that fits and returns a lower bound of its seconds. The mapping is timed at once where timing
// is cheap or where the mapping is probably the best so far. Otherwise [search.settle] times the mapping, if the
// mapping can still be among the best then.
func (s *search) offer(g mapping.Mapping) float64 {
	if s.vain() {
		s.count(&g, programs)
		return math.Inf(1)
	}
	floor := s.model.FloorUpTo(&g, s.enough())
	s.fastest = min(s.fastest, floor)
	if g.Cores() <= s.above {
		return floor
	}
	s.legal++
	switch {
	case floor == 0:
		return s.time(&g)
	case s.behind(floor, &g):
	case floor < s.promising:
		s.promising = floor * ahead
		s.time(&g)
	default:
		s.contenders = append(s.contenders, contender{g, floor})
		if len(s.contenders) > s.contention {
			s.settle(s.kept())
			s.contention = max(s.contention, 2*len(s.contenders))
		}
	}
	return floor
}

// enough is seconds from which on a floor need not be known: a mapping is behind, and no faster than the one that its
// caller looks for a better one than.
func (s *search) enough() float64 {
	limit := s.bound
	if len(s.best) == s.kept() {
		if limit = s.best[len(s.best)-1].Seconds; !s.full {
			limit = s.best[0].Seconds
		}
	}
	if limit == 0 {
		return math.Inf(1)
	}
	return max(s.fastest, limit) * (1 + 2*tie)
}

// ahead is the share of the least floor so far that makes a mapping worth timing before
// others that may be better.
const ahead = 0.98

// behind reports whether a mapping whose seconds are at least floor cannot be among the best, or for a coarse search,
// once there are enough of them, the best.
func (s *search) behind(floor float64, g *mapping.Mapping) bool {
	return s.beyond(floor) || len(s.best) == s.kept() && (s.hopeless(floor) || !less(floor, g, &s.best[len(s.best)-1]))
}

// kept is how many of the best mappings are kept.
func (s *search) kept() int {
	if s.alone {
		return 1
	}
	return 1 + runners
}

// beyond reports whether mappings that take these seconds are not wanted.
func (s *search) beyond(seconds float64) bool { return s.bound > 0 && seconds > s.bound*(1+tie) }

// settle times at most most contenders, the most promising first, and forgets those that cannot be among the best then.
func (s *search) settle(most int) {
	slices.SortStableFunc(s.contenders, func(a, b contender) int { return cmp.Compare(a.floor, b.floor) })
	timed := 0
	for timed < min(most, len(s.contenders)) {
		c := &s.contenders[timed]
		if s.behind(c.floor, &c.mapping) {
			break
		}
		s.time(&c.mapping)
		timed++
	}
	left := s.contenders[timed:]
	end := sort.Search(len(left), func(i int) bool { return s.behind(left[i].floor, &left[i].mapping) })
	s.contenders = append(s.contenders[:0], left[:end]...)
}

// time times a mapping, keeps it if it is among the best and returns its seconds.
func (s *search) time(g *mapping.Mapping) float64 {
	if s.vain() {
		s.count(g, programs)
		return math.Inf(1)
	}
	t, err := s.model.Estimate(*g)
	if err != nil {
		s.modelErrs = err
		return math.Inf(1)
	}
	n := len(s.best)
	if s.beyond(t.Seconds) || n == s.kept() && !less(t.Seconds, g, &s.best[n-1]) {
		return t.Seconds
	}
	if s.strict && !s.holds(g) {
		return math.Inf(1)
	}
	i := sort.Search(n, func(i int) bool { return less(t.Seconds, g, &s.best[i]) })
	if n < s.kept() {
		s.best = append(s.best, Candidate{})
	}
	copy(s.best[i+1:], s.best[i:])
	s.best[i] = Candidate{*g, t.Seconds}
	return t.Seconds
}

// tie is the part by which times must differ for less to tell them apart, so that rounding does not decide.
const tie = 1e-6

// less orders by time, then by cores.
func less(seconds float64, g *mapping.Mapping, c *Candidate) bool {
	if seconds < c.Seconds*(1-tie) {
		return true
	}
	return seconds <= c.Seconds*(1+tie) && g.Cores() < c.Mapping.Cores()
}

// hopeless reports whether no mapping that takes at least these seconds can enter the list.
func (s *search) hopeless(seconds float64) bool {
	return s.beyond(seconds) || !s.full && len(s.best) > 0 && seconds > s.best[0].Seconds
}

// reject counts a mapping that breaks a limit.
func (s *search) reject(g *mapping.Mapping, r reason, need, limit int) {
	if s.count(g, r) {
		s.rejected[r].Detail = fmt.Sprintf("needs %d of %d", need, limit)
	}
}

// count counts a rejected mapping and reports whether it is the first for its reason.
func (s *search) count(g *mapping.Mapping, r reason) bool {
	if g.Cores() <= s.above {
		return false
	}
	j := s.rejected[r]
	if j == nil {
		j = &Rejection{Reason: r.String(), Example: *g}
		s.rejected[r] = j
	}
	j.Count++
	return j.Count == 1
}

// patience is the programs that a search checks which has found none that the machine can hold.
const patience = 100

// vain reports whether a search has found none for too long to go on.
func (s *search) vain() bool { return s.strict && len(s.best) == 0 && s.refused >= patience }

// holds reports whether the machine can hold the program of a mapping.
func (s *search) holds(g *mapping.Mapping) bool {
	err := build.Check(s.machine, s.kernel, *g)
	if err == nil {
		return true
	}
	s.refused++
	if s.count(g, programs) {
		s.rejected[programs].Detail, _, _ = strings.Cut(err.Error(), "\n")
	}
	return false
}

func (s *search) choice() (*Choice, error) {
	c := &Choice{Machine: s.machine, Kernel: s.kernel, Legal: s.legal, Pruned: s.pruned}
	for _, r := range s.rejected {
		c.Rejected = append(c.Rejected, *r)
	}
	sort.Slice(c.Rejected, func(i, j int) bool {
		a, b := &c.Rejected[i], &c.Rejected[j]
		return a.Count > b.Count || a.Count == b.Count && a.Reason < b.Reason
	})
	if len(s.best) == 0 {
		return nil, s.nothing(c)
	}
	c.Mapping, c.Runners = s.best[0].Mapping, s.best[1:]
	var err error
	c.Timing, err = s.model.Estimate(c.Mapping)
	return c, err
}

// nothing explains why no mapping fits.
func (s *search) nothing(c *Choice) error {
	if s.modelErrs != nil {
		return s.modelErrs
	}
	err := fmt.Errorf("mapper: no mapping of %s (%v) fits %s", s.kernel.Name, s.kernel.Kind,
		s.machine.Name)
	if s.machine.Grid.Tallest(1) == 0 {
		err = fmt.Errorf("%w: every core is declared dead", err)
	}
	for _, r := range c.Rejected {
		err = fmt.Errorf("%w; %d times %s, for example %v: %s", err, r.Count, r.Reason,
			r.Example, r.Detail)
	}
	return err
}
