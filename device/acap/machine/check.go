package machine

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/dtype"
)

// FieldError says what is wrong with a field of a machine.
type FieldError struct {
	Machine string
	Field   string // its path in JSON, such as core.memory
	Problem string
}

// Error returns the machine, the field and the problem.
func (e *FieldError) Error() string {
	return fmt.Sprintf("machine %s: %s %s", e.Machine, e.Field, e.Problem)
}

// maxColumns bounds the columns, and the rows of cores, of an array of tiles.
const maxColumns = 256

// Check returns the [FieldError] of every field out of range, joined. Without one the error is nil.
func (m *Machine) Check() error {
	v := &checker{machine: m.Name}
	v.require("name", m.Name != "", "is empty")
	v.require("family", slices.ContainsFunc(families, func(f family) bool { return f.name == m.Family }), "is %q, want one of %s",
		m.Family, familyNames())
	m.Architecture().check(v, m)
	v.between("clock", m.Clock, 1e3, 1e12)
	for _, name := range ordered(m.Modes) {
		v.between("modes."+name+".clock", m.Modes[name].Clock, 1e3, 1e12)
	}
	v.compute(&m.Compute)
	v.between("staging", m.Staging, 0, 1e12)
	v.between("host.restart", m.Host.Restart, 0, 10)
	for _, name := range ordered(m.Host.Dispatch) {
		v.between("host.dispatch."+name+".launch", m.Host.Dispatch[name].Launch, 0, 10)
	}
	v.require("compute.emulate", m.emulates() == nil, "needs a rate of %s", BF16Emulated)
	v.between("host.context", m.Host.Context, 0, 10)
	v.between("host.switch", m.Host.Switch, 0, 10)
	v.rate("host.write", m.Host.Write)
	v.rate("host.copy", m.Host.Copy)
	v.stream(&m.Stream)
	v.ddr(&m.DDR)
	v.arrays(m.Arrays)
	v.energy(&m.Energy)
	return v.error()
}

type checker struct {
	machine string
	errs    []error
}

func (v *checker) require(field string, ok bool, what string, args ...any) {
	if !ok {
		v.errs = append(v.errs, &FieldError{v.machine, field, fmt.Sprintf(what, args...)})
	}
}

func (v *checker) between(field string, c Constant, lo, hi float64) {
	v.require(field, c.Value >= lo && c.Value <= hi, "is %v, want %g to %g", c, lo, hi)
	switch c.Evidence {
	case Datasheet, Fitted, Assumed, "":
	default:
		v.require(field, false, "has evidence %q, want datasheet, fitted or assumed", c.Evidence)
	}
}

func (v *checker) whole(field string, c Constant, lo, hi float64) {
	v.between(field, c, lo, hi)
	v.require(field, c.Value == math.Trunc(c.Value), "is %v, want a whole number", c)
}

// rate checks bytes a second: 0, which stands for none or no limit, or at least 1, since times at lower rates overflow.
func (v *checker) rate(field string, c Constant) {
	v.between(field, c, 0, 1e15)
	v.require(field, c.Value == 0 || c.Value >= 1, "is %v, want 0, or 1 or more", c)
}

func (v *checker) error() error { return errors.Join(v.errs...) }

// grid checks the shape of an array; its columns and rows of cores have a limit.
func (v *checker) grid(m *Machine, limit int) {
	g := &m.Grid
	v.require("grid.cols", g.Cols >= 1 && g.Cols <= limit, "is %d, want 1 to %d", g.Cols, limit)
	v.require("grid.core_rows", g.CoreRows >= 1 && g.CoreRows <= limit,
		"is %d, want 1 to %d", g.CoreRows, limit)
	v.require("grid.mem_rows", g.MemRows >= 0 && g.MemRows <= 8,
		"is %d, want 0 to 8", g.MemRows)
	if g.Cols < 1 {
		return // columns and cores of lists would be refused as well, for the same cause
	}
	seen := make(map[int]bool)
	for _, c := range g.ShimDMA {
		v.require("grid.shim_dma", c >= 0 && c < g.Cols && !seen[c],
			"has column %d, want distinct columns of 0 to %d", c, g.Cols-1)
		seen[c] = true
	}
	dead := make(map[Coord]bool)
	for _, d := range g.Dead {
		v.require("grid.dead", m.KindAt(d) == CoreTile && !dead[d],
			"has (%d, %d), want distinct core tiles", d.Col, d.Row)
		dead[d] = true
	}
}

