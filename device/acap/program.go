package acap

import (
	"math"
	"strings"
	"sync"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap/placement"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/compiler"
)

// Program is an executable with a mapping of each of its kernels. Kernels are
// mapped when their account is first asked for; running does not wait for it.
type Program struct {
	*compiler.Executable
	array *Array
	plan  func() *placement.Plan // made once for all handles
}

// NewHandle implements [device.Executable].
func (p *Program) NewHandle() device.Executable {
	return &Program{Executable: p.Share(), array: p.array, plan: p.plan}
}

// newProgram returns the program of an array whose kernels are mapped when their account is first asked for.
func newProgram(a *Array, exe *compiler.Executable, given placement.Mappings) *Program {
	plan := func() *placement.Plan { return placement.New(a.on(), placed(exe), given) }
	return &Program{Executable: exe, array: a, plan: sync.OnceValue(plan)}
}

// placed has the facts of an executable that a plan needs.
func placed(exe *compiler.Executable) placement.Program {
	of := placement.Program{Fallbacks: len(exe.Fallbacks())}
	for _, g := range exe.Groups() {
		turns := schedule.Turns{Calls: g.Turns.Calls, Each: g.Turns.Each, Never: g.Turns.Calls*g.Turns.Each == 0}
		of.Groups = append(of.Groups, placement.Group{Kernels: g.Program.Kernels(), Turns: turns, Open: g.Turns.Open, Carried: g.Carried})
	}
	_, of.Results = exe.Types()
	return of
}

// Described returns the kernels of a run without mappings and times, at once: what they are depends on no machine.
func (p *Program) Described() []report.Kernel {
	return placement.Described(p.array.on(), placed(p.Executable))
}

// Report says what the array does with one run of the program.
func (p *Program) Report() *report.Report {
	r := p.plan().Report()
	r.Fallbacks = p.Fallbacks()
	return r
}

// Mappings returns the mappings of the program's kernels, to be stored: the same bytes for the same mappings. Errors
// are those of [placement.Plan.Stored].
func (p *Program) Mappings() ([]byte, error) { return p.plan().Stored() }

// Adopt makes a program of the array of one that was compiled before, with what [Program.Mappings]
// returned for a machine that is the same in all that is known of it; nil if there is none. Bytes that are no mappings
// are an error.
func (a *Array) Adopt(exe *compiler.Executable, mappings []byte) (*Program, error) {
	if mappings == nil {
		return newProgram(a, exe, nil), nil
	}
	given, err := placement.ReadMappings(mappings)
	if err != nil {
		return nil, err
	}
	return newProgram(a, exe, given), nil
}

// Kernels implements [device.Explained], with the time that the array would take.
func (p *Program) Kernels() []device.Kernel {
	list, placed := p.Executable.Kernels(), p.plan().Running()
	r := &report.Report{Machine: p.array.machine}
	for i := range placed {
		r.Kernels = append(r.Kernels, placed[i].Row())
	}
	adds, next := r.Adds(), 0
	for i := range list {
		k := &list[i]
		if k.Kind == device.Fallback && k.Problem != "" {
			continue
		}
		row, added := &r.Kernels[next], &adds[next]
		next++
		if k.Problem = row.Problem; k.Problem != "" {
			continue
		}
		k.Call = added.Host()
		k.Seconds = k.Call + float64(row.Samples())*(added.Launch()+added.Work())
		k.Cycles, k.Bound, k.Mapping = k.Seconds*r.Machine.Clock.Value, row.Bound, row.Layout
	}
	return list
}

// Text implements [device.Executable]. The stage "aie" is the array's programs at the level of object FIFOs. The stage
// "aie-lowered" is the programs at the level of buffers, locks, descriptors and flows. Both are in the text of a
// version of mlir-aie, whose name may follow an @ (see [program.Program.Text]). "aie-generic" is the devices of
// "aie-lowered" in MLIR's generic form, and "aie-irdl" the definitions by which an unmodified mlir-opt checks these
// (see program.Program.Generic).
func (p *Program) Text(stage string) (string, error) {
	text, _, err := p.TextUpTo(stage, math.MaxInt)
	return text, err
}

// TextUpTo is [Program.Text] without the programs of kernels that begin behind the given number of lines, and says
// whether it leaves any out. Errors are those of [Program.Text].
func (p *Program) TextUpTo(stage string, lines int) (text string, more bool, err error) {
	stage, version, given := strings.Cut(stage, "@") // of mlir-aie, such as aie@1.4
	if !given {
		version = program.Dialect
	}
	switch stage {
	case "aie", "aie-lowered", "aie-generic":
	case "aie-irdl":
		return program.Definitions, false, nil
	default:
		text, err = p.Executable.Text(stage)
		return text, false, err
	}
	var texts []string
	for _, q := range p.plan().Running() {
		if lines <= 0 {
			more = true
			break
		}
		built, err := q.Program(p.array.machine)
		if err != nil {
			return "", false, err
		}
		switch stage {
		case "aie-generic":
			text = built.Generic()
		case "aie-lowered":
			built.Lower()
			fallthrough
		default:
			if text, err = built.Text(version); err != nil {
				return "", false, err
			}
		}
		texts = append(texts, text)
		lines -= strings.Count(text, "\n")
	}
	return strings.Join(texts, ""), more, nil
}

// ReportOf returns the report of an executable of an array, or nil for one of
// another device.
func ReportOf(exe device.Executable) *report.Report {
	if p, ok := exe.(*Program); ok {
		return p.Report()
	}
	return nil
}
