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
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/device/engine/workers"
	"github.com/go-acap/acap/device/store"
	"github.com/go-acap/acap/kernel/native"
	"github.com/go-acap/acap/kernel/tune"
	"github.com/go-acap/acap/lazy"
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
		args = []string{args[1], "-h"}
	}
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		usage()
		return 0
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
			err = c.run(args[1:])
		}
		if err == nil {
			err = stdout.err
		}
		switch {
		case err == nil, errors.Is(err, flag.ErrHelp):
			return 0
		case errors.Is(err, errUsage):
			return 2
		}
		fmt.Fprintln(os.Stderr, "acap "+c.name+": "+err.Error())
		if environment.IsError(err) {
			return 2
		}
		return 1
	}
	fmt.Fprintf(os.Stderr, "acap: no subcommand %q; `acap help` lists them\n", args[0])
	return 2
}

// settings returns what the environment has wrong.
func settings() error {
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
	if err := store.Check(); err != nil {
		return err
	}
	return buf.CheckEnvironment()
}

func usage() {
	slices.SortFunc(commands, func(a, b command) int { return strings.Compare(a.name, b.name) })
	fmt.Fprintln(stdout, "acap: lazy tensors on a simulated accelerator array\n\nusage: acap COMMAND [flags] [arguments]")
	fmt.Fprintln(stdout)
	for _, c := range commands {
		fmt.Fprintf(stdout, "  %-12s %s\n", c.name, c.summary)
	}
	fmt.Fprintln(stdout, "\n`acap COMMAND -h` or `acap help COMMAND` shows its flags.")
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

// list is a flag that may be given several times.
type list = commandline.List

// deviceFlags choose where a program runs, and how it is compiled.
type deviceFlags = commandline.Device
