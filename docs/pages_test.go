package docs_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pages are compiled and run: the blocks of Go of a page are one program, types and
// functions at its top and the rest in order. A block of text after a block of Go is what
// the page prints, among other things.
var pages = []string{"quickstart", "training", "importing", "devices", "operators", "from-pytorch", "from-gomlx", "groups", "artifacts", "distributed", "explorer"}

const module = "github.com/go-acap/acap/"

// packages are those that pages may use, by the names they go by.
var packages = map[string]string{
	"context": "context", "fmt": "fmt", "math": "math", "os": "os", "filepath": "path/filepath", "strings": "strings",
	"bytes": "bytes", "rand": "math/rand/v2", "errors": "errors", "io": "io", "time": "time",
	"acap": module + "device/acap", "lazy": module + "lazy", "ops": module + "ops", "tensor": module + "tensor",
	"dtype": module + "base/dtype", "buf": module + "base/buf", "nn": module + "tensor/nn",
	"optim": module + "tensor/optim", "data": module + "tensor/data", "train": module + "tensor/train", "trainplot": module + "tensor/train/trainplot",
	"digits": module + "tensor/data/digits", "host": module + "device/host", "report": module + "device/acap/report",
	"artifact": module + "device/artifact", "passes": module + "translate/passes",
	"distributed": module + "tensor/distributed", "explorer": module + "lazy/explorer",
	"device": module + "device", "compiler": module + "device/compiler", "machine": module + "device/acap/machine", "mlir": module + "mlir", "lazytest": module + "lazy/lazytest", "trace": module + "trace",
}

var (
	block     = regexp.MustCompile("(?s)\n```(go|text)\n(.*?)\n```")
	qualified = regexp.MustCompile(`\b([a-z]+)\.[A-Z]`)
	top       = regexp.MustCompile(`^(func \w|func \(|type )`)
)

// program makes a package of a page, whose function Run prints what the page does, and
// lists what the page says that is.
func program(name, text string) (source string, want []string) {
	var declarations, statements strings.Builder
	for _, m := range block.FindAllStringSubmatch(text, -1) {
		switch {
		case m[1] == "text":
			want = append(want, m[2])
		case top.MatchString(m[2]):
			declarations.WriteString(m[2] + "\n\n")
		default:
			statements.WriteString(m[2] + "\n")
		}
	}
	used := map[string]bool{}
	for _, m := range qualified.FindAllStringSubmatch(declarations.String()+statements.String(), -1) {
		if packages[m[1]] != "" {
			used[m[1]] = true
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n", name)
	names := make([]string, 0, len(used))
	for n := range used {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		fmt.Fprintf(&b, "\t%q\n", packages[n])
	}
	fmt.Fprintf(&b, ")\n\n%s\nfunc Run() error {\n%s\nreturn nil\n}\n", declarations.String(), statements.String())
	return b.String(), want
}

// TestPages compiles all pages into one program and runs it once for each.
func TestPages(t *testing.T) {
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	dir := t.TempDir()
	overlay := map[string]string{}
	add := func(path, source string) {
		file := filepath.Join(dir, strings.ReplaceAll(path, "/", "_"))
		require.NoError(t, os.WriteFile(file, []byte(source), 0o644))
		overlay[filepath.Join(root, filepath.FromSlash(path))] = file
	}
	want := map[string][]string{}
	var imports, cases strings.Builder
	for _, page := range pages {
		text, err := os.ReadFile(page + ".md")
		require.NoError(t, err)
		name := strings.ReplaceAll(page, "-", "")
		source, expected := program(name, "\n"+string(text))
		require.Contains(t, source, "\n", page)
		want[page] = expected
		add("docs/zpages/"+name+"/page.go", source)
		fmt.Fprintf(&imports, "\t%q\n", module+"docs/zpages/"+name)
		fmt.Fprintf(&cases, "\tcase %q:\n\t\terr = %s.Run()\n", page, name)
	}
	add("docs/zpages/main.go", "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n"+imports.String()+
		")\n\nfunc main() {\n\tvar err error\n\tswitch os.Args[1] {\n"+cases.String()+
		"\t}\n\tif err != nil {\n\t\tfmt.Println(\"error:\", err)\n\t\tos.Exit(1)\n\t}\n}\n")
	replaced, err := json.Marshal(map[string]any{"Replace": overlay})
	require.NoError(t, err)
	list := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(list, replaced, 0o644))
	binary := filepath.Join(dir, "pages.exe")
	build := exec.Command("go", "build", "-buildvcs=false", "-overlay", list, "-o", binary, module+"docs/zpages") // git may refuse the folder
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, page := range pages {
		t.Run(page, func(t *testing.T) {
			run := exec.Command(binary, page)
			run.Dir = t.TempDir()
			out, err := run.CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.NotEmpty(t, want[page], "the page shows nothing that it prints")
			for _, text := range want[page] {
				require.True(t, bytes.Contains(out, []byte(text)), "the page says\n%s\nand prints\n%s", text, out)
			}
		})
	}
}