func (v *checker) tile(name string, t *Tile, memory bool) {
	if memory {
		v.whole(name+".memory", t.Memory, 64, 1<<30)
		v.whole(name+".program", t.Program, 0, 1<<24)
		v.whole(name+".banks", t.Banks, 1, 1024)
		v.whole(name+".bank_bytes", t.BankBytes, 0, 1<<16)
		v.whole(name+".access", t.Access, 0, 1<<16)
		// A ring of buffers takes two locks, and a tile passes on what it receives.
		v.whole(name+".locks", t.Locks, 2, 1024)
		v.whole(name+".descriptors", t.Descriptors, 2, 4096)
		v.whole(name+".lock_max", t.LockMax, 1, 1<<16)
		v.require(name+".stack", t.Stack.Value >= 0 && t.Stack.Value < t.Memory.Value,
			"is %v, want less than the memory", t.Stack)
	} else {
		v.whole(name+".memory", t.Memory, 0, 1<<30)
		v.whole(name+".stack", t.Stack, 0, 1<<30)
		v.whole(name+".banks", t.Banks, 0, 1024)
		v.whole(name+".locks", t.Locks, 0, 1024)
		v.whole(name+".lock_max", t.LockMax, 0, 1<<16)
		tasks := (t.In.Value + t.Out.Value) * t.Queue.Value
		v.require(name+".descriptors", t.Descriptors.Value >= tasks && t.Descriptors.Value <= 4096,
			"is %v, want %g to 4096: one for each task that its channels hold", t.Descriptors, tasks)
	}
	v.whole(name+".in", t.In, 1, 64)
	v.whole(name+".out", t.Out, 1, 64)
	v.whole(name+".dims", t.Dims, 1, 8)
	v.whole(name+".length_bits", t.LengthBits, 8, 48)
	v.whole(name+".wrap_bits", t.WrapBits, 1, 48)
	v.whole(name+".step_bits", t.StepBits, 1, 48)
	v.whole(name+".iter_bits", t.IterBits, 0, 48)
	v.whole(name+".repeat", t.Repeat, 0, 1<<20)
	v.whole(name+".queue", t.Queue, 0, 1024)
	v.between(name+".channel_bytes", t.ChannelRate, 1, 1<<16)
	if t.Switch != (Switch{}) {
		v.whole(name+".switch.north", t.Switch.North, 1, 1024)
		v.whole(name+".switch.south", t.Switch.South, 1, 1024)
		side := 1.0 // every column can be reached along the rows of cores
		if name != "core" {
			side = 0
		}
		v.whole(name+".switch.side", t.Switch.Side, side, 1024)
	}
}

func (v *checker) compute(c *Compute) {
	v.require("compute.macs", len(c.MACs) > 0, "is empty")
	v.whole("compute.code", c.Code, 0, 1<<24)
	for _, name := range ordered(c.MACs) {
		v.between("compute.macs."+name, c.MACs[name], 1e-6, 1e9)
	}
	for _, name := range ordered(c.Lanes) {
		v.between("compute.lanes."+name, c.Lanes[name], 1e-6, 1e9)
	}
	for _, name := range ordered(c.Convert) {
		v.between("compute.convert."+name, c.Convert[name], 0, 1e6)
	}
	for _, name := range ordered(c.Shapes) {
		s := c.Shapes[name]
		ok := min(s[0], s[1], s[2]) >= 1 && max(s[0], s[1], s[2]) <= 256
		v.require("compute.shapes."+name, ok, "is %v, want 1 to 256", s)
	}
	v.require("compute.styles", len(c.Styles) > 0, "is empty")
	for _, name := range ordered(c.Styles) {
		s, field := c.Styles[name], "compute.styles."+name
		v.between(field+".efficiency", s.Efficiency, 1e-3, 1)
		for _, t := range ordered(s.Types) {
			v.between(field+".types."+t, s.Types[t], 1e-3, 1)
		}
		for _, t := range s.Only {
			_, err := dtype.Parse(t)
			_, known := c.MACs[t]
			v.require(field+".only", err == nil || known, "has %q, want element types", t)
		}
		for _, name := range s.Makers {
			v.require(field+".makers", name != "" && name == strings.ToLower(name), "has %q, want words in small letters", name)
		}
		_, known := c.MACs[s.As]
		v.require(field+".as", s.As == "" || known, "is %q, want a type with a rate", s.As)
		v.between(field+".read", s.Read, 0, 1)
		v.between(field+".call", s.Call, 0, 1e9)
		v.between(field+".cast", s.Cast, 0, 10)
		v.between(field+".convert", s.Convert, 0, 1e6)
		v.between(field+".block", s.Block, 0, 1e6)
		v.between(field+".update", s.Update, 0, 1e6)
		v.between(field+".widen", s.Widen, 0, 1e6)
		v.between(field+".load", s.Load, 0, 10)
		v.between(field+".amid", s.Amid, 0, 1e3)
		v.require(field+".set", s.Set >= 0 && s.Set <= 1<<20, "is %d, want 0 to %d", s.Set, 1<<20)
	}
	for _, name := range ordered(c.Routines) {
		r, field := c.Routines[name], "compute.routines."+name
		v.between(field+".element", r.Element, 0, 1e9)
		v.between(field+".row", r.Row, 0, 1e9)
		v.between(field+".call", r.Call, 0, 1e9)
		v.between(field+".load", r.Load, 0, 10)
		v.between(field+".amid", r.Amid, 0, 1e3)
		v.between(field+".read", r.Read, 0, 1)
	}
	v.between("compute.load_bytes", c.LoadBytes, 1, 1<<20)
	v.between("compute.store_bytes", c.StoreBytes, 1, 1<<20)
	v.between("compute.cascade_bytes", c.CascadeBytes, 0, 1<<20)
}

