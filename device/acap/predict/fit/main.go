// Command fit estimates the fitted constants of the machine presets from
// published measurements.
//
//	go run ./device/acap/predict/fit ROWS.csv
//
// For every group of rows it minimizes the mean of the absolute logarithm of
// predicted over measured, capped at 0.2 so that outliers do not steer the fit
// (Nelder-Mead on the logarithms of the constants), and prints the constants,
// the error on all rows, and the error on rows held out in five folds. It
// changes nothing: the constants of the presets are edited by hand.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/go-acap/acap/device/acap/predict"
)

func main() {
	group := flag.String("group", "", "fit only the group of this name")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: fit [-group NAME] ROWS.csv")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *group); err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(1)
	}
}

func run(path, only string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	rows, err := predict.Read(f)
	if err != nil {
		return err
	}
	for _, g := range groups() {
		if only == "" || only == g.name {
			g.report(os.Stdout, rows)
		}
	}
	return nil
}
