package report

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-acap/acap/device/acap/schedule"
)

// String prints the summary, where the time goes, what the kernels use of the
// tiles, what would change the time, and the array as a heat map.
func (r *Report) String() string {
	r.Simulate()
	var b strings.Builder
	b.WriteString(r.Summary())
	r.table(&b, "\nshare of the array's time\n",
		"kernel\tcompute\tcall\twait operands\twait output\tfill, drain\trestart\tevents say", (*Kernel).stalls)
	r.table(&b, "\nused of a tile, at most\n", "kernel\tcores\tcore memory\tlocks\tdescriptors\t"+
		"mem tile\tlocks\tdescriptors\tmapping", (*Kernel).resources)
	r.idleCores(&b)
	r.table(&b, "\nweights resident in mem tiles\n", "kernel\tbytes\ttiles\tof a tile\tsaves\tmapping", (*Kernel).residencyRow)
	r.alternatives(&b)
	r.table(&b, "\nways of the streams through switches\n", "kernel\tstreams\tfarthest\tdetours\tshared\tports taken, at most",
		(*Kernel).ways)
	r.partCosts(&b)
	r.whatIfs(&b)
	r.heat(&b)
	return b.String()
}

// Summary prints the verdict and a table of the kernels.
func (r *Report) Summary() string {
	var b strings.Builder
	t := r.Total()
	fmt.Fprintf(&b, "%s: %s in %s, %s, %s of peak, %s read from memory, %s written, %s (estimate)\n",
		r.Name, count(t.Kernels, "kernel"), Duration(t.Seconds), Rate(t.Ops, t.Seconds), percent(t.PeakShare),
		Bytes(t.ReadL3), Bytes(t.WriteL3), energy(&t))
	if t.Kernels == 0 {
		fmt.Fprintf(&b, "%s\n", r.Verdict())
	} else {
		fmt.Fprintf(&b, "bound by %s%s\n", r.Verdict(), advice(r.Verdict()))
	}
	if t.Kernels > 0 && r.Machine.Programmed() {
		c := &t.Cost
		fmt.Fprintf(&b, "time: %s = %s in %s (%s of it to write inputs) + %s in %s + %s of work on the array; "+
			"another %s of work overlaps launches and adds nothing\n", Duration(c.Host()+c.Launch()+c.Work()), Duration(c.Host()),
			count(t.Calls, "host call"), Duration(c.Write), Duration(c.Launch()), count(t.Launches, "kernel launch"), Duration(c.Work()),
			Duration(c.Hidden+c.Early))
		fmt.Fprintf(&b, "batched calls: save %s; with a host call for each kernel a run takes %s\n",
			Duration(t.Separate.Seconds()-t.Seconds), Duration(t.Separate.Seconds()))
		fmt.Fprintf(&b, "core programs: %d of %d launches load one; to load one for every launch takes %s more\n", t.Loads, t.Launches,
			Duration(t.LoadsSaved))
		if r.Placed > 0 {
			fmt.Fprintf(&b, "placement: saves %s; kernels have cores of their own, whose programs remain loaded\n", Duration(r.Placed))
		}
	}
	if a := r.Machine.Arrays; a != nil && t.Kernels > 0 {
		fmt.Fprintf(&b, "arrays: one of %v, while all are at work\n", a)
	}
	b.WriteString(r.energyLine())
	b.WriteString(r.sparsityLine())
	b.WriteString(r.residencyLine())
	if k := &r.Kept; k.Arrays > 0 {
		fmt.Fprintf(&b, "activation residency: saves %s by %s in mem tiles between launches (%s less to read from memory, and as much less to write)\n",
			Duration(k.Saved), count(k.Arrays, "array"), Bytes(k.Bytes))
	}
	b.WriteString(r.loopLines())
	if t.Missing > 0 {
		fmt.Fprintf(&b, "not in the total: %s that cannot run on this machine, for the reasons below\n", count(t.Missing, "kernel"))
	}
	if t.OnceKernels > 0 {
		fmt.Fprintf(&b, "not in the total: %s, once for the model, %s\n", count(t.OnceKernels, "kernel"),
			Duration(t.OnceSeconds))
	}
	for _, name := range slices.Sorted(maps.Keys(r.Fallbacks)) {
		fmt.Fprintf(&b, "not in the total: %s of %s, which run on the host\n", count(r.Fallbacks[name], "call"), name)
	}
	b.WriteString(r.pipelineLine())
	adds, next := r.Adds(), -1
	r.table(&b, "\n", "kernel\tlaunch\tarray\tof the run\tcores\tMAC/cycle\tof peak\tof roof\tbound by\tL3\tL2\tL1\tfrom",
		func(k *Kernel) []string {
			next++
			return k.row(&adds[next], t.Seconds)
		})
	r.stageTable(&b)
	return b.String()
}

// advice tells how to speed up a run by what bounds the run, "" where the verdict tells this.
func advice(verdict string) string {
	for _, a := range [][2]string{
		{"compute:", "smaller types do more in a cycle (-amp bf16, -int8); acap sweep -set cols=... tries more cores"},
		{"the stream into a core", "smaller types (-amp bf16, -weights q4) or a larger batch read less for each operation"},
		{"the interface tiles", "smaller types (-amp bf16, -weights q4) or a larger batch read less for each operation"},
		{"memory bandwidth", "smaller types (-amp bf16, -weights q4) or a larger batch read less for each operation"},
		{"output:", "fused kernels write less"},
		{"fill and drain:", "a larger batch makes kernels longer"},
		{"the host:", "a larger batch shares the calls"},
		{"launches:", "a larger batch shares the launches, fused kernels need fewer"},
	} {
		if strings.HasPrefix(verdict, a[0]) {
			return "; " + a[1]
		}
	}
	return ""
}

