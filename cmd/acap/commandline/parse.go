package commandline

import (
	"errors"
	"flag"
	"io"
	"os"
	"strings"
)

// ErrUsage is the error of a command line that was explained on standard error.
var ErrUsage = errors.New("usage")

// Help is where the usage goes that a user asks for: it is a result then, and no message.
var Help io.Writer = os.Stdout

// Parse reads flags that may stand before, between and after the arguments, and returns the
// arguments. The usage is written to [Help] if -h asks for it, and after an error to the output of the flags.
func Parse(f *flag.FlagSet, args []string) ([]string, error) {
	usage := f.Usage
	f.Usage = func() {} // whether it is asked for is known later
	defer func() { f.Usage = usage }()
	var rest []string
	for {
		if err := f.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				f.SetOutput(Help)
				usage()
				return nil, err
			}
			usage()
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
