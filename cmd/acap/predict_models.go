package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-acap/acap/device/acap/predict"
	"github.com/go-acap/acap/device/acap/predict/language"
	"github.com/go-acap/acap/llm/account"
)

// predictModels compares the time model with measurements of whole language models.
func predictModels(path string, text []byte, d *predict.Defaults, asJSON, intervals bool) error {
	rows, err := language.Read(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("%s:%w", path, err)
	}
	predictions, err := language.Defaults{Setting: d.Setting, Machines: d.Machines, Token: account.Token}.Rows(rows)
	if err != nil {
		return err
	}
	if intervals {
		return printCoverage(language.ScoreWatts(predictions), asJSON)
	}
	summaries := language.Summarize(predictions)
	if asJSON {
		return printRowsAsJSON(predictions, summaries)
	}
	const format = "%5s %-16.16s %-8s %-8s %-18.18s %9s %9s %7s %16s %8s %8s %8s  %s\n"
	fmt.Fprintf(stdout, format, "line", "model", "phase", "what", "program", "ms", "predicted", "error",
		"9 of 10 within", "host", "launch", "array", "")
	for i := range predictions {
		p := &predictions[i]
		r, c := &p.Row, &p.Cost
		if p.Skipped != "" {
			fmt.Fprintf(stdout, format, strconv.Itoa(r.Line), r.Name, r.Phase, r.What, r.Program, number(r.MS), "", "", "",
				"", "", "", "no prediction: "+p.Skipped)
			continue
		}
		ms := func(seconds float64) string { return fmt.Sprintf("%.2f", 1e3*seconds) }
		fmt.Fprintf(stdout, format, strconv.Itoa(r.Line), r.Name, r.Phase, r.What, r.Program, number(r.MS),
			number(p.Predicted), fmt.Sprintf("%+.1f%%", 100*p.Error), interval(p.Low, p.High),
			ms(c.Host()+p.Host), ms(c.Launch()), ms(c.Work()), strings.Join(p.Remarks, "; "))
	}
	fmt.Fprintf(stdout, "\n%-60s %5s %8s %8s %8s %9s\n", "absolute error", "rows", "median", "mean", "worst", "in interval")
	for _, s := range summaries {
		covered := ""
		if s.Covered > 0 {
			covered = fmt.Sprintf(" %9.0f%%", 100*s.Covered)
		}
		fmt.Fprintf(stdout, "  %-58s %5d %7.2f%% %7.2f%% %7.2f%%%s\n", s.Name, s.Rows, 100*s.Median, 100*s.Mean, 100*s.Worst, covered)
	}
	fmt.Fprintf(stdout, "%d constants were fitted to such rows besides those of kernels; the intervals are from models that\n"+
		"were held out one by one, those of watts from sources\n", language.Constants())
	return nil
}
