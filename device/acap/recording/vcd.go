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

// ReadVCD reads a value change dump (IEEE 1364). Real numbers and texts are passed over. Other text is an error.
func ReadVCD(r io.Reader) (*Dump, error) {
	d := &dumpReader{words: bufio.NewScanner(r), signals: map[string][]*Signal{}}
	d.dump.Tick = 1e-9
	d.words.Buffer(nil, 1<<20)
	d.words.Split(bufio.ScanWords)
	defined := false
	for d.words.Scan() {
		var err error
		switch word := d.words.Text(); {
		case word == "$enddefinitions":
			d.untilEnd()
			defined = true
		case word[0] == '$':
			err = d.command(word)
		case !defined:
			err = fmt.Errorf("recording: %.40q in the definitions of a value change dump", word)
		default:
			err = d.change(word)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := d.words.Err(); err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	if !defined {
		return nil, fmt.Errorf("recording: no value change dump: there is no $enddefinitions")
	}
	return &d.dump, nil
}

// dumpReader reads a dump word by word.
type dumpReader struct {
	dump    Dump
	words   *bufio.Scanner
	scopes  []string             // those around the next variable
	signals map[string][]*Signal // by the code of the variable
	at      int64                // ticks
}

// untilEnd returns the words before the next $end.
func (d *dumpReader) untilEnd() (list []string) {
	for d.words.Scan() && d.words.Text() != "$end" {
		list = append(list, d.words.Text())
	}
	return list
}

// command reads what follows a keyword. The values behind $dumpvars and the like are changes, up to an $end.
func (d *dumpReader) command(keyword string) (err error) {
	switch keyword {
	case "$dumpvars", "$dumpall", "$dumpon", "$dumpoff", "$end":
		return nil
	}
	words := d.untilEnd()
	switch keyword {
	case "$timescale":
		d.dump.Tick, err = tick(strings.Join(words, ""))
	case "$scope":
		if len(words) > 1 {
			d.scopes = append(d.scopes, words[1])
		}
	case "$upscope":
		d.scopes = d.scopes[:max(0, len(d.scopes)-1)]
	case "$var":
		err = d.variable(words)
	}
	return err
}

// variable reads a definition: type, width, code and name.
func (d *dumpReader) variable(words []string) error {
	if len(words) < 4 {
		return fmt.Errorf("recording: a variable without type, width, code and name: %.200q", words)
	}
	width, err := strconv.Atoi(words[1])
	if err != nil || width < 1 {
		return fmt.Errorf("recording: %.40s is %.40q bits wide", words[3], words[1])
	}
	s := &Signal{Name: strings.Join(append(slices.Clone(d.scopes), words[3]), "."), Width: width}
	d.signals[words[2]] = append(d.signals[words[2]], s)
	d.dump.Signals = append(d.dump.Signals, s)
	return nil
}

// change reads a time, or a new value of a variable.
func (d *dumpReader) change(word string) error {
	switch word[0] {
	case '#':
		v, err := strconv.ParseInt(word[1:], 10, 64)
		if err != nil || v < d.at {
			return fmt.Errorf("recording: a time %.40q behind %d", word, d.at)
		}
		d.at = v
		return nil
	case '0', '1', 'x', 'X', 'z', 'Z':
		return d.set(word[1:], word[:1])
	case 'b', 'B':
		if !d.words.Scan() {
			return fmt.Errorf("recording: at %d: a value without a variable", d.at)
		}
		return d.set(d.words.Text(), word[1:])
	case 'r', 'R', 's', 'S':
		d.words.Scan()
		return nil
	}
	return fmt.Errorf("recording: at %d: %.40q is no change of a value", d.at, word)
}

// set notes a value of a variable. The digits x and z count as 0.
func (d *dumpReader) set(code, digits string) error {
	signals, ok := d.signals[code]
	if !ok {
		return fmt.Errorf("recording: at %d: there is no variable %.40q", d.at, code)
	}
	v := uint64(0)
	for _, c := range digits {
		v = v<<1 | map[rune]uint64{'1': 1}[c]
	}
	for _, s := range signals {
		s.Changes = append(s.Changes, Change{d.at, v})
	}
	return nil
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

// Calls returns the calls of kernels on cores at a clock: of signals whose names a pattern has with column and row,
// while the lowest bit is 1. A pattern with another number of groups, or of no signal, is an error.
func (d *Dump) Calls(cores *regexp.Regexp, clock float64) ([]Calls, error) {
	if cores.NumSubexp() != 2 {
		return nil, fmt.Errorf("recording: the pattern %q has %d groups, want two: the column and the row", cores, cores.NumSubexp())
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

// WriteVCD writes the calls and the waiting of cores, as [DefaultEvents] have them, in the form of package report at a
// clock: for every core two bits, 01 while it computes, 10 while it waits. Nothing that repeats is left out. An error
// is one of w.
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
