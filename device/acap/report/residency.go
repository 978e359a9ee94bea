package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-acap/acap/device/acap/machine"
)

// Residency is the weights resident in mem tiles from run to run.
type Residency struct {
	Kernels int     `json:"kernels"` // whose weights are resident
	Bytes   int64   `json:"bytes"`
	Of      int64   `json:"available"` // bytes of all mem tiles
	Load    float64 `json:"load"`      // seconds in which the memory brings them, once for the model
	Saved   float64 `json:"saved"`     // seconds of a run
}

// Kept is the arrays that one launch leaves in mem tiles to the next: nothing of them goes to the memory
// outside or comes from there.
type Kept struct {
	Arrays int     `json:"arrays"`
	Bytes  int64   `json:"bytes"` // of all, not at a time
	Saved  float64 `json:"saved"` // seconds of a run
}

// Residency adds up what remains on the array.
func (r *Report) Residency() Residency {
	m := r.Machine
	s := Residency{Of: int64(m.Grid.Cols) * int64(m.Grid.MemRows) * int64(m.Mem.Memory.Int())}
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if n := k.residentBytes(); n > 0 {
			s.Kernels++
			s.Bytes += n
			s.Saved += float64(k.weight(r.Machine) * k.residencySaved())
		}
	}
	s.Load = float64(s.Bytes) / m.DDR.Read.Value
	return s
}

// residentBytes is the bytes of the kernel's weights resident in mem tiles.
func (k *Kernel) residentBytes() int64 {
	sum := int64(0)
	for _, n := range k.Resident {
		sum += int64(n)
	}
	return sum
}

// residencySaved is the seconds of a launch that the kernel would take more if its weights did not
// remain.
func (k *Kernel) residencySaved() float64 {
	if len(k.Resident) == 0 {
		return 0
	}
	return k.Alone.Seconds - k.Timing.Seconds
}

// residencyRow is the kernel's row in the table of resident weights.
func (k *Kernel) residencyRow() []string {
	if len(k.Resident) == 0 {
		return nil
	}
	most := 0
	for _, n := range k.Resident {
		most = max(most, n)
	}
	return []string{k.Name, Bytes(k.residentBytes()), fmt.Sprint(len(k.Resident)), plain(most), Duration(k.residencySaved()), k.Layout}
}

// tenants lists the kernels whose weights lie in a mem tile, and the bytes of all.
func (r *Report) tenants(at machine.Coord) (names []string, bytes int) {
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if n := k.Resident[at]; n > 0 {
			names = append(names, fmt.Sprintf("%s %s", k.Name, plain(n)))
			bytes += n
		}
	}
	return names, bytes
}

// WriteResidency draws the floor plan of what remains: every mem tile as a box that is filled from below
// by the weights of its kernels, one colour for each kernel, and the cores above them. An error is one of w.
func (r *Report) WriteResidency(w io.Writer) error {
	if err := r.drawable(); err != nil {
		return err
	}
	g, s := &r.Machine.Grid, r.Residency()
	if g.MemRows == 0 {
		return fmt.Errorf("report: %s has no mem tiles, where weights could be resident", r.Machine.Name)
	}
	const cell, gap, left, top = 44, 4, 84, 64
	title := fmt.Sprintf("%s: weights of %d kernels are resident in mem tiles", r.Name, s.Kernels)
	subtitle := fmt.Sprintf("%s of %s, brought once in %s, %s less for a run", Bytes(s.Bytes), Bytes(s.Of), Duration(s.Load),
		Duration(s.Saved))
	width := max(left+g.Cols*(cell+gap), 12+9*utf8.RuneCountInString(title), 12+7*utf8.RuneCountInString(subtitle)) + 20
	height := top + g.Rows()*(cell+gap) + 40
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" `+
		`font-family="system-ui, sans-serif" font-size="12">`+"\n", width, height, width, height)
	fmt.Fprintf(b, `<rect width="100%%" height="100%%" fill="#fff"/>`+"\n")
	fmt.Fprintf(b, `<text x="12" y="22" font-size="14" font-weight="600">%s</text>`+"\n", escape(title))
	fmt.Fprintf(b, `<text x="12" y="40" fill="#666">%s</text>`+"\n", escape(subtitle))
	for row := range g.Rows() {
		y := top + (g.Rows()-1-row)*(cell+gap)
		kind := r.Machine.KindAt(machine.Coord{Row: row})
		fmt.Fprintf(b, `<text x="12" y="%d" fill="#444">%s %d</text>`+"\n", y+cell/2+4, kind, row)
		for col := range g.Cols {
			at := machine.Coord{Col: col, Row: row}
			names, bytes := r.tenants(at)
			x := left + col*(cell+gap)
			fmt.Fprintf(b, `<g><title>%s (%d, %d): %s</title><rect x="%d" y="%d" width="%d" height="%d" rx="4" `+
				`fill="#f4f4f4" stroke="#bbb"/>`, kind, col, row, escape(strings.Join(names, ", ")), x, y, cell, cell)
			bottom := float64(y + cell)
			for i := range r.Kernels {
				n := r.Kernels[i].Resident[at]
				if n == 0 {
					continue
				}
				tall := cell * float64(n) / max(1, r.Machine.Mem.Memory.Value)
				bottom -= tall
				fmt.Fprintf(b, `<rect x="%d" y="%.1f" width="%d" height="%.1f" fill="hsl(%d 70%% 65%%)"/>`, x, bottom, cell, tall,
					i*137%360)
			}
			if bytes > 0 {
				fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle">%.0f</text>`, x+cell/2, y+cell/2+4,
					100*float64(bytes)/max(1, r.Machine.Mem.Memory.Value))
			}
			b.WriteString("</g>\n")
		}
	}
	b.WriteString("</svg>\n")
	return b.Flush()
}

// residencyLine is the line of the summary about arrays that remain, "" if none does.
func (r *Report) residencyLine() string {
	s := r.Residency()
	if s.Kernels == 0 {
		return ""
	}
	return fmt.Sprintf("weight residency: saves %s; the weights of %s are resident in mem tiles (%s of a budget of %s, loaded once in %s)\n",
		Duration(s.Saved), count(s.Kernels, "kernel"), Bytes(s.Bytes), Bytes(s.Of), Duration(s.Load))
}

// residencyRecord is the part of a kernel's arrays that remains in one mem tile.
type residencyRecord struct {
	machine.Coord
	Kernel string `json:"kernel"`
	Bytes  int    `json:"bytes"`
}

// residencyRecords lists what remains, by kernel and tile.
func (r *Report) residencyRecords() []residencyRecord {
	var out []residencyRecord
	for i := range r.Kernels {
		k := &r.Kernels[i]
		first := len(out)
		for c, n := range k.Resident {
			out = append(out, residencyRecord{c, k.Name, n})
		}
		slices.SortFunc(out[first:], func(a, b residencyRecord) int {
			return (a.Row-b.Row)*r.Machine.Grid.Cols + a.Col - b.Col
		})
	}
	return out
}
