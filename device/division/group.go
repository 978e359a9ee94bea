package division

import (
	"time"

	"github.com/go-acap/acap/device"
)

// Group is a group of operations that the device runs, or what the host runs instead.
type Group struct {
	// Title is "acap::CompilationGroup_0" and so on; empty for what the host runs.
	Title     string        `json:"title,omitempty"`
	Function  string        `json:"function"` // in the program's text
	Device    string        `json:"device"`
	Ops       []string      `json:"ops"`
	Work      int64         `json:"work"`                        // arithmetic operations, estimated
	Share     float64       `json:"share"`                       // of the program's work, 0 to 1
	Problem   string        `json:"problem,omitempty"`           // why the host runs it
	Text      string        `json:"text,omitempty"`              // the operations, as the device was asked about them
	Predicted float64       `json:"predicted_seconds,omitempty"` // of a run on the device
	Measured  time.Duration `json:"measured_ns,omitempty"`       // of a run on this machine
}

// Of describes the groups of a program, in their order. texts are the texts of groups by their functions; it may be
// nil.
func Of(groups []device.Group, texts map[string]string) []Group {
	var work int64
	for _, g := range groups {
		work += g.Work
	}
	titles := device.Titles(groups)
	described := make([]Group, len(groups))
	for i, g := range groups {
		described[i] = Group{Title: titles[i], Function: g.Name, Device: g.Device, Ops: g.Ops, Work: g.Work, Problem: g.Problem}
		if work > 0 {
			described[i].Share = float64(g.Work) / float64(work)
		}
		if g.OnDevice() {
			described[i].Text = texts[g.Name]
		}
	}
	return described
}

// OnDevice counts the groups that the device runs.
func OnDevice(groups []Group) int {
	count := 0
	for i := range groups {
		if groups[i].onDevice() {
			count++
		}
	}
	return count
}

func (g *Group) onDevice() bool { return g.Title != "" }
