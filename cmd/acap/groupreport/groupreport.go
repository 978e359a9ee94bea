package groupreport

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
)

// Group is a group and what it takes, or an operation that the host runs.
type Group struct {
	Title     string   `json:"title,omitempty"` // empty on the host
	Function  string   `json:"function"`
	Device    string   `json:"device"`
	Ops       []string `json:"ops"`
	Work      int64    `json:"work"`
	Share     float64  `json:"share"` // of the model's work
	Problem   string   `json:"problem,omitempty"`
	Text      string   `json:"text,omitempty"`
	Predicted float64  `json:"predicted_seconds,omitempty"`
	Measured  float64  `json:"measured_seconds,omitempty"`
}

// Of runs a program that was divided by a plan, and returns its groups and the time of all kernels. inputs are the
// program's.
func Of(exe device.Executable, plan *compiler.Plan, inputs []*buf.Buffer) ([]Group, time.Duration, error) {
	of, all, err := timed(exe, inputs)
	if err != nil {
		return nil, 0, err
	}
	division := plan.Division
	if g, ok := exe.(device.Grouped); ok {
		division = g.Division()
	}
	var sum int64
	for _, g := range division {
		sum += g.Work
	}
	var groups []Group
	number := 0
	for _, g := range division {
		r := Group{Function: g.Name, Device: g.Device, Ops: g.Ops, Work: g.Work, Problem: g.Problem}
		if sum > 0 {
			r.Share = float64(g.Work) / float64(sum)
		}
		if g.OnDevice() {
			r.Title, r.Text = device.GroupTitle(number), plan.Texts[g.Name]
			r.Predicted, r.Measured = of[g.Name].predicted, of[g.Name].measured.Seconds()
			number++
		}
		groups = append(groups, r)
	}
	return groups, all, nil
}

// times are what the kernels of a group take.
type times struct {
	measured  time.Duration
	predicted float64 // seconds
}

// timed runs a program and returns the times by the function of a group, and the time of all kernels. A program that tells no
// kernels has none.
func timed(exe device.Executable, inputs []*buf.Buffer) (of map[string]times, all time.Duration, err error) {
	explained, ok := exe.(device.Explained)
	if !ok {
		return nil, 0, nil
	}
	if _, _, err := explained.RunTimed(context.Background(), inputs); err != nil { // once to warm up
		return nil, 0, err
	}
	_, took, err := explained.RunTimed(context.Background(), inputs)
	if err != nil {
		return nil, 0, err
	}
	of = map[string]times{}
	for i, k := range explained.Kernels() {
		all += took[i]
		t := of[k.Group]
		t.measured += took[i]
		if !k.Once {
			t.predicted += k.Seconds
		}
		of[k.Group] = t
	}
	return of, all, nil
}

// Write writes some lines for each group.
func Write(w io.Writer, groups []Group) {
	for _, r := range groups {
		if r.Title == "" {
			fmt.Fprintf(w, "on %s: %s, %.1f%% of the work: %s\n", r.Device, strings.Join(r.Ops, " "), 100*r.Share, r.Problem)
			continue
		}
		fmt.Fprintf(w, "%s = %s on %s: %d operations, %.1f%% of the work", r.Title, r.Function, r.Device, len(r.Ops), 100*r.Share)
		if r.Predicted > 0 {
			fmt.Fprintf(w, ", predicted %v", time.Duration(r.Predicted*1e9).Round(time.Microsecond))
		}
		if r.Measured > 0 {
			fmt.Fprintf(w, ", measured %v", time.Duration(r.Measured*1e9).Round(time.Microsecond))
		}
		fmt.Fprintf(w, "\n    %s\n", strings.ReplaceAll(strings.TrimSpace(r.Text), "\n", "\n    "))
	}
}
