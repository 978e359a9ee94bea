package commandline

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-acap/acap/ops"
)

// ErrUsage is the error of a command line that was explained on standard error.
var ErrUsage = errors.New("usage")

// A valueError says that a flag has a value that cannot be used.
type valueError struct{ error }

func (e valueError) Unwrap() error { return e.error }

// Wrong returns an error that says what is wrong with the value of a flag, for [IsWrong]; nil stays nil.
func Wrong(err error) error {
	if err == nil {
		return nil
	}
	return valueError{err}
}

// Errorf is [Wrong] of a text.
func Errorf(format string, args ...any) error { return valueError{fmt.Errorf(format, args...)} }

// WrongName is [Wrong] for the name of a device or a machine. An error in a file of that name is no error of the
// command line.
func WrongName(name string, err error) error {
	if strings.EqualFold(filepath.Ext(name), ".json") {
		return err
	}
	return Wrong(err)
}

// IsWrong reports whether an error comes from [Wrong] or [Errorf]: the command line is to be changed, nothing else.
func IsWrong(err error) bool { return errors.As(err, new(valueError)) }

// Help is where the usage goes that a user asks for: it is a result then, and no message.
var Help io.Writer = os.Stdout

// Parse reads flags that may stand before, between and after the arguments, and returns the arguments. The usage and
// the flags are written to [Help] if -h asks for them. An error in a flag is written to the output of the flags, with
// the flag that was probably meant.
func Parse(f *flag.FlagSet, args []string) ([]string, error) {
	usage, output := f.Usage, f.Output()
	f.Usage = func() {} // whether it is asked for is known later
	f.SetOutput(io.Discard)
	defer func() { f.Usage = usage; f.SetOutput(output) }()
	var rest []string
	for {
		if err := f.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				f.SetOutput(Help)
				usage()
				f.PrintDefaults()
				return nil, err
			}
			fmt.Fprintf(output, "%s: %s\n`%[1]s -h` lists the flags.\n", f.Name(), wrong(f, err))
			return nil, ErrUsage
		}
		args = f.Args()
		if len(args) == 0 {
			if err := empty(f); err != nil {
				fmt.Fprintf(output, "%s: %s\n`%[1]s -h` lists the flags.\n", f.Name(), err)
				return nil, ErrUsage
			}
			return rest, nil
		}
		rest = append(rest, args[0])
		args = args[1:]
	}
}

// empty is an error where a flag for a file, a folder, a model or a key is given an empty text, as by a variable of a
// shell that is not set: a file would not be written, and a signature not checked, without a word.
func empty(f *flag.FlagSet) (err error) {
	f.Visit(func(g *flag.Flag) {
		kind, _ := flag.UnquoteUsage(g)
		if givenEmpty(g.Value) && slices.Contains([]string{"file", "files", "folder", "model", "key"}, kind) {
			err = fmt.Errorf("-%s %s is empty: give it a value, or leave it out", g.Name, kind)
		}
	})
	return err
}

// givenEmpty reports whether a flag on the command line has an empty text. A flag that is a function keeps no text.
func givenEmpty(v flag.Value) bool {
	switch v := v.(type) {
	case *List:
		return slices.Contains(*v, "")
	case flag.Getter:
		return v.Get() == ""
	}
	return false
}

// wrong says what is wrong with a flag.
func wrong(f *flag.FlagSet, err error) string {
	if name, missing := strings.CutPrefix(err.Error(), "flag needs an argument: -"); missing {
		kind, usage := flag.UnquoteUsage(f.Lookup(name))
		return fmt.Sprintf("flag needs an argument: -%s %s: %s", name, kind, usage)
	}
	if message, unparsed := strings.CutSuffix(err.Error(), ": parse error"); unparsed {
		return message + ": want " + wanted(f, message)
	}
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return err.Error()
	}
	text := "there is no flag -" + name
	var names []string
	begins := ""
	f.VisitAll(func(g *flag.Flag) {
		names = append(names, g.Name)
		if len(g.Name) > 2 && strings.HasPrefix(name, g.Name) || len(name) > 2 && strings.HasPrefix(g.Name, name) {
			begins = g.Name
		}
	})
	if near := cmp.Or(ops.Nearest(name, names), begins); near != "" {
		text += "; did you mean -" + near + "?"
	}
	return text
}

// wanted says what the flag takes that a message of package flag ends with.
func wanted(f *flag.FlagSet, message string) string {
	g := f.Lookup(message[strings.LastIndex(message, " -")+len(" -"):])
	if value, ok := g.Value.(flag.Getter); ok {
		switch value.Get().(type) {
		case uint, uint64:
			return "a whole number from 0 upwards"
		case int, int64:
			return "a whole number"
		case bool:
			return "true or false"
		case time.Duration:
			return "a time, such as 30s or 5m"
		}
	}
	return "a number"
}

// One is [Parse] for a command of one argument, and returns the argument.
func One(f *flag.FlagSet, args []string) (string, error) {
	rest, err := Between(f, args, 1, 1)
	if err != nil {
		return "", err
	}
	return rest[0], nil
}

// Between is [Parse] for a command that takes no fewer arguments than least, and no more than most.
func Between(f *flag.FlagSet, args []string, least, most int) ([]string, error) {
	rest, err := Parse(f, args)
	switch {
	case err != nil:
		return nil, err
	case len(rest) > most && most == 0:
		fmt.Fprintf(f.Output(), "%s: %q stands there, and no argument is wanted\n", f.Name(), rest[0])
	case len(rest) > most && most == 1:
		fmt.Fprintf(f.Output(), "%s: %q stands behind %q, and one argument is wanted\n", f.Name(), rest[1], rest[0])
	case len(rest) > most:
		fmt.Fprintf(f.Output(), "%s: %q stands behind %q, and %d arguments are wanted\n", f.Name(), rest[most], rest[most-1], most)
	case len(rest) >= least:
		return rest, nil
	}
	for i := range rest {
		_, notBool := strconv.ParseBool(rest[i])
		if name := switchBefore(f, args, rest[i]); name != "" && (notBool == nil || i == most) {
			fmt.Fprintf(f.Output(), "-%s takes a value behind =, as in -%s=false\n", name, name)
		}
	}
	f.Usage()
	return nil, ErrUsage
}

// switchBefore returns the name of the flag that stands before an argument and takes true or false, "" if there is
// none.
func switchBefore(f *flag.FlagSet, args []string, argument string) string {
	i := slices.Index(args, argument)
	if i < 1 || !strings.HasPrefix(args[i-1], "-") {
		return ""
	}
	name := strings.TrimLeft(args[i-1], "-")
	if g := f.Lookup(name); g != nil {
		if b, ok := g.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
			return name
		}
	}
	return ""
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
