package lazy

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/division"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// Explanation says what a barrier would run, before it runs: every kernel with the recorded calls in it, what the
// device predicts, what falls back to the host and why, and the memory. After [ExplainAnalyze] it also has what was
// measured.
type Explanation struct {
	Device  string            `json:"device"`
	Key     string            `json:"key"` // of the program
	Calls   int               `json:"calls"`
	Cached  bool              `json:"cached"` // the program need not be compiled
	Kernels []ExplainedKernel `json:"kernels"`
	// Numbers are the Go numbers that are inputs of the program, because they vary.
	Numbers []ExplainedNumber `json:"numbers,omitempty"`
	// Recomputed are the values that an earlier program computed and did not keep, and for which this program computes
	// RecomputedCalls calls again: a [Sync] of them beside what was read earlier would have kept them.
	Recomputed      []ExplainedValue `json:"recomputed,omitempty"`
	RecomputedCalls int              `json:"recomputed_calls,omitempty"`
	Groups          []ExplainedGroup `json:"groups"`
	Share           float64          `json:"share"`              // of the work that is in groups of the device, 0 to 1
	Warnings        []string         `json:"warnings,omitempty"` // what went another way than the configuration says
	Inputs          int64            `json:"input_bytes"`
	Peak            int64            `json:"peak_bytes"` // of the run, beside the inputs
	Kept            int64            `json:"kept_bytes"` // by the program between runs
	Largest         []ExplainedValue `json:"largest_values"`
	// PackedOnce are the bytes of operands that the program packs once for each set of constants, such as weights, and
	// Packs says that the next run does so. PackedEach are those that every run packs. Packing says why, a sentence for
	// each, and in which blocks products read quantised weights, or why these become floats.
	PackedOnce int64         `json:"packed_once_bytes"`
	PackedEach int64         `json:"packed_each_bytes"`
	Packs      bool          `json:"packs"`
	Packing    []string      `json:"packing,omitempty"`
	Predicted  float64       `json:"predicted_seconds"`     // on the array
	Measured   time.Duration `json:"measured_ns,omitempty"` // on this machine
	// Lines are the costs by line of the program, the most expensive first.
	Lines []ExplainedLine `json:"lines"`
}

// ExplainedKernel is a kernel, or a call on the host.
type ExplainedKernel struct {
	Name  string   `json:"name"`
	Kind  string   `json:"kind"`
	Group string   `json:"group,omitempty"` // the function of its group
	Calls []string `json:"calls"`           // the recorded operators in it
	Where []string `json:"where"`           // their lines
	Once  bool     `json:"once,omitempty"`
	// PackedOnce and PackedEach are bytes of operands that are packed once, and in every run: PackedWhy says why.
	PackedOnce int64         `json:"packed_once_bytes,omitempty"`
	PackedEach int64         `json:"packed_each_bytes,omitempty"`
	PackedWhy  string        `json:"packed_why,omitempty"`
	Stored     string        `json:"stored,omitempty"`   // the format of the blocks in which a product reads weights
	Portable   string        `json:"portable,omitempty"` // why this machine runs portable Go instead of machine code
	MACs       int64         `json:"macs,omitempty"`
	Work       int64         `json:"work,omitempty"`
	Bytes      int64         `json:"bytes"`
	Predicted  float64       `json:"predicted_seconds,omitempty"` // that it adds to a run: a group's first with the host's call
	Cycles     float64       `json:"predicted_cycles,omitempty"`
	Bound      string        `json:"bound,omitempty"`
	Mapping    string        `json:"mapping,omitempty"`
	Problem    string        `json:"problem,omitempty"`
	Measured   time.Duration `json:"measured_ns,omitempty"`
}

// ExplainedValue is a value that takes memory.
type ExplainedValue struct {
	Bytes int64  `json:"bytes"`
	Op    string `json:"op"`
	Where string `json:"where"`
}

// ExplainedNumber is a Go number that is an input of the program.
type ExplainedNumber struct {
	Op       string `json:"op"`
	Argument string `json:"argument"`
	Value    string `json:"value"`
	Where    string `json:"where"`
}

