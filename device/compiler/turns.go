package compiler

import (
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/engine/reference"
	"github.com/go-acap/acap/mlir"
)

// Turns is how often a group runs in a run of the program.
type Turns struct {
	Calls int  // of the host
	Each  int  // in every call: the turns of loops that hold nothing else
	Open  bool // the number depends on data: of a loop one turn is counted, of a choice every side
}

// turns counts how often each group runs, and finds what loops carry for it: see [Group].
func (p *program) turns() (turns map[*compiled]Turns, carried map[*compiled][]int) {
	c := counting{turns: make(map[*compiled]Turns), carried: make(map[*compiled][]int)}
	if p.whole != nil {
		return map[*compiled]Turns{p.groups[0]: {Calls: 1, Each: 1}}, nil
	}
	c.procedure(&p.procedure, Turns{Calls: 1, Each: 1})
	return c.turns, c.carried
}

// counting is a walk through the steps of a program.
type counting struct {
	turns   map[*compiled]Turns
	carried map[*compiled][]int
	within  []*procedure  // whose steps are being counted
	numbers map[int]int64 // constants in slots of the last of them
}

// procedure counts the steps of a procedure that runs so often.
func (c *counting) procedure(p *procedure, t Turns) {
	if slices.Contains(c.within, p) { // it calls itself
		t.Open = true
		for i := range p.steps {
			if g := p.steps[i].group; g != nil {
				c.group(g, t)
			}
		}
		return
	}
	before := c.numbers
	c.within, c.numbers = append(c.within, p), make(map[int]int64)
	eachStep(p.steps, c.number)
	c.steps(p.steps, t)
	c.within, c.numbers = c.within[:len(c.within)-1], before
}

// eachStep visits steps and the steps of their regions.
func eachStep(steps []step, visit func(*step)) {
	for i := range steps {
		visit(&steps[i])
		if control := steps[i].control; control != nil {
			for _, r := range control.regions {
				for j := range r.blocks {
					eachStep(r.blocks[j].steps, visit)
				}
			}
		}
	}
}

// number notes the value of a step that is a constant.
func (c *counting) number(s *step) {
	if s.scalar == nil || s.scalar.Name != "arith.constant" {
		return
	}
	if values, err := reference.Operation(s.scalar, make(map[*mlir.Value]*buf.Buffer)); err == nil && !values[0].DType.IsFloat() {
		c.numbers[s.out[0]] = values[0].Int64(0)
	}
}

func (c *counting) steps(steps []step, t Turns) {
	for i := range steps {
		switch s := &steps[i]; {
		case s.group != nil:
			c.group(s.group, t)
		case s.control != nil:
			c.control(s, t)
		}
	}
}

// group adds runs of a group. Where it is called in several places, every run is a call.
func (c *counting) group(g *compiled, t Turns) {
	if before, ok := c.turns[g]; ok {
		delete(c.carried, g)
		t = Turns{Calls: before.Calls*before.Each + t.Calls*t.Each, Each: 1, Open: before.Open || t.Open}
	}
	c.turns[g] = t
}

// control counts what is in a loop, a choice or a procedure.
func (c *counting) control(s *step, t Turns) {
	if s.control.callee != nil {
		c.procedure(s.control.callee, t)
		return
	}
	switch turns, known := c.counted(s); {
	case known && c.alone(s.control.regions[0]):
		t.Each *= turns
		defer c.carry(&s.control.regions[0].blocks[0])
	case known:
		t.Calls *= turns
	case s.control.name != "scf.execute_region":
		t.Open = true
	}
	for _, r := range s.control.regions {
		for i := range r.blocks {
			c.steps(r.blocks[i].steps, t)
		}
	}
}

// carry notes what the loop around a block carries for the group in it.
func (c *counting) carry(b *codeBlock) {
	for i := range b.steps {
		s := &b.steps[i]
		if s.group == nil || c.turns[s.group].Calls != 1 {
			continue
		}
		for n, slot := range s.in {
			if slices.Contains(b.args[1:], slot) && !slices.Contains(b.end.values, slot) {
				c.carried[s.group] = append(c.carried[s.group], n)
			}
		}
	}
}

// alone reports whether a region holds nothing but one group, perhaps in loops of its own.
func (c *counting) alone(r *region) bool {
	if len(r.blocks) != 1 {
		return false
	}
	groups := 0
	for i := range r.blocks[0].steps {
		switch s := &r.blocks[0].steps[i]; {
		case s.group != nil:
			groups++
		case s.scalar != nil && s.scalar.Name == "arith.constant":
		case s.control != nil:
			if _, known := c.counted(s); !known || !c.alone(s.control.regions[0]) {
				return false
			}
			groups++
		default:
			return false
		}
	}
	return groups == 1
}

// counted returns the turns of a loop whose bounds are constants; false if the step is another.
func (c *counting) counted(s *step) (turns int, known bool) {
	if s.control.name != "scf.for" || !s.control.counter.Signed() {
		return 0, false
	}
	var bounds [3]int64
	for i := range bounds {
		if bounds[i], known = c.numbers[s.in[i]]; !known {
			return 0, false
		}
	}
	from, to, by := bounds[0], bounds[1], bounds[2]
	if by <= 0 || to > from && to-from < 0 {
		return 0, false
	}
	return int((max(0, to-from) + by - 1) / by), true
}
