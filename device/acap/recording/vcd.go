package recording

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Dump is a value change dump.
type Dump struct {
	Tick    float64 // seconds
	Signals []*Signal
}

// Signal is a variable of a dump.
type Signal struct {
	Name    string // with the scopes that it is in, dots between them
	Width   int
	Changes []Change
}

// Change is a value from a time on. Of a value that is not known, bits are 0.
type Change struct {
	At    int64 // ticks
	Value uint64
}

// ReadVCD reads a value change dump (IEEE 1364). Real numbers and texts are passed over.
func ReadVCD(r io.Reader) (*Dump, error) {
	d := &Dump{Tick: 1e-9}
	words := bufio.NewScanner(r)
	words.Buffer(nil, 1<<20)
	words.Split(bufio.ScanWords)
	of := map[string][]*Signal{}
	var scopes []string
	until := func() (list []string) {
		for words.Scan() && words.Text() != "$end" {
			list = append(list, words.Text())
		}
		return list
	}
	at, header := int64(0), true
	set := func(id, digits string) error {
		signals, ok := of[id]
		if !ok {
			return fmt.Errorf("recording: at %d: there is no variable %.40q", at, id)
		}
		v := uint64(0)
		for _, c := range digits {
			v = v<<1 | map[rune]uint64{'1': 1}[c]
		}
		for _, s := range signals {
			s.Changes = append(s.Changes, Change{at, v})
		}
		return nil
	}
	for words.Scan() {
		w := words.Text()
		switch {
		case w == "$timescale":
			var err error
			if d.Tick, err = tick(strings.Join(until(), "")); err != nil {
				return nil, err
			}
		case w == "$scope":
			if f := until(); len(f) > 1 {
				scopes = append(scopes, f[1])
			}
		case w == "$upscope":
			until()
			scopes = scopes[:max(0, len(scopes)-1)]
		case w == "$var":
			f := until()
			if len(f) < 4 {
				return nil, fmt.Errorf("recording: a variable without type, width, code and name: %.200q", f)
			}
			width, err := strconv.Atoi(f[1])
			if err != nil || width < 1 {
				return nil, fmt.Errorf("recording: %.40s is %.40q bits wide", f[3], f[1])
			}
			s := &Signal{Name: strings.Join(append(scopes[:len(scopes):len(scopes)], f[3]), "."), Width: width}
			of[f[2]] = append(of[f[2]], s)
			d.Signals = append(d.Signals, s)
		case w == "$enddefinitions":
			until()
			header = false
		case w == "$dumpvars", w == "$dumpall", w == "$dumpon", w == "$dumpoff", w == "$end":
		case strings.HasPrefix(w, "$"):
			until()
		case header:
			return nil, fmt.Errorf("recording: %.40q in the definitions of a value change dump", w)
		case w[0] == '#':
			v, err := strconv.ParseInt(w[1:], 10, 64)
			if err != nil || v < at {
				return nil, fmt.Errorf("recording: a time %.40q behind %d", w, at)
			}
			at = v
		case strings.ContainsRune("01xXzZ", rune(w[0])):
			if err := set(w[1:], w[:1]); err != nil {
				return nil, err
			}
		case w[0] == 'b' || w[0] == 'B':
			if !words.Scan() {
				return nil, fmt.Errorf("recording: at %d: a value without a variable", at)
			}
			if err := set(words.Text(), w[1:]); err != nil {
				return nil, err
			}
		case w[0] == 'r' || w[0] == 'R' || w[0] == 's' || w[0] == 'S':
			words.Scan()
		default:
			return nil, fmt.Errorf("recording: at %d: %.40q is no change of a value", at, w)
		}
	}
	if err := words.Err(); err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	if header {
		return nil, fmt.Errorf("recording: no value change dump: there is no $enddefinitions")
	}
	return d, nil
}

var ticks = regexp.MustCompile(`^(1|10|100)(s|ms|us|ns|ps|fs)$`)

func tick(text string) (float64, error) {
	g := ticks.FindStringSubmatch(text)
	if g == nil {
		return 0, fmt.Errorf("recording: a time scale %.40q", text)
	}
	n, _ := strconv.Atoi(g[1])
	return float64(n) * map[string]float64{"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "ps": 1e-12, "fs": 1e-15}[g[2]], nil
}

// OwnCores is the pattern of the signals of cores in dumps of package report.
var OwnCores = regexp.MustCompile(`(?:^|\.)core_(\d+)_(\d+)$`)

// Calls returns the calls of kernels on cores at a clock: of signals whose names a pattern has with column and row, while the lowest bit is 1.
func (d *Dump) Calls(cores *regexp.Regexp, clock float64) ([]Calls, error) {
	if cores.NumSubexp() != 2 {
		return nil, fmt.Errorf("recording: the pattern %q has %d groups, want those of the column and the row", cores, cores.NumSubexp())
	}
	var list []Calls
	for _, s := range d.Signals {
		g := cores.FindStringSubmatch(s.Name)
		if g == nil {
			continue
		}
		c := Calls{}
		var err error
		if c.Col, err = strconv.Atoi(g[1]); err == nil {
			c.Row, err = strconv.Atoi(g[2])
		}
		if err != nil {
			return nil, fmt.Errorf("recording: %s: %w", s.Name, err)
		}
		cycles := func(at int64) int64 { return int64(math.Round(float64(at) * d.Tick * clock)) }
		from := int64(-1)
		for _, v := range s.Changes {
			switch on := v.Value&1 == 1; {
			case on && from < 0:
				from = v.At
			case !on && from >= 0:
				c.Spans, from = append(c.Spans, Span{cycles(from), cycles(v.At)}), -1
			}
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("recording: none of %d signals is a core by the pattern %q", len(d.Signals), cores)
	}
	return sorted(list), nil
}

// WriteVCD writes the calls and the waiting of cores, as [DefaultEvents] have them, in the form of package report at a clock: for every core two bits,
// 01 while it computes, 10 while it waits. Nothing that repeats is left out.
func (r *Recording) WriteVCD(w io.Writer, clock float64) error {
	calls, err := r.Calls(DefaultEvents)
	if err != nil {
		return err
	}
	type change struct {
		at    int64
		core  int
		value int // ends come before what begins at the same time
	}
	var changes []change
	add := func(core, value int, spans []Span) {
		for _, s := range spans {
			changes = append(changes, change{s.From, core, value}, change{s.To, core, 0})
		}
	}
	for i, c := range calls {
		add(i, 1, c.Spans)
		for _, t := range r.Tiles {
			if t.Kind == Core && t.Col == c.Col && t.Row == c.Row {
				add(i, 2, t.Events[Slots-1])
			}
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.core, b.core), cmp.Compare(a.value, b.value))
	})
	b := bufio.NewWriter(w)
	fmt.Fprint(b, "$timescale 1ps $end\n$scope module array $end\n")
	for i, c := range calls {
		fmt.Fprintf(b, "$var wire 2 c%d core_%d_%d $end\n", i, c.Col, c.Row)
	}
	fmt.Fprint(b, "$upscope $end\n$enddefinitions $end\n#0\n")
	for i := range calls {
		fmt.Fprintf(b, "b00 c%d\n", i)
	}
	now := int64(0)
	for _, c := range changes {
		if c.at != now {
			now = c.at
			fmt.Fprintf(b, "#%d\n", int64(math.Round(float64(now)/clock*1e12)))
		}
		fmt.Fprintf(b, "b%02b c%d\n", c.value, c.core)
	}
	return b.Flush()
}
