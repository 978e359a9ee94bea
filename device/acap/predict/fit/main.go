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
