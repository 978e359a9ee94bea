package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir/mlirtest"
	"github.com/go-acap/acap/translate/passes"
	"github.com/go-acap/acap/translate/passes/report"
)

// textFiles are the tests of the command that are files of MLIR.
func textFiles(t *testing.T) []string {
	paths, err := filepath.Glob("testdata/text/*.mlir")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	return paths
}

// TestText runs the lines "// RUN:" of the files. A line is a pipe of commands:
//
//	acap opt %s -cse | acap opt -canonicalize | check
//
// where %s is the file and %t a scratch file. A command succeeds, behind "not" it fails; with
// "2>&1" what it says goes the same way as what it prints. "check" compares with the CHECK
// lines of the file, "check A" with its lines "// A:". "cat" prints a file, "silent" wants
// nothing.
func TestText(t *testing.T) {
	for _, path := range textFiles(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			src, err := os.ReadFile(path)
			require.NoError(t, err)
			lines := mlirtest.RunLines(string(src))
			require.NotEmpty(t, lines, "no RUN line")
			place := strings.NewReplacer("%s", path, "%t", filepath.Join(t.TempDir(), "scratch"))
			for _, line := range lines {
				var out []byte
				for _, command := range strings.Split(line, " | ") {
					words := strings.Fields(strings.ReplaceAll(command, "'", ""))
					for i, w := range words {
						words[i] = place.Replace(w)
					}
					out = runTextCommand(t, string(src), out, words)
				}
			}
		})
	}
}

// runTextCommand runs one command of a pipe on what the one before it printed.
func runTextCommand(t *testing.T, src string, in []byte, words []string) []byte {
	t.Helper()
	switch words[0] {
	case "check":
		if len(words) > 1 {
			src = regexp.MustCompile(`// CHECK\b`).ReplaceAllString(src, "// ")
			src = strings.ReplaceAll(src, "// "+words[1], "// CHECK")
		}
		mlirtest.Check(t, string(in), src)
		return nil
	case "silent":
		require.Empty(t, string(in))
		return nil
	case "cat":
		text, err := os.ReadFile(words[1])
		require.NoError(t, err)
		return text
	}
	fails := words[0] == "not"
	if fails {
		words = words[1:]
	}
	require.Equal(t, "acap", words[0])
	cmd := child()
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &errs
	for _, w := range words[1:] {
		if w == "2>&1" {
			cmd.Stderr = &out
			continue
		}
		cmd.Args = append(cmd.Args, w)
	}
	err := cmd.Run()
	if fails {
		require.Error(t, err, words)
	} else {
		require.NoError(t, err, "%v\n%s", words, errs.String())
	}
	return out.Bytes()
}

// TestTextOfEach: every pass, every named pipeline and every report has a file of its own here,
// which runs it, and every flag of acap opt stands in a RUN line.
func TestTextOfEach(t *testing.T) {
	used := map[string]bool{}
	for _, path := range textFiles(t) {
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, line := range mlirtest.RunLines(string(src)) {
			for _, word := range strings.Fields(line) {
				name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
				used[name] = used[name] || strings.HasPrefix(word, "-")
			}
		}
	}
	ran := func(name, prefix string) {
		path := filepath.Join("testdata", "text", prefix+name+".mlir")
		src, err := os.ReadFile(path)
		if err != nil {
			t.Errorf("%s has no %s", name, path)
			return
		}
		require.Regexp(t, `(?m)^// RUN: .*[ =-]`+regexp.QuoteMeta(name)+`\b`, string(src), path)
	}
	for _, p := range passes.All() {
		ran(p.Name, "pass_")
	}
	for _, p := range passes.Pipelines() {
		ran(p.Name, "pass_")
	}
	for _, r := range report.All {
		ran(r.Name, "report_")
	}
	var o optFlags
	f := newFlags("opt", "")
	o.define(f)
	f.VisitAll(func(f *flag.Flag) {
		if !used[f.Name] {
			t.Errorf("no RUN line has -%s", f.Name)
		}
	})
}
