package explorer

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/exporter/stablehlo"
	"github.com/go-acap/acap/translate/passes/torchmlir"
)

// Stage is a form of the program, as text: the part "stage/NAME".
type Stage struct {
	Name  string   `json:"name"`
	Lines []string `json:"lines"`
	More  bool     `json:"more,omitempty"` // lines at the end were left out
	Spans []Span   `json:"spans"`
}

// Span is lines of a stage that come from the same calls, or are of one kernel.
type Span struct {
	From   int   `json:"from"` // the first line
	To     int   `json:"to"`   // the line after the last one
	Calls  []int `json:"calls"`
	Kernel *int  `json:"kernel,omitempty"`
}

const (
	stageTorch     = "torch"
	elidedElements = 8     // of constants that are left out
	mostLines      = 20000 // of a stage
	mostLineBytes  = 2000
)

// stages names the forms, from the source to the machine.
func (e *Explorer) stages() []string {
	list := []string{string(lazy.StageATen), stageTorch, string(lazy.StageStableHLO), string(lazy.StageLinalg),
		string(lazy.StageKernel), string(lazy.StageVector), string(lazy.StageASM)}
	if e.onArray() {
		list = append(list, string(lazy.StageAIE), string(lazy.StageAIELowered))
	}
	return list
}

func (e *Explorer) stagePart(ctx context.Context, name string) (any, error) {
	if !slices.Contains(e.stages(), name) {
		return nil, fmt.Errorf("%w: no stage %q", errNoPart, name)
	}
	switch stage := lazy.Stage(name); stage {
	case lazy.StageATen:
		return moduleStage(name, clone(e.module), mlir.PrintOptions{})
	case stageTorch:
		module := clone(e.module)
		if err := torchmlir.To(module); err != nil {
			return nil, err
		}
		return moduleStage(name, module, mlir.PrintOptions{Pretty: true})
	case lazy.StageStableHLO:
		module := clone(e.module)
		if err := stablehlo.Export(module); err != nil {
			return nil, err
		}
		return moduleStage(name, module, mlir.PrintOptions{})
	case lazy.StageLinalg:
		module := clone(e.module)
		if err := compiler.Lower(module); err != nil {
			return nil, err
		}
		return moduleStage(name, module, mlir.PrintOptions{})
	}
	return e.kernelStage(ctx, name)
}

// moduleStage prints a module, which is consumed, with the calls of its lines: they are printed
// as locations, and taken out of the text.
func moduleStage(name string, module *mlir.Operation, opts mlir.PrintOptions) (*Stage, error) {
	module.Walk(func(op *mlir.Operation) {
		op.Loc = mlir.Location{Name: callsText(callsOf(op.Loc))}
	})
	opts.Locations, opts.ElideLargerThan = true, elidedElements
	lines := strings.Split(strings.TrimSuffix(module.Text(opts), "\n"), "\n")
	s := &Stage{Name: name, Spans: []Span{}}
	s.setLines(lines)
	calls := make([][]int, len(s.Lines))
	var open []int
	for i, line := range s.Lines {
		text, own := cutCalls(line)
		s.Lines[i], calls[i] = text, own
		trimmed := strings.TrimSpace(text)
		if strings.HasPrefix(trimmed, "}") && len(open) > 0 {
			from := open[len(open)-1]
			open = open[:len(open)-1]
			for k := from; k < i; k++ {
				if calls[k] == nil {
					calls[k] = own
				}
			}
		}
		if strings.HasSuffix(trimmed, "{") {
			open = append(open, i)
		}
	}
	for i, c := range calls {
		if len(c) == 0 {
			continue
		}
		if n := len(s.Spans) - 1; n >= 0 && s.Spans[n].To == i && slices.Equal(s.Spans[n].Calls, c) {
			s.Spans[n].To++
			continue
		}
		s.Spans = append(s.Spans, Span{From: i, To: i + 1, Calls: c})
	}
	return s, nil
}

// setLines keeps as many lines as are shown.
func (s *Stage) setLines(lines []string) {
	if len(lines) > mostLines {
		s.More = true
		lines = lines[:mostLines]
	}
	s.Lines = lines
}

// callsOf returns the calls that a location comes from, in order.
func callsOf(locations ...mlir.Location) []int {
	var list []int
	var add func(l *mlir.Location)
	add = func(l *mlir.Location) {
		if l.Serial > 0 {
			list = append(list, l.Serial)
			return
		}
		for i := range l.Fused {
			add(&l.Fused[i])
		}
	}
	for i := range locations {
		add(&locations[i])
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// callsText is the form of calls in the text of a location.
func callsText(calls []int) string {
	var parts []string
	for _, c := range calls {
		parts = append(parts, strconv.Itoa(c))
	}
	return strings.Join(parts, ",")
}

var location = regexp.MustCompile(` loc\((?:"([0-9,]*)"|unknown)\)`)

// cutCalls takes the calls out of a line.
func cutCalls(line string) (text string, calls []int) {
	for _, m := range location.FindAllStringSubmatch(line, -1) {
		for _, part := range strings.Split(m[1], ",") {
			if id, err := strconv.Atoi(part); err == nil {
				calls = append(calls, id)
			}
		}
	}
	text = location.ReplaceAllString(line, "")
	if len(text) > mostLineBytes {
		text = strings.ToValidUTF8(text[:mostLineBytes], "") + " …"
	}
	slices.Sort(calls)
	return text, slices.Compact(calls)
}

var (
	groupHead  = regexp.MustCompile(`^// group @(\S+)`)
	kernelHead = regexp.MustCompile(`^// (k\d+_\w+)(?: on |:)`)
)

// textOf returns a text of an executable, and whether there is more: a text of an array only as far as it is shown.
func textOf(exe device.Executable, stage string) (text string, more bool, err error) {
	if p, ok := exe.(*acap.Program); ok {
		return p.TextUpTo(stage, mostLines)
	}
	text, err = exe.Text(stage)
	return text, false, err
}

// kernelStage divides a text of the device into its kernels.
func (e *Explorer) kernelStage(ctx context.Context, name string) (any, error) {
	exe, err := e.executable(ctx)
	if err != nil {
		return nil, err
	}
	text, more, err := textOf(exe, name)
	if err != nil {
		return nil, err
	}
	program, err := e.programOf(ctx)
	if err != nil {
		return nil, err
	}
	s := &Stage{Name: name, Spans: []Span{}, More: more}
	s.setLines(strings.Split(strings.TrimSuffix(text, "\n"), "\n"))
	next, group := 0, ""
	for i, line := range s.Lines {
		s.Lines[i], _ = cutCalls(line)
		if m := groupHead.FindStringSubmatch(line); m != nil {
			group = m[1]
		}
		m := kernelHead.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		k := slices.IndexFunc(program.Kernels[next:], func(k Kernel) bool {
			return k.Name == m[1] && (group == "" || k.Group == group)
		})
		if k < 0 {
			continue
		}
		k += next
		next = k + 1
		if n := len(s.Spans) - 1; n >= 0 {
			s.Spans[n].To = i
		}
		s.Spans = append(s.Spans, Span{From: i, To: len(s.Lines), Calls: program.Kernels[k].Calls, Kernel: &k})
	}
	return s, nil
}
