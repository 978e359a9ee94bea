package commandline_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/cmd/acap/commandline"
)

// newSet returns flags of several types, whose messages go to a buffer.
func newSet() (*flag.FlagSet, *bytes.Buffer) {
	f, out := flag.NewFlagSet("acap test", flag.ContinueOnError), new(bytes.Buffer)
	f.SetOutput(out)
	f.Usage = func() { fmt.Fprintln(f.Output(), "usage") }
	f.Int("count", 1, "how `many`")
	f.Uint("seed", 1, "the `number`")
	f.Float64("rate", 1, "the `rate`")
	f.Duration("patience", time.Second, "the `time`")
	f.Bool("json", false, "print JSON")
	f.String("machine", "", "the `machine`")
	f.String("verify", "", "the `file`")
	f.Func("adapter", "the `file`", func(string) error { return nil })
	f.Var(new(commandline.List), "input", "the `file`")
	return f, out
}

// Flags may stand on either side of the arguments.
func ExampleParse() {
	f := flag.NewFlagSet("acap run", flag.ContinueOnError)
	f.SetOutput(os.Stdout)
	threads := f.Int("threads", 1, "how `many`")
	rest, err := commandline.Parse(f, []string{"model.pt", "-threads", "4", "input.npy"})
	fmt.Println(rest, *threads, err)
	_, err = commandline.Parse(f, []string{"-thread", "4"})
	fmt.Println(err)
	// Output:
	// [model.pt input.npy] 4 <nil>
	// acap run: there is no flag -thread; did you mean -threads?
	// `acap run -h` lists the flags.
	// usage
}

// TestWrongValues: a message says what the flag takes.
func TestWrongValues(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-count", "x"}, "want a whole number\n"},
		{[]string{"-seed", "-1"}, "want a whole number from 0 upwards\n"},
		{[]string{"-rate", "x"}, "want a number\n"},
		{[]string{"-patience", "x"}, "want a time, such as 30s or 5m\n"},
		{[]string{"-json=x"}, "want true or false\n"},
		{[]string{"-verify", ""}, "acap test: -verify file is empty: give it a value, or leave it out\n"},
		{[]string{"-input", "a.npy", "-input", ""}, "-input file is empty"},
		{[]string{"-machine"}, "flag needs an argument: -machine machine: the machine\n"},
		{[]string{"-machines", "m"}, "there is no flag -machines; did you mean -machine?\n"},
		{[]string{"-counter", "m"}, "there is no flag -counter; did you mean -count?\n"},
		{[]string{"-zzzzzzzz"}, "there is no flag -zzzzzzzz\n"},
	} {
		f, out := newSet()
		_, err := commandline.Parse(f, c.args)
		require.ErrorIs(t, err, commandline.ErrUsage)
		require.Contains(t, out.String(), c.want)
		require.Contains(t, out.String(), "`acap test -h` lists the flags.")
	}
}

// TestGivenFiles: files that are given are taken, by texts, lists and functions.
func TestGivenFiles(t *testing.T) {
	f, out := newSet()
	_, err := commandline.Parse(f, []string{"-verify", "key", "-adapter", "a.gguf", "-input", "a.npy"})
	require.NoError(t, err, out.String())
}

// TestHelpIsAResult: usage that -h asks for goes to Help, and nothing to the output of the flags.
func TestHelpIsAResult(t *testing.T) {
	help, before := new(bytes.Buffer), commandline.Help
	defer func() { commandline.Help = before }()
	commandline.Help = help
	f, out := newSet()
	_, err := commandline.Parse(f, []string{"a", "-h"})
	require.ErrorIs(t, err, flag.ErrHelp)
	require.Contains(t, help.String(), "usage\n")
	require.Contains(t, help.String(), "-machine machine")
	require.Empty(t, out.String())
}

// TestNumberOfArguments: fewer and more arguments than wanted are errors, and a value behind a switch is explained.
func TestNumberOfArguments(t *testing.T) {
	for _, c := range []struct {
		args        []string
		least, most int
		want        string
	}{
		{[]string{"a"}, 0, 0, `"a" stands there, and no argument is wanted`},
		{[]string{"a", "b"}, 1, 1, `"b" stands behind "a", and one argument is wanted`},
		{[]string{"a", "b", "c"}, 1, 2, `"c" stands behind "b", and 2 arguments are wanted`},
		{[]string{"-json", "false", "a"}, 1, 1, "-json takes a value behind =, as in -json=false"},
		{nil, 1, 1, "usage"},
	} {
		f, out := newSet()
		_, err := commandline.Between(f, c.args, c.least, c.most)
		require.ErrorIs(t, err, commandline.ErrUsage)
		require.Contains(t, out.String(), c.want)
	}
	f, _ := newSet()
	one, err := commandline.One(f, []string{"-json", "a"})
	require.NoError(t, err)
	require.Equal(t, "a", one)
}

// TestWrong: an error of the command line remains one when others wrap it, and the contents of a file are none.
func TestWrong(t *testing.T) {
	cause := errors.New("no machine")
	require.NoError(t, commandline.Wrong(nil))
	require.True(t, commandline.IsWrong(fmt.Errorf("run: %w", commandline.Wrong(cause))))
	require.ErrorIs(t, commandline.Wrong(cause), cause)
	require.True(t, commandline.IsWrong(commandline.WrongName("npu9", cause)))
	require.False(t, commandline.IsWrong(commandline.WrongName("m.JSON", cause)))
	require.False(t, commandline.IsWrong(cause))
}
