package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict"
	"github.com/go-acap/acap/device/acap/predict/language"
)

func init() {
	register(command{
		name: "predict", summary: "compare the time model with published measurements",
		run: runPredict,
	})
}

func runPredict(args []string) error {
	flags := newFlags("predict", "[-json] [-rows] [-intervals] [-machine M.json] ROWS.csv")
	var d predict.Defaults
	d.Register(flags)
	machines := flags.String("machine", "", "`files` of machines, separated by commas, in the place of presets of the same names")
	asJSON := flags.Bool("json", false, "print rows and summaries, or what -intervals prints, as JSON")
	intervals := flags.Bool("intervals", false, "print how many rows lie in intervals that are made from other sources")
	verbose := flags.Bool("rows", false, "print every row as well")
	path, err := parseOne(flags, args)
	if err != nil {
		return err
	}
	if *verbose && *intervals {
		return commandline.Errorf("-intervals prints no rows: leave -rows out")
	}
	if d.Machines, err = predict.Machines(machine.Preset).With(*machines); err != nil {
		return commandline.WrongName(*machines, err)
	}
	text, err := inputfile.Read(path)
	if err != nil {
		return err
	}
	if language.IsTable(string(text)) {
		return predictModels(path, text, &d, *asJSON, *intervals)
	}
	rows, err := predict.Read(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("%s:%w", path, err)
	}
	if err := d.Check(rows); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	predictions := d.Rows(rows)
	if *intervals {
		return printCoverage(predict.Score(predictions), *asJSON)
	}
	summaries := predict.Summarize(predictions)
	if *asJSON {
		return printRowsAsJSON(predictions, summaries)
	}
	if *verbose {
		printPredictions(predictions)
	}
	printSummaries(predictions, summaries)
	return nil
}

// printRowsAsJSON prints the predictions of all rows and their summaries.
func printRowsAsJSON[P any](predictions []P, summaries []predict.Summary) error {
	e := json.NewEncoder(stdout)
	e.SetIndent("", " ")
	return e.Encode(struct {
		Rows      []P               `json:"rows"`
		Summaries []predict.Summary `json:"summaries"`
	}{predictions, summaries})
}

const rowFormat = "%5s %-8.8s %-32.32s %-16s %-11s %11s %11s %8s %17s %11s %-7s %-8s %s\n"

// printPredictions prints a line for every row of the file; our best is the same quantity
// as the two before it.
func printPredictions(rows []predict.Prediction) {
	fmt.Fprintf(stdout, rowFormat, "line", "machine", "workload", "shape", "dtype", "measured", "predicted",
		"error", "9 of 10 within", "our best", "unit", "bound by", "mapping")
	for _, p := range rows {
		r := &p.Row
		relative, mapping := fmt.Sprintf("%+.1f%%", 100*p.Error), p.Mapping
		if p.Skipped != "" {
			relative, mapping = "", "no prediction: "+p.Skipped
		} else if len(p.Remarks) > 0 {
			mapping += " (" + strings.Join(p.Remarks, "; ") + ")"
		}
		fmt.Fprintf(stdout, rowFormat, strconv.Itoa(r.Line), p.Machine, r.Workload, extents(r), r.DType,
			number(r.Value), number(p.Predicted), relative, interval(p.Low, p.High), number(p.Best), r.Unit, p.Bound, mapping)
	}
	fmt.Fprintln(stdout)
}

// interval is empty if no interval is known.
func interval(low, high float64) string {
	if high == 0 {
		return ""
	}
	return fmt.Sprintf("%.4g - %.4g", low, high)
}

// number is empty for 0, an unknown number.
func number(v float64) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprintf("%.5g", v)
}

// extents returns the extents M, K and N of a row, without the unknown ones.
func extents(r *predict.Row) string {
	var parts []string
	for _, n := range []int{r.M, r.K, r.N} {
		if n > 0 {
			parts = append(parts, strconv.Itoa(n))
		}
	}
	return strings.Join(parts, "x")
}

func printSummaries(rows []predict.Prediction, summaries []predict.Summary) {
	fmt.Fprintf(stdout, "%-60s %5s %8s %8s %8s %9s\n", "absolute error", "rows", "median", "mean", "worst",
		"in interval")
	by := ""
	for _, s := range summaries {
		if s.By != by {
			by = s.By
			fmt.Fprintf(stdout, "by %s\n", by)
		}
		constants := ""
		if s.Constants > 0 {
			constants = fmt.Sprintf("  %d constants fitted", s.Constants)
		}
		covered := ""
		if s.Covered > 0 {
			covered = fmt.Sprintf("%9.0f%%", 100*s.Covered)
		}
		line := fmt.Sprintf("  %-*s %5d %7.2f%% %7.2f%% %7.2f%% %10s%s", nameWidth, shortened(s.Name), s.Rows, 100*s.Median,
			100*s.Mean, 100*s.Worst, covered, constants)
		fmt.Fprintln(stdout, strings.TrimRight(line, " "))
	}
	printUnpredicted(rows)
}

// nameWidth is the characters of a name in a table.
const nameWidth = 58

// shortened is the end of a name that is too long.
func shortened(name string) string {
	if r := []rune(name); len(r) > nameWidth {
		return "…" + string(r[len(r)-nameWidth+1:])
	}
	return name
}

// printUnpredicted prints how many rows have a prediction, and why the others have none.
func printUnpredicted(rows []predict.Prediction) {
	lines := make(map[string][]string) // of the file, by the reason
	total, unnamed := 0, 0
	for _, p := range rows {
		if p.Skipped != "" {
			total++
			lines[p.Skipped] = append(lines[p.Skipped], strconv.Itoa(p.Row.Line))
		} else if !p.Named {
			unnamed++
		}
	}
	fmt.Fprintf(stdout, "%d of %d rows predicted", len(rows)-total, len(rows))
	if unnamed > 0 {
		fmt.Fprintf(stdout, ", %d of them in our best mapping, as they name none", unnamed)
	}
	fmt.Fprintln(stdout)
	for _, why := range sortedKeys(lines) {
		at := lines[why]
		if len(at) > 4 {
			at = append(at[:4:4], "…")
		}
		fmt.Fprintf(stdout, "  %3d without prediction: %s (line %s)\n", len(lines[why]), why,
			strings.Join(at, ", "))
	}
}
