package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/device"
)

var update = flag.Bool("update", false, "write docs/commands.md")

// reference is the page of the commands.
const reference = "../../docs/commands.md"

// helpText is the help of a command: its usage and its flags, each with its text.
type helpText struct {
	usage string
	flags []string // "`-name value`: text", or a note of those that several commands have
}

var (
	// flagLines are the lines of one flag: its name, a word for its value, and its text.
	flagLines   = regexp.MustCompile(`(?m)^  -([a-z0-9-]+)(?: ([^\t\n]+))?(?:\n    )?\t(.*)$`)
	placeholder = regexp.MustCompile(`^[a-z]{1,10}(=[a-z]{1,10})?$`)
)

// helpOf asks a command for its help.
func helpOf(t *testing.T, command ...string) helpText {
	t.Helper()
	out, errs, status := invoke(t, append(command, "-h")...)
	require.Zero(t, status)
	require.Empty(t, errs)
	return readHelp(t, out)
}

// helpOfSet is the help of flags that commands share.
func helpOfSet(t *testing.T, flags interface{ Flags(*flag.FlagSet) }) helpText {
	t.Helper()
	var b bytes.Buffer
	f := flag.NewFlagSet("", flag.ContinueOnError)
	f.SetOutput(&b)
	flags.Flags(f)
	f.PrintDefaults()
	return readHelp(t, "usage: \n"+b.String())
}

func readHelp(t *testing.T, text string) (h helpText) {
	t.Helper()
	usage, rest, found := strings.Cut(text, "\n  -")
	h.usage = strings.TrimPrefix(strings.TrimSpace(usage), "usage: ")
	if !found {
		return h // without flags
	}
	for _, m := range flagLines.FindAllStringSubmatch("  -"+rest, -1) {
		name, value := m[1], m[2]
		if value != "" {
			require.Regexp(t, placeholder, value, "%s: the word for the value of -%s", h.usage, name)
			require.NotContains(t, []string{"value", "string"}, value, "%s: -%s says no more of its value", h.usage, name)
			value = " " + value
		}
		require.NotContains(t, m[3], "`", "%s: -%s", h.usage, name)
		h.flags = append(h.flags, fmt.Sprintf("`-%s%s`: %s", name, value, m[3]))
	}
	require.Len(t, h.flags, strings.Count("\n  -"+rest, "\n  -"), "%s: flags of the help", h.usage)
	return h
}

// without leaves out flags that another help has, and notes where these stand; false if not all are there.
func (h *helpText) without(o helpText, note string) bool {
	for _, f := range o.flags {
		if !slices.Contains(h.flags, f) {
			return false
		}
	}
	h.flags = append(slices.DeleteFunc(h.flags, func(f string) bool { return slices.Contains(o.flags, f) }), note)
	return true
}

// TestReference: docs/commands.md has every command and every flag as the help has them. Each flag that takes a value
// names it with a short word.
func TestReference(t *testing.T) {
	compiling, where := helpOfSet(t, new(device.ConfigFlags)), helpOfSet(t, new(deviceFlags))
	var b strings.Builder
	b.WriteString("# Commands\n\nEvery command of `acap` and its flags, as `acap COMMAND -h` prints them; " +
		"`go test ./cmd/acap -run Reference -update` writes this page.\n\n" +
		"Flags may stand before, between and behind the arguments. Results go to standard output, messages to standard error. The status is 0, " +
		"1 for an error, 2 for an argument or a flag that is missing, unknown or unreadable and for a variable of the environment that is wrong, and 130 after an interrupt.\n")
	list := func(h helpText) {
		for _, f := range h.flags {
			fmt.Fprintf(&b, "* %s\n", f)
		}
	}
	section := func(title, summary string, h helpText) {
		if !h.without(where, "the flags of [where a program runs](#where-a-program-runs)") {
			h.without(compiling, "the flags of [how a program is compiled](#how-a-program-is-compiled)")
		}
		fmt.Fprintf(&b, "\n## %s\n\n", title)
		if summary != "" {
			fmt.Fprintf(&b, "%s%s.\n\n", strings.ToUpper(summary[:1]), summary[1:])
		}
		fmt.Fprintf(&b, "```\n%s\n```\n\n", h.usage)
		list(h)
	}
	slices.SortFunc(commands, func(a, b command) int { return strings.Compare(a.name, b.name) })
	for _, c := range commands {
		section(c.name, c.summary, helpOf(t, c.name))
		if c.name == "conformance" {
			for _, suite := range slices.Sorted(maps.Keys(suites)) {
				section("conformance "+suite, "", helpOf(t, c.name, suite))
			}
		}
	}
	b.WriteString("\n## Where a program runs\n\n")
	where.without(compiling, "the flags of [how a program is compiled](#how-a-program-is-compiled)")
	list(where)
	b.WriteString("\n## How a program is compiled\n\n")
	list(compiling)
	b.WriteString("\n## Environment variables\n\n")
	for _, v := range environment.Variables() {
		fmt.Fprintf(&b, "* `%s`: %s\n", v.Name, v.Doc)
	}
	if *update {
		require.NoError(t, os.WriteFile(reference, []byte(b.String()), 0o644))
	}
	page, err := os.ReadFile(reference)
	require.NoError(t, err)
	require.Equal(t, b.String(), string(page), "go test ./cmd/acap -run Reference -update")
}
