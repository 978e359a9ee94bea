package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFullDevice sends what commands print to a device without room.
func TestFullDevice(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	mlp := filepath.Join("testdata", "mlp", "model.pt")
	input := filepath.Join("testdata", "mlp", "input_0.npy")
	for _, args := range [][]string{
		{"help"}, {"help", "environment"}, {"help", "run"}, {"run", "-h"}, {"machines"}, {"machines", "npu1"}, {"run", mlp, "-input", input}, {"run", mlp, "-input", input, "-json"},
		{"emit", mlp, "-stage", "aten", "-input", input}, {"run", mlp, "-input", input, "-output", "/dev/full"},
	} {
		cmd := child(args...)
		cmd.Stdout = full
		var errs bytes.Buffer
		cmd.Stderr = &errs
		require.Error(t, cmd.Run(), args)
		require.Equal(t, 1, cmd.ProcessState.ExitCode(), args)
		require.Contains(t, errs.String(), "no space left on device", args)
	}
}

// TestPrinting finds code of the command that prints past [stdout].
func TestPrinting(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || name == "output.go" {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok {
					switch x.Name + "." + s.Sel.Name {
					case "fmt.Print", "fmt.Printf", "fmt.Println", "os.Stdout":
						t.Errorf("%s: %s.%s: print to stdout", set.Position(s.Pos()), x.Name, s.Sel.Name)
					}
				}
			}
			return true
		})
	}
}

// TestTerminalCharacters: names of files, which may be anyone's, do not control a terminal.
func TestTerminalCharacters(t *testing.T) {
	cmd := child("run", "\x1b]0;title\x07.mlir")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	require.Error(t, cmd.Run())
	require.Contains(t, errs.String(), `acap run: open \x1b]0;title\x07.mlir: no such file`)

	var shown bytes.Buffer
	for terminal, want := range map[bool]string{false: "a\x1b[31m\n", true: `a\x1b[31m` + "\n"} {
		shown.Reset()
		n, err := (&output{file: &shown, terminal: terminal}).Write([]byte("a\x1b[31m\n"))
		require.NoError(t, err)
		require.Equal(t, 7, n)
		require.Equal(t, want, shown.String())
	}
}