// ExplainedLine is the cost of a line of the program: its share of the kernels that it is in.
type ExplainedLine struct {
	Where     string        `json:"where"`
	Predicted float64       `json:"predicted_seconds"`
	Measured  time.Duration `json:"measured_ns,omitempty"`
}

// Explain says what computing the values would run. Nothing runs; the program is compiled, and kept
// for the barrier. Values of two devices are an error, and so are values that have been computed, a program that does
// not compile and a device that does not explain its programs.
func Explain(values ...Value) (*Explanation, error) {
	r, roots, err := together(values)
	if err != nil {
		return nil, err
	}
	e, _, _, err := explain(context.Background(), r, roots)
	return e, err
}

// ExplainAnalyze computes the values, as [Sync] does, and says what ran and how long each
// part took beside what was predicted. The prediction is of the array, the measurement of
// this machine. Errors are those of [Explain] and of the run; after one the values stay pending.
func ExplainAnalyze(ctx context.Context, values ...Value) (*Explanation, error) {
	r, roots, err := together(values)
	if err != nil {
		return nil, err
	}
	e, p, g, err := explain(ctx, r, roots)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	inputs, err := hold(g, nil)
	if err != nil {
		return nil, err
	}
	timed := p.exe.(device.Explained)
	if p.fit != nil {
		inputs = p.fit.pad(inputs)
	}
	out, took, err := timed.RunTimed(ctx, inputs)
	release(inputs)
	if err != nil {
		return nil, located(err, g)
	}
	for i := 0; i < len(g.Roots); {
		n := g.Roots[i].Node
		count := len(n.Types())
		if p.fit != nil {
			for k, t := range n.Types() {
				exact := buf.New(t.DType, t.Shape)
				copyCorner(exact, out[i+k], t.Shape)
				out[i+k] = exact
			}
		}
		own(out[i:i+count], inputs)
		i += count
	}
	r.stats.executed(time.Since(start), p)
	r.pending.ran(len(g.Nodes))
	r.done(g, out)
	for i, d := range took {
		took[i] = max(d, 1) // 0 is not measured; some clocks stand still for longer than a kernel takes
		e.Kernels[i].Measured = took[i]
		e.Measured += took[i]
	}
	division.SetTimes(e.Groups, timed.Kernels(), took)
	e.sumLines()
	return e, nil
}

// own copies results that are inputs, or twice the same.
func own(results, inputs []*buf.Buffer) {
	for i, b := range results {
		if slices.Contains(inputs, b) || slices.Contains(results[:i], b) {
			results[i] = b.Clone()
		}
	}
}

// explain finds the program of values and describes it.
func explain(ctx context.Context, r *Runtime, roots []ops.Value) (*Explanation, *program, *trace.Graph, error) {
	cached := true
	for {
		pending := pendingRoots(roots, nil)
		if len(pending) == 0 {
			return nil, nil, nil, fmt.Errorf("lazy: nothing to explain: the values have been computed")
		}
		pending, _, _ = gather(pending, everything)
		g, module := trace.Module(pending, compiler.Entry)
		p := r.cache.find(g.Key)
		var err error
		if p == nil {
			cached = false
			p, err = r.compile(ctx, g, module)
		} else {
			err = p.wait(ctx)
		}
		if err != nil {
			return nil, nil, nil, err
		}
		if p == nil || p.exe == nil {
			continue
		}
		exe, ok := p.exe.(device.Explained)
		if !ok {
			return nil, nil, nil, fmt.Errorf("lazy: %s does not explain its programs", r.dev.Name())
		}
		e := describe(r, p, g, exe, cached)
		inputs, err := hold(g, nil)
		if err != nil {
			return nil, nil, nil, err
		}
		if p.fit != nil {
			e.packing(p, p.fit.pad(inputs))
		} else {
			e.packing(p, inputs)
		}
		release(inputs)
		if err := e.divide(r.dev, exe, pending); err != nil {
			return nil, nil, nil, err
		}
		return e, p, g, nil
	}
}

