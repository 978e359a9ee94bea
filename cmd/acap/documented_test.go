package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	// blockOrSpan is a block of text that is no Go, or a span of code.
	blockOrSpan = regexp.MustCompile("(?s)```(\\w*)[^\n]*\n(.*?)\n```|`([^`\n]+)`")
	callOfAcap  = regexp.MustCompile(`(?:^|[\s;|&(])(?:acap|\./cmd/acap) ([a-z0-9|]+(?:-[a-z0-9]+)*)`)
	flagOfCall  = regexp.MustCompile(`(?:^|[\s\[|])-([a-z][a-z0-9-]*)`)
	lineEnd     = regexp.MustCompile(`\n\S`) // a line that is indented continues a call
	flagOfHelp  = regexp.MustCompile(`(?m)^  -([a-z][a-z0-9-]*)`)
)

// TestDocumented: every command and every flag that a page names exists.
func TestDocumented(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	flags := map[string][]string{}
	for _, c := range commands {
		out, errs, _ := invoke(t, c.name, "-h")
		flags[c.name] = []string{"h"}
		for _, m := range flagOfHelp.FindAllStringSubmatch(out+errs, -1) {
			flags[c.name] = append(flags[c.name], m[1])
		}
	}
	flags["help"] = nil
	found := 0
	pages = slices.DeleteFunc(pages, func(page string) bool { return filepath.Base(page) == filepath.Base(reference) }) // see TestReference
	for _, page := range append(pages, "../../README.md", "../../RATIONALE.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range blockOrSpan.FindAllStringSubmatch(string(text), -1) {
			code := m[2] + m[3]
			calls := callOfAcap.FindAllStringSubmatchIndex(code, -1)
			if m[1] != "" && m[1] != "sh" {
				continue
			}
			for i, call := range calls {
				end := len(code)
				if i+1 < len(calls) {
					end = calls[i+1][0]
				}
				given := code[call[1]:end]
				if line := lineEnd.FindStringIndex(given); line != nil {
					given = given[:line[0]]
				}
				for _, name := range strings.Split(code[call[2]:call[3]], "|") {
					known, ok := flags[name]
					assert.True(t, ok, "%s: acap has no command %q: %s", page, name, code)
					for _, f := range flagOfCall.FindAllStringSubmatch(given, -1) {
						found++
						assert.True(t, slices.Contains(known, f[1]), "%s: acap %s has no flag -%s: %s", page, name, f[1], code)
					}
				}
			}
		}
	}
	require.Greater(t, found, 50)
}