// ordered are the keys of a table in order, so that the same machine always has the same message.
func ordered[T any](table map[string]T) []string { return slices.Sorted(maps.Keys(table)) }

func (v *checker) stream(s *Stream) {
	v.between("stream.hop", s.Hop, 0, 1e6)
	v.between("stream.bd_setup", s.BDSetup, 0, 1e6)
}

func (v *checker) energy(e *Energy) {
	for _, name := range ordered(e.MAC) {
		v.between("energy.mac."+name, e.MAC[name], 0, 1e12)
	}
	v.between("energy.op", e.Op, 0, 1e12)
	v.between("energy.l1", e.L1, 0, 1e12)
	v.between("energy.l2", e.L2, 0, 1e12)
	v.between("energy.stream", e.Stream, 0, 1e12)
	v.between("energy.ddr", e.DDR, 0, 1e12)
	v.between("energy.static", e.Static, 0, 1e6)
	v.between("energy.tile", e.Tile, 0, 1e6)
	v.require("energy.spread", e.Spread.Value == 0 || e.Spread.Value >= 1, "is %v, want at least 1", e.Spread)
}

func (v *checker) ddr(d *DDR) {
	v.between("ddr.read", d.Read, 1, 1e15)
	v.between("ddr.write", d.Write, 1, 1e15)
	v.rate("ddr.total", d.Total)
	v.between("ddr.per_shim", d.PerShim, 1, 1e15)
	v.between("ddr.start.read", d.Start.Read, 0, 1e6)
	v.between("ddr.start.write", d.Start.Write, 0, 1e6)
	v.whole("ddr.page", d.Page, 0, 1<<20)
	v.chips(&d.Chips)
	last := math.MaxInt
	for _, b := range d.Burst {
		v.require("ddr.burst", b.Bytes >= 0 && b.Bytes < last, "is not in falling order of bytes")
		v.between("ddr.burst", b.Share, 1e-3, 1)
		last = b.Bytes
	}
	for _, p := range d.Pitch {
		v.require("ddr.pitch", min(p.Bytes, p.Rows) >= 0, "is of %d rows %d bytes apart, want 0 or more",
			p.Rows, p.Bytes)
		v.between("ddr.pitch", p.Share, 1e-3, 1)
	}
}

func (v *checker) chips(c *Chips) {
	if *c == (Chips{}) {
		return
	}
	v.between("ddr.chips.bus", c.Bus, 1, 1e15)
	v.whole("ddr.chips.channels", c.Channels, 1, 1<<16)
	v.whole("ddr.chips.interleave", c.Interleave, 0, 1<<30)
	v.whole("ddr.chips.banks", c.Banks, 1, 1<<16)
	v.whole("ddr.chips.burst", c.Burst, 1, 1<<20)
	v.between("ddr.chips.cycle", c.Cycle, 0, 1)
	v.between("ddr.chips.four", c.Four, 0, 1)
	v.between("ddr.chips.interval", c.Interval, 0, 1)
	v.require("ddr.chips.refresh", c.Refresh.Value >= 0 && c.Refresh.Value <= c.Interval.Value/2,
		"is %v, want at most half of the interval", c.Refresh)
}