func describe(r *Runtime, p *program, g *trace.Graph, exe device.Explained, cached bool) *Explanation {
	e := &Explanation{Device: r.dev.Name(), Key: keyText(p.key), Calls: len(g.Nodes), Cached: cached, Inputs: g.Bytes(),
		Peak: p.memory.Run, Kept: p.memory.Kept}
	for _, n := range g.Numbers {
		x := ExplainedNumber{Where: n.Node.Location().Short()}
		x.Op, x.Argument, x.Value = n.Text()
		e.Numbers = append(e.Numbers, x)
	}
	again, calls := g.Recomputed()
	e.RecomputedCalls = calls
	for _, n := range again {
		e.Recomputed = append(e.Recomputed, ExplainedValue{n.Bytes(), n.Pattern().Op.Name(), n.Location().Short()})
	}
	for _, v := range p.memory.Largest {
		op, loc := callAt(g, v.Loc)
		e.Largest = append(e.Largest, ExplainedValue{v.Bytes, cmp.Or(op, v.Op), loc.Short()})
	}
	for _, k := range exe.Kernels() {
		x := ExplainedKernel{Name: k.Name, Kind: k.Kind, Group: k.Group, Once: k.Once, MACs: k.MACs, Work: k.Work, Bytes: k.Read + k.Written,
			Predicted: k.Seconds, Cycles: k.Cycles, Bound: k.Bound, Mapping: k.Mapping, Problem: k.Problem,
			PackedOnce: k.PackedOnce, PackedEach: k.PackedEach, PackedWhy: k.PackedWhy, Stored: k.Stored, Portable: k.Portable}
		x.Calls, x.Where = callsAt(g, k.Locations)
		if len(x.Calls) == 0 {
			x.Calls = slices.Compact(slices.Clone(k.Ops))
		}
		if !k.Once {
			e.Predicted += k.Seconds
		}
		e.Kernels = append(e.Kernels, x)
	}
	e.stored(g)
	e.sumLines()
	return e
}

// callsAt names the recorded calls that operations were made from, each once, and their lines.
func callsAt(g *trace.Graph, locations []mlir.Location) (calls, where []string) {
	seen := map[int]bool{}
	var add func(l mlir.Location)
	add = func(l mlir.Location) {
		if l.Serial == 0 {
			for _, f := range l.Fused {
				add(f)
			}
			return
		}
		if op, loc := callAt(g, l); op != "" && !seen[l.Serial] {
			seen[l.Serial] = true
			calls = append(calls, op)
			if at := loc.Short(); at != "" && !slices.Contains(where, at) {
				where = append(where, at)
			}
		}
	}
	for _, l := range locations {
		add(l)
	}
	return calls, where
}

// keyText prints the key of a program.
func keyText(h ops.Hash) string { return fmt.Sprintf("%016x%016x", h.Hi, h.Lo) }

// sumLines divides the cost of each kernel among its lines.
func (e *Explanation) sumLines() {
	lines := map[string]*ExplainedLine{}
	for _, k := range e.Kernels {
		for _, at := range k.Where {
			if lines[at] == nil {
				lines[at] = &ExplainedLine{Where: at}
			}
			lines[at].Measured += k.Measured / time.Duration(len(k.Where))
			if !k.Once {
				lines[at].Predicted += k.Predicted / float64(len(k.Where))
			}
		}
	}
	e.Lines = nil
	for _, at := range slices.Sorted(maps.Keys(lines)) {
		e.Lines = append(e.Lines, *lines[at])
	}
	slices.SortStableFunc(e.Lines, func(a, b ExplainedLine) int {
		return cmp.Or(cmp.Compare(b.Measured, a.Measured), cmp.Compare(b.Predicted, a.Predicted))
	})
}

