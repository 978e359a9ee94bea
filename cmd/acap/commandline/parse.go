package commandline

import (
	"errors"
	"flag"
	"strings"
)

// ErrUsage is the error of a command line that was explained on standard error.
var ErrUsage = errors.New("usage")

// Parse reads flags that may stand before, between and after the arguments, and returns the
// arguments.
func Parse(f *flag.FlagSet, args []string) ([]string, error) {
	var rest []string
	for {
		if err := f.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, ErrUsage
		}
		args = f.Args()
		if len(args) == 0 {
			return rest, nil
		}
		rest = append(rest, args[0])
		args = args[1:]
	}
}

// One is [Parse] for a command that takes one argument, which it returns.
func One(f *flag.FlagSet, args []string) (string, error) {
	rest, err := Parse(f, args)
	if err == nil && len(rest) != 1 {
		f.Usage()
		err = ErrUsage
	}
	if err != nil {
		return "", err
	}
	return rest[0], nil
}

// List is a flag that may be given several times.
type List []string

// String implements [flag.Value].
func (l *List) String() string { return strings.Join(*l, ",") }

// Set implements [flag.Value].
func (l *List) Set(v string) error {
	*l = append(*l, v)
	return nil
}
