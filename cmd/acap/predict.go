package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/go-acap/acap/device/acap/predict"
)

func init() {
	register(command{
		name: "predict", summary: "compare the time model with published measurements",
		run: runPredict,
	})
}

func runPredict(args []string) error {
	flags := flag.NewFlagSet("predict", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "print rows and summaries as JSON")
	verbose := flags.Bool("rows", false, "print every row as well")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: acap predict [-json] [-rows] ROWS.csv")
		flags.PrintDefaults()
	}
	path, err := onePath(flags, args)
	if err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	rows, err := predict.Read(file)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	predictions := predict.Rows(rows)
	summaries := predict.Summarize(predictions)
	if *asJSON {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", " ")
		return e.Encode(struct {
			Rows      []predict.Prediction `json:"rows"`
			Summaries []predict.Summary    `json:"summaries"`
		}{predictions, summaries})
	}
	if *verbose {
		printPredictions(predictions)
	}
	printSummaries(predictions, summaries)
	return nil
}

// onePath parses flags on either side of exactly one argument.
func onePath(flags *flag.FlagSet, args []string) (string, error) {
	if err := flags.Parse(args); err != nil {
		return "", err
	}
	path := flags.Arg(0)
	if flags.NArg() > 1 {
		if err := flags.Parse(flags.Args()[1:]); err != nil {
			return "", err
		}
		if flags.NArg() > 0 {
			path = ""
		}
	}
	if path == "" {
		flags.Usage()
		return "", errUsage
	}
	return path, nil
}

func printPredictions(rows []predict.Prediction) {
	fmt.Printf("%-8s %-32s %-18s %-11s %11s %11s %8s %11s  %s\n", "machine", "workload", "MxKxN",
		"dtype", "measured", "predicted", "error", "our best", "mapping")
	for _, p := range rows {
		r := &p.Row
		shape := fmt.Sprintf("%dx%dx%d", r.M, r.K, r.N)
		if p.Skipped != "" {
			fmt.Printf("%-8s %-32.32s %-18s %-11s %11.5g %s: no prediction: %s\n", p.Machine,
				r.Workload, shape, r.DType, r.Value, r.Unit, p.Skipped)
			continue
		}
		fmt.Printf("%-8.8s %-32.32s %-18s %-11s %11.5g %11.5g %+7.1f%% %11.5g  %s %s\n", p.Machine,
			r.Workload, shape, r.DType, r.Value, p.Predicted, 100*p.Error, p.Best, r.Unit, p.Mapping)
	}
	fmt.Println()
}

func printSummaries(rows []predict.Prediction, summaries []predict.Summary) {
	skipped := make(map[string]int)
	for _, p := range rows {
		if p.Skipped != "" {
			skipped[p.Skipped]++
		}
	}
	fmt.Printf("%-60s %5s %8s %8s %8s\n", "absolute error", "rows", "median", "mean", "worst")
	by := ""
	for _, s := range summaries {
		if s.By != by {
			by = s.By
			fmt.Printf("by %s\n", by)
		}
		name := s.Name
		if len(name) > 58 {
			name = "…" + name[len(name)-57:]
		}
		fmt.Printf("  %s%s %5d %7.2f%% %7.2f%% %7.2f%%\n", name,
			strings.Repeat(" ", max(0, 58-len([]rune(name)))), s.Rows, 100*s.Median, 100*s.Mean,
			100*s.Worst)
	}
	total := 0
	for _, n := range skipped {
		total += n
	}
	fmt.Printf("%d of %d rows predicted\n", len(rows)-total, len(rows))
	for _, why := range sortedKeys(skipped) {
		fmt.Printf("  %3d without prediction: %s\n", skipped[why], why)
	}
}