// String prints the explanation as a table.
func (e *Explanation) String() string {
	var b strings.Builder
	state := "not compiled before"
	if e.Cached {
		state = "cached"
	}
	hosts := 0
	for _, k := range e.Kernels {
		if k.Kind == device.Fallback {
			hosts++
		}
	}
	fmt.Fprintf(&b, "%s: %d calls in %d kernels and %d calls on the host, %s\n", e.Device, e.Calls,
		len(e.Kernels)-hosts, hosts, state)
	fmt.Fprintf(&b, "memory: %s of inputs, %s more at the peak, %s kept by the program\n", buf.Size(e.Inputs),
		buf.Size(e.Peak), buf.Size(e.Kept))
	e.printNotes(&b)
	e.printKernels(&b)
	e.printGroups(&b)
	fmt.Fprintf(&b, "predicted %v on the array", time.Duration(e.Predicted*1e9).Round(10*time.Nanosecond))
	if e.Measured > 0 {
		fmt.Fprintf(&b, ", measured %v on this machine", e.Measured)
	}
	b.WriteString("\n")
	for _, l := range e.Lines {
		fmt.Fprintf(&b, "  %s: predicted %v", l.Where, time.Duration(l.Predicted*1e9).Round(10*time.Nanosecond))
		if e.Measured > 0 {
			fmt.Fprintf(&b, ", measured %v", l.Measured)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// printNotes prints what takes memory, what is computed again, what is packed, warnings, and numbers that are inputs.
func (e *Explanation) printNotes(b *strings.Builder) {
	for _, v := range e.Largest {
		fmt.Fprintf(b, "  %s of %s at %s\n", buf.Size(v.Bytes), v.Op, orUnknown(v.Where))
	}
	for _, v := range e.Recomputed {
		fmt.Fprintf(b, "computed again: %s of %s at %s (a Sync there would have kept it)\n", buf.Size(v.Bytes), v.Op, orUnknown(v.Where))
	}
	if e.RecomputedCalls > 0 {
		fmt.Fprintf(b, "computed again: %d of %d calls ran in earlier programs\n", e.RecomputedCalls, e.Calls)
	}
	for _, why := range e.Packing {
		fmt.Fprintf(b, "packing: %s\n", why)
	}
	for _, w := range e.Warnings {
		fmt.Fprintf(b, "warning: %s\n", w)
	}
	for _, n := range e.Numbers {
		fmt.Fprintf(b, "input: %s of %s at %s, %s now\n", n.Argument, n.Op, orUnknown(n.Where), n.Value)
	}
}

// printKernels prints the table of kernels, and what is wrong with some of them.
func (e *Explanation) printKernels(b *strings.Builder) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "\nkernel\tkind\tpredicted\tcycles\tbound\tbytes\t")
	if e.Measured > 0 {
		fmt.Fprint(w, "measured\t")
	}
	fmt.Fprintln(w, "calls\twhere")
	for _, k := range e.Kernels {
		predicted, cycles := "-", "-"
		if k.Predicted > 0 {
			predicted = time.Duration(k.Predicted * 1e9).Round(10 * time.Nanosecond).String()
			cycles = fmt.Sprintf("%.0f", k.Cycles)
		}
		name := k.Name
		if k.Once {
			name += " (once)"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t", name, k.Kind, predicted, cycles, cmp.Or(k.Bound, "-"), buf.Size(k.Bytes))
		if e.Measured > 0 {
			fmt.Fprintf(w, "%v\t", k.Measured)
		}
		fmt.Fprintf(w, "%s\t%s\n", short(k.Calls), short(k.Where))
	}
	_ = w.Flush() // into memory
	for _, k := range e.Kernels {
		if k.Problem != "" {
			fmt.Fprintf(b, "%s: %s\n", k.Name, k.Problem)
		}
		if k.Portable != "" {
			fmt.Fprintf(b, "%s: runs as portable Go: %s\n", k.Name, k.Portable)
		}
	}
}

// short lists a few names.
func short(list []string) string {
	const most = 4
	if len(list) > most {
		return strings.Join(list[:most], " ") + fmt.Sprintf(" and %d more", len(list)-most)
	}
	return strings.Join(list, " ")
}
