package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/program"
)

// intervals is how many intervals a trace holds of each kernel.
const intervals = 20000

// change is a value that a signal of a VCD takes at a time.
type change struct {
	at     int64 // picoseconds
	signal int
	value  byte
}

// WriteVCD writes the program as a value change dump (IEEE 1364): for every core
// two bits, 00 idle, 01 computing, 10 waiting; for every sending channel one.
// Stretches that repeat what came before them are not drawn out: cores and channels change nothing in them, and the bit
// repeats_KERNEL is 1. Of a pipeline all samples are there, or as many as
// a comment says. An error is one of w, or of a mapping without a program.
func (r *Report) WriteVCD(w io.Writer) error {
	v := &dump{ids: make(map[string]int)}
	_, _, begin := r.starts()
	shifts := r.shifts()
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if k.Problem != "" || k.Once {
			continue
		}
		if k.Choice != nil {
			if e, err := k.Events(event.Options{Intervals: intervals}); err == nil {
				p, err := k.Choice.Program()
				if err != nil {
					return err
				}
				p.Lower()
				for _, later := range shifts[k][:detailed(len(shifts[k]), len(e.Intervals), intervals)] {
					v.add(k, p, e, begin[i]+later)
				}
			}
		}
	}
	comment := r.Name
	if drawn := r.Drawn(intervals); drawn != "" {
		comment += ": " + drawn
	}
	return v.write(w, comment)
}

type dump struct {
	names   []string
	widths  []int
	ids     map[string]int
	changes []change
}

func (v *dump) signal(name string, width int) int {
	id, ok := v.ids[name]
	if !ok {
		id = len(v.names)
		v.ids[name] = id
		v.names, v.widths = append(v.names, name), append(v.widths, width)
	}
	return id
}

func (v *dump) add(k *Kernel, p *program.Program, e *event.Result, base float64) {
	clock := p.Machine.Clock.Value
	at := func(cycles float64) int64 { return int64((base + cycles/clock) * 1e12) }
	for _, i := range e.Intervals {
		var id int
		value := byte(1)
		switch i.Activity {
		case event.Repeat:
			id = v.signal("repeats_"+k.Name, 1)
		case event.Transfer:
			d := &p.DMAs[i.Channel]
			c := k.place(d.Tile)
			id = v.signal(fmt.Sprintf("dma_%d_%d_%s_%d", c.Col, c.Row, d.Dir, d.Channel), 1)
		default:
			c := k.place(p.Cores[i.Core].Tile)
			id = v.signal(fmt.Sprintf("core_%d_%d", c.Col, c.Row), 2)
			if i.Activity == event.Stall {
				value = 2
			}
		}
		v.changes = append(v.changes, change{at(i.Start), id, value}, change{at(i.End), id, 0})
	}
}

func (v *dump) write(w io.Writer, comment string) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "$comment %s $end\n$timescale 1ps $end\n$scope module array $end\n", comment)
	for i, n := range v.names {
		fmt.Fprintf(b, "$var wire %d %s %s $end\n", v.widths[i], code(i), n)
	}
	b.WriteString("$upscope $end\n$enddefinitions $end\n#0\n")
	for i := range v.names {
		v.value(b, i, 0)
	}
	// At one time the end of an interval comes before the start of the next.
	slices.SortStableFunc(v.changes, func(x, y change) int {
		switch {
		case x.at != y.at:
			return int(min(max(x.at-y.at, -1), 1))
		case x.signal != y.signal:
			return x.signal - y.signal
		case x.value == 0 && y.value != 0:
			return -1
		case x.value != 0 && y.value == 0:
			return 1
		}
		return 0
	})
	now := int64(0)
	for _, c := range v.changes {
		if c.at != now {
			fmt.Fprintf(b, "#%d\n", c.at)
			now = c.at
		}
		v.value(b, c.signal, c.value)
	}
	return b.Flush()
}

func (v *dump) value(b *bufio.Writer, signal int, value byte) {
	if v.widths[signal] == 1 {
		fmt.Fprintf(b, "%d%s\n", value, code(signal))
	} else {
		fmt.Fprintf(b, "b%02b %s\n", value, code(signal))
	}
}

// code is the short identifier of a signal: printable characters.
func code(i int) string {
	const first, count = '!', '~' - '!' + 1
	s := ""
	for {
		s += string(rune(first + i%count))
		if i /= count; i == 0 {
			return s
		}
		i--
	}
}
