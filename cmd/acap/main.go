package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/base/parallel"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/printable"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/engine/workers"
	"github.com/go-acap/acap/device/store"
	"github.com/go-acap/acap/kernel/native"
	"github.com/go-acap/acap/kernel/tune"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer/torchscript"
)

// command is one subcommand. Its error is printed as one line and gives exit
// status 1; errUsage and what the environment has wrong give 2.
type command struct {
	name, summary string
	run           func(args []string) error
}

var commands []command

// register adds a subcommand; every subcommand is a file that calls it in init.
func register(c command) { commands = append(commands, c) }

var errUsage = commandline.ErrUsage

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	commandline.Help = stdout
	if len(args) > 1 && args[0] == "help" {
		if args[1] == "environment" {
			variables()
			return writtenStatus()
		}
		args = []string{args[1], "-h"}
	}
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		usage()
		return writtenStatus()
	}
	if args[0] == "--version" || args[0] == "-version" {
		args[0] = "version"
	}
	for _, c := range commands {
		if c.name != args[0] {
			continue
		}
		endOnInterrupt(c.name)
		err := settings()
		if err == nil {
			stop := beat.begin(c.name)
			err = c.run(args[1:])
			stop()
		}
		if err == nil || errors.Is(err, flag.ErrHelp) {
			err = stdout.err
		}
		switch {
		case err == nil:
			return 0
		case errors.Is(err, errUsage):
			return 2
		}
		fmt.Fprintln(printable.Messages, "acap "+c.name+": "+err.Error())
		if environment.IsError(err) || commandline.IsWrong(err) || errors.As(err, new(*machine.SettingError)) {
			return 2
		}
		return 1
	}
	var names []string
	for _, c := range commands {
		names = append(names, c.name)
	}
	meant := ""
	if near := ops.Nearest(args[0], names); near != "" {
		meant = "; did you mean " + near + "?"
	}
	fmt.Fprintf(printable.Messages, "acap: there is no command %q%s\n`acap help` lists them.\n", args[0], meant)
	return 2
}

// writtenStatus is the status of what only prints.
func writtenStatus() int {
	if stdout.err == nil {
		return 0
	}
	fmt.Fprintln(printable.Messages, "acap: "+stdout.err.Error())
	return 1
}

// settings returns what the environment has wrong.
func settings() error {
	if err := unknownVariable(os.Environ()); err != nil {
		return err
	}
	if err := native.Setting(); err != nil {
		return err
	}
	if _, err := tune.Setting(); err != nil {
		return err
	}
	if _, err := workers.Threads(); err != nil {
		return err
	}
	if _, err := lazy.NaNSetting(); err != nil {
		return err
	}
	if _, err := lazy.DebugSetting(); err != nil {
		return err
	}
	if _, err := parallel.Goroutines(); err != nil {
		return err
	}
	if err := compiler.PrintSetting(); err != nil {
		return err
	}
	if err := torchscript.Int4Setting(); err != nil {
		return err
	}
	if err := store.Check(); err != nil {
		return err
	}
	return buf.CheckEnvironment()
}

// unknownVariable returns an error for a variable whose name is nearly the name of a variable that acap reads.
func unknownVariable(list []string) error {
	const prefix, fewest = "ACAP_", 5 // letters: short names are near to many
	var names []string
	for _, v := range environment.Variables() {
		names = append(names, strings.TrimPrefix(v.Name, prefix))
	}
	for _, entry := range list {
		variable, value, _ := strings.Cut(entry, "=")
		name, ours := strings.CutPrefix(variable, prefix)
		if !ours || len(name) < fewest || slices.Contains(names, name) {
			continue
		}
		if near := ops.Nearest(name, names); near != "" {
			return &environment.Error{Variable: variable, Value: value, Want: "the variable " + prefix + near + "; acap reads none of this name"}
		}
	}
	return nil
}

// variables prints what the environment may set.
func variables() {
	fmt.Fprintln(stdout, "Environment variables that acap reads:")
	fmt.Fprintln(stdout)
	for _, v := range environment.Variables() {
		fmt.Fprintf(stdout, "  %-24s %s\n", v.Name, v.Doc)
	}
}

func usage() {
	slices.SortFunc(commands, func(a, b command) int { return strings.Compare(a.name, b.name) })
	fmt.Fprintln(stdout, "acap: lazy tensors on a simulated accelerator array\n\nusage: acap COMMAND [flags] [arguments]")
	fmt.Fprintln(stdout)
	for _, c := range commands {
		fmt.Fprintf(stdout, "  %-13s %s\n", c.name, c.summary)
	}
	fmt.Fprintln(stdout, "\n`acap COMMAND -h` or `acap help COMMAND` shows its flags, `acap help environment` the variables of the environment.")
}

// newFlags makes the flag set of a subcommand. synopsis follows its name in the
// usage line.
func newFlags(name, synopsis string) *flag.FlagSet {
	f := flag.NewFlagSet("acap "+name, flag.ContinueOnError)
	f.Usage = func() { fmt.Fprintf(f.Output(), "usage: acap %s %s\n", name, synopsis) }
	return f
}

// parse is [commandline.Parse].
func parse(f *flag.FlagSet, args []string) ([]string, error) { return commandline.Parse(f, args) }

// parseOne is [commandline.One].
func parseOne(f *flag.FlagSet, args []string) (string, error) { return commandline.One(f, args) }

// parseBetween is [commandline.Between].
func parseBetween(f *flag.FlagSet, args []string, least, most int) ([]string, error) {
	return commandline.Between(f, args, least, most)
}

// list is a flag that may be given several times.
type list = commandline.List

// deviceFlags choose where a program runs, and how it is compiled.
type deviceFlags = commandline.Device
