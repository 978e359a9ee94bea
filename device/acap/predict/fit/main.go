package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"

	"github.com/go-acap/acap/device/acap/predict"
	"github.com/go-acap/acap/device/acap/predict/language"
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
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if language.IsTable(string(text)) {
		rows, err := language.Read(bytes.NewReader(text))
		if err == nil {
			reportLanguage(os.Stdout, rows)
		}
		return err
	}
	rows, err := predict.Read(bytes.NewReader(text))
	if err != nil {
		return err
	}
	for _, g := range groups() {
		if only == "" || only == g.name {
			g.report(os.Stdout, rows)
		}
	}
	if only == "" {
		reportUnmapped(os.Stdout, rows)
	}
	return nil
}
