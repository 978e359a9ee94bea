package tileexact

import (
	"fmt"
	"io"
)

// Report prints what became of the kernels that ran: of all, or of those that were not walked or are wrong. what names
// the program. A kernel that is wrong is an error, and so is, with all, that no kernel was walked.
func (c *Checker) Report(w io.Writer, what string, all bool) error {
	wrong, walked, ran := 0, 0, 0
	for _, k := range c.Kernels {
		if k.Runs == 0 {
			continue
		}
		ran++
		if all || k.Err != nil || k.Skipped != "" {
			fmt.Fprintln(w, k)
		}
		switch {
		case k.Err != nil:
			wrong++
		case k.Skipped == "":
			walked++
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%s: %d of %d kernels are wrong tile by tile", what, wrong, ran)
	}
	if all && walked == 0 {
		return fmt.Errorf("%s: none of %d kernels was walked tile by tile", what, ran)
	}
	_, err := fmt.Fprintf(w, "%d of %d kernels walked tile by tile, all as native\n", walked, ran)
	return err
}

// ReportFlips prints the kernels that ran with bits that flip, and the cores whose results the bits change. A result
// that changes is an error, and so is that no kernel was walked; flips is how many bits flipped.
func (c *Checker) ReportFlips(w io.Writer, what string) (flips int, err error) {
	wrong, walked := 0, 0
	for _, k := range c.Kernels {
		if k.Runs == 0 {
			continue
		}
		fmt.Fprintln(w, k)
		flips += k.Flips
		if k.Skipped == "" {
			walked++
		}
		if k.Err != nil || k.Changed > 0 {
			wrong++
		}
		for _, at := range k.Wrong {
			fmt.Fprintf(w, "  found: core (%d, %d) gives wrong results\n", at.Col, at.Row)
		}
	}
	switch {
	case walked == 0:
		return flips, fmt.Errorf("%s: no kernel was walked tile by tile", what)
	case wrong > 0:
		return flips, fmt.Errorf("%d kernels give wrong results", wrong)
	}
	return flips, nil
}