// count is a number of things.
func count(n int, what string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(what, "ch"):
		what += "es"
	default:
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// energy is the bounds of a total's energy, or one number for a machine that has no doubt.
func energy(t *Total) string {
	if t.JoulesHigh == t.JoulesLow {
		return "about " + Energy(t.Joules)
	}
	return Energy(t.JoulesLow) + " to " + Energy(t.JoulesHigh)
}

// table prints one row for every kernel.
func (r *Report) table(b *strings.Builder, title, head string, row func(*Kernel) []string) {
	rows := [][]string{strings.Split(head, "\t")}
	for i := range r.Kernels {
		if cells := row(&r.Kernels[i]); cells != nil {
			rows = append(rows, cells)
		}
	}
	if len(rows) == 1 {
		return
	}
	b.WriteString(title)
	align(b, rows)
}

// align prints rows in columns, the first of which is a heading: columns of numbers
// end together, others start together.
func align(b *strings.Builder, rows [][]string) {
	var width []int
	var left []bool
	for n, cells := range rows {
		for i, c := range cells {
			if i == len(width) {
				width, left = append(width, 0), append(left, false)
			}
			if i < len(cells)-1 || len(cells) == len(rows[0]) {
				width[i] = max(width[i], utf8.RuneCountInString(c))
			}
			left[i] = left[i] || n > 0 && i < len(rows[0]) && !numeric(c)
		}
	}
	for _, cells := range rows {
		for i, c := range cells {
			padding := strings.Repeat(" ", max(0, width[i]-utf8.RuneCountInString(c)))
			switch {
			case left[i] && i == len(cells)-1:
				b.WriteString(c)
			case left[i]:
				b.WriteString(c + padding)
			default:
				b.WriteString(padding + c)
			}
			if i < len(cells)-1 {
				b.WriteString("  ")
			}
		}
		b.WriteByte('\n')
	}
}

// numeric reports whether a cell is a number, perhaps with a unit.
func numeric(s string) bool {
	return s != "" && strings.Count(s, " ") <= 1 && (s == "-" || strings.ContainsRune("0123456789<+", rune(s[0])))
}

// row says what the kernel adds to a run, and what it reaches while the array works on it.
func (k *Kernel) row(adds *schedule.Cost, run float64) []string {
	if k.Problem != "" {
		return []string{k.Name, "-", k.Problem}
	}
	t := &k.Timing
	roof := "-"
	if t.Roofline > 0 {
		roof = percent(t.OpsPerSecond / t.Roofline * k.faster())
	}
	rate := "-"
	if t.MACs > 0 {
		rate = fmt.Sprintf("%.1f", t.MACsPerCycle*k.faster())
	}
	name, share := k.Name, "-"
	if k.Once {
		name += " (once)"
	} else {
		share = percent((adds.Launch() + adds.Work()) * float64(k.Samples()) / run)
	}
	return []string{name, Duration(adds.Launch()), Duration(adds.Work()), share, fmt.Sprint(t.Cores), rate, percent(k.PeakShare()), roof,
		k.Bound, Bytes(t.ReadL3 + t.WriteL3), Bytes(t.L2), Bytes(t.L1), k.Where}
}

func (k *Kernel) stalls() []string {
	if k.Problem != "" {
		return nil
	}
	t, s, array := &k.Timing, &k.Timing.Stalls, k.Array()
	share := func(v float64) string { return percent(v / array) }
	agree := "-"
	if e, err := k.Event(); err != nil {
		agree = short(err.Error())
	} else if e != nil {
		events := e.Seconds - t.Launch
		agree = fmt.Sprintf("%s (%+.1f%%)", Duration(events), 100*(events/array-1))
	}
	return []string{k.Name, share(s.Compute), share(s.Call), share(s.DMA), share(s.Output),
		share(s.Fill), share(t.Restart), agree}
}

// short cuts the prefix of an error that repeats what the row says.
func short(s string) string {
	if i := strings.LastIndex(s, ": "); i >= 0 {
		s = s[i+2:]
	}
	return s
}

// slow is how many of the slowest kernels are told more of.
const slow = 3

// alternatives lists the runners-up of the slowest kernels and why other mappings
// were rejected.
func (r *Report) alternatives(b *strings.Builder) {
	const each = 2
	order := r.slowest()
	for i, k := range order[:min(slow, len(order))] {
		if i == 0 {
			b.WriteString("\nmappings of the slowest kernels\n")
		}
		c := k.Choice
		fmt.Fprintf(b, "%s: %v; %d fit, %d could not win\n", k.Name, c.Mapping, c.Legal, c.Pruned)
		for _, o := range c.Runners[:min(each, len(c.Runners))] {
			fmt.Fprintf(b, "  %+.1f%%  %v\n", 100*(o.Seconds-c.Timing.Seconds)/k.Array(), o.Mapping)
		}
		for _, o := range c.Rejected[:min(each, len(c.Rejected))] {
			fmt.Fprintf(b, "  %d rejected: %s, e.g. %v %s\n", o.Count, o.Reason, o.Example, o.Detail)
		}
	}
}

// SimpleRender implements the display protocol of Go notebook kernels: the text, and with it the
// array as a heat map and the roofline.
func (r *Report) SimpleRender() map[string]any {
	text := r.String()
	var page bytes.Buffer
	page.WriteString("<pre>" + escape(text) + "</pre>")
	for _, draw := range []func(io.Writer) error{r.WriteSVG, r.WriteRoofline} {
		if r.Total().Kernels > 0 {
			_ = draw(&page) // memory gives no error
		}
	}
	return map[string]any{"text/plain": text, "text/html": page.String()}
}

func escape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(s)
}

// Print writes the report to standard output.
func (r *Report) Print() { fmt.Print(r.String()) }
