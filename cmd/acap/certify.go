package main

import (
	"context"
	"fmt"

	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/certificate"
)

func init() {
	register(command{"certify", "list digests of what each kernel of a model computes, which another machine can check", certify})
}

func certify(args []string) error {
	var inputs commandline.Inputs
	var config device.ConfigFlags
	f := newFlags("certify", "MODEL [-input FILE]... [-check FILE] [flags]")
	inputs.Flags(f, "an input `file` to run on (default: input_N.npy beside the model, else random numbers)", "")
	check := f.String("check", "", "compare with this certificate `file`, and say which kernel is the first to differ")
	config.Flags(f)
	name, err := parseOne(f, args)
	if err != nil {
		return err
	}
	c, err := config.Config()
	if err != nil {
		return commandline.Wrong(err)
	}
	module, data, err := inputs.ModuleToRun(name)
	if err != nil {
		return err
	}
	lines, err := certificate.Of(context.Background(), module, c, data)
	if err != nil {
		return inputfile.Named(name, err)
	}
	if *check != "" {
		return compareCertificate(*check, lines)
	}
	for _, l := range lines {
		fmt.Fprintln(stdout, l)
	}
	return nil
}

// compareCertificate compares lines with the lines of a certificate file.
func compareCertificate(path string, lines []certificate.Line) error {
	file, _, err := inputfile.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := certificate.Compare(file, lines); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	fmt.Fprintf(stdout, "%d digests agree\n", len(lines))
	return nil
}
