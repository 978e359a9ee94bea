package device

import "fmt"

// Group says what became of a group of operations of a program.
type Group struct {
	Name    string   `json:"name"`    // as in the program's text: "main_group_0"
	Device  string   `json:"device"`  // where it runs: the name of the device, or "host"
	Ops     []string `json:"ops"`     // its operations, constants aside
	Work    int64    `json:"work"`    // multiply-adds and other arithmetic operations of a run; estimated
	Problem string   `json:"problem"` // why it does not run on the device; empty if it does
}

// Grouped is an executable that says into which groups its program was divided.
type Grouped interface {
	Executable
	// Division lists the groups in the order of the text. An operation that is in no group is listed as a group of its
	// own on the host.
	Division() []Group
	// Warnings says what went wrong while the program was compiled, and what was done instead.
	Warnings() []string
}

// GroupTitle is the name of a group on a device, by its number: "acap::CompilationGroup_0".
func GroupTitle(number int) string { return fmt.Sprintf("acap::CompilationGroup_%d", number) }

// Titles returns the title of each group of a division: the groups on the device are numbered in their order, and what
// the host runs has the empty title.
func Titles(division []Group) []string {
	titles := make([]string, len(division))
	number := 0
	for i := range division {
		if division[i].OnDevice() {
			titles[i] = GroupTitle(number)
			number++
		}
	}
	return titles
}

// OnDevice reports whether a group runs where it was meant to.
func (g *Group) OnDevice() bool { return g.Problem == "" }

// Share is the part of the work of groups, 0 to 1, that runs on the device. Of nothing it is 1.
func Share(division []Group) float64 {
	var all, on int64
	for _, g := range division {
		all += g.Work
		if g.OnDevice() {
			on += g.Work
		}
	}
	if all == 0 {
		return 1
	}
	return float64(on) / float64(all)
}
