package docs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pages are compiled and run. A block of Go that begins with "package main" is a program; the other blocks of a page
// are one program: its imports, types and functions at the top, and the rest in order. Blocks of text and of MLIR are
// what the page prints, all of it: the sign … stands for what varies within a line, and for any lines where the sign
// stands alone.
var pages = []string{"../README", "quickstart", "training", "importing", "devices", "operators", "from-pytorch", "from-gomlx", "groups", "artifacts", "distributed", "explorer"}

const module = "github.com/go-acap/acap/"

var (
	block = regexp.MustCompile("(?s)\n```(go|text|mlir)\n(.*?)\n```")
	top   = regexp.MustCompile(`^(import|func|type) [\w(]`)
)

// programs makes packages of a page, whose functions Run do what the page does, and lists what the page says
// that they print.
func programs(text string) (sources, want []string) {
	var declarations, statements strings.Builder
	for _, m := range block.FindAllStringSubmatch(text, -1) {
		kind, code := m[1], m[2]+"\n"
		switch {
		case kind != "go":
			want = append(want, m[2])
		case strings.HasPrefix(code, "package main\n"):
			code = strings.Replace(code, "package main", "package page", 1)
			code = strings.Replace(code, "func main()", "func run()", 1)
			sources = append(sources, code+"\nfunc Run() error {\n\trun()\n\treturn nil\n}\n")
		case top.MatchString(code):
			declarations.WriteString(code + "\n")
		default:
			statements.WriteString(code)
		}
	}
	if statements.Len() > 0 {
		sources = append(sources, "package page\n\n"+declarations.String()+"func Run() error {\n"+statements.String()+"return nil\n}\n")
	}
	return sources, want
}

// printed matches what a page says that it prints.
func printed(text string) string {
	pattern := `\A`
	for _, line := range strings.Split(text, "\n") {
		switch {
		case line == "…":
			pattern += `(.*\n)*`
		case line != "":
			pattern += strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".+") + `\n+`
		}
	}
	return pattern + `\z`
}

// TestPages: the programs of the pages compile with the imports shown there, and print the output shown there.
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
		sources, expected := programs(string(text))
		require.NotEmpty(t, sources, page)
		want[page] = expected
		fmt.Fprintf(&cases, "\tcase %q:\n", page)
		for i, source := range sources {
			name := fmt.Sprintf("%s%d", strings.Trim(strings.ReplaceAll(page, "-", ""), "./"), i)
			add("docs/zpages/"+name+"/main.go", source)
			fmt.Fprintf(&imports, "\t%s %q\n", name, module+"docs/zpages/"+name)
			fmt.Fprintf(&cases, "\t\terr = errors.Join(err, %s.Run())\n", name)
		}
	}
	add("docs/zpages/main.go", "package main\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n\t\"os\"\n"+imports.String()+
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
			text := strings.Join(want[page], "\n")
			require.Regexp(t, printed(text), string(out), "the page says\n%s\nand prints\n%s", text, out)
		})
	}
}
