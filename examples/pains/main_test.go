package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/emulator"
)

var update = flag.Bool("update", false, "write the programs and what they print into docs/lazy.md")

func TestMain(m *testing.M) {
	if os.Getenv("PAINS") == "1" {
		main()
		return
	}
	os.Exit(m.Run())
}

const guide = "../../docs/lazy.md"

// promises are what a program must print whatever the guide says.
var promises = map[string][]string{
	"storm":    {`it is an input of this program`, `a thousand rates: 2`, `2 decides what is computed`},
	"warm":     {`device 1: 0 mappings found on disk, [1-9]`, `device 2: [1-9]\d* mappings found on disk, 0 searched`},
	"tracing":  {`compiled \d, found \d+`},
	"sync":     {`sync.go:\d+: reading it is a hidden barrier`, `hidden barriers: <nil>`},
	"shapes":   {`8 programs`, `f32\[8\], was f32\[7\]`, `(2\.7183 ){8}`, `two buckets: 2, with 12 of 48 elements padding`, `argument 0 is tensor<13xf32>, was tensor<12xf32>`},
	"memory":   {`at most \d{1,3} pending`, `needs 4(\.\d+)? MiB of memory`, `the limit is 1 MiB`, `add.Tensor at memory.go:\d+`},
	"late":     {`late.go:\d+: inverse: .*\[2 3\]`, `late.go:\d+: matmul`, `late.go:\d+: add.Tensor`},
	"deep":     {`lines of MLIR: 15006`},
	"fallback": {`host +\[cholesky +\] \[fallback.go:\d+\] \S`, `map\[aten.cholesky:1\]`},
	"baked":    {`five steps of dropout, programs: 1 differ: true`, `programs with other rates: 1`, `index of select.int`, `eight rows, programs: 2`},
	"alias":    {`(?m)^(\[0 10 0 0 10 0\] \[10 10\] \[1 1 1 1 1 1\]\n){2}`},
	"modes":    {`recorded in`, `134217728 multiply-adds`},
}

// differs matches text that differs between runs and machines: durations, and the memory of a run, to which each core
// adds.
var differs = regexp.MustCompile(`\b[\d.]+(ns|µs|ms|s)\b|\bneeds [\d.]+ MiB\b`)

// TestGuide runs every program. Each keeps its promises, and the guide has its text and its output.
func TestGuide(t *testing.T) {
	text, err := os.ReadFile(guide)
	require.NoError(t, err)
	page := string(text)
	for _, p := range pains {
		t.Run(p.name, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, p.run(&out, newDevice()))
			require.NotEmpty(t, promises[p.name])
			for _, promise := range promises[p.name] {
				require.Regexp(t, promise, out.String())
			}
			if *update {
				page = replace(t, page, "go "+p.name, source(t, p))
				page = replace(t, page, "text "+p.name, out.String())
				return
			}
			const hint = "go test ./examples/pains -update writes the guide"
			require.Equal(t, source(t, p), block(t, page, "go "+p.name), hint)
			require.Equal(t, differs.ReplaceAllString(out.String(), "T"),
				differs.ReplaceAllString(block(t, page, "text "+p.name), "T"), hint)
		})
	}
	if *update {
		require.NoError(t, os.WriteFile(guide, []byte(page), 0o666))
	}
}

// All Go code in the guide is a program that runs here.
func TestGuideHasNoOtherCode(t *testing.T) {
	text, err := os.ReadFile(guide)
	require.NoError(t, err)
	var blocks []string
	for _, m := range regexp.MustCompile("(?m)^```(go.*)$").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, m[1])
	}
	var want []string
	for _, p := range pains {
		want = append(want, "go "+p.name)
		require.Contains(t, string(text), p.title)
	}
	require.Equal(t, want, blocks)
	require.Len(t, promises, len(pains))
}

func TestNames(t *testing.T) {
	run := func(args ...string) (string, error) {
		cmd := emulator.Again(args...)
		cmd.Env = append(os.Environ(), "PAINS=1")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	out, err := run("late", "alias")
	require.NoError(t, err, out)
	require.Equal(t, 2, strings.Count(out, "== "))
	out, err = run("nothing")
	require.Error(t, err)
	require.Equal(t, "pains: no program \"nothing\"\n", out)
}

// block returns the text of a fenced block of the guide.
func block(t *testing.T, page, name string) string {
	from, to := place(t, page, name)
	return page[from:to]
}

func replace(t *testing.T, page, name, with string) string {
	from, to := place(t, page, name)
	return page[:from] + with + page[to:]
}

func place(t *testing.T, page, name string) (from, to int) {
	fence := "\n```" + name + "\n"
	require.Equal(t, 1, strings.Count(page, fence), "blocks named %q", name)
	from = strings.Index(page, fence) + len(fence)
	length := strings.Index(page[from:], "```\n")
	require.GreaterOrEqual(t, length, 0)
	return from, from + length
}

// source returns the function of a program as it stands in its file, named after the program.
func source(t *testing.T, p pain) string {
	file := p.name + ".go"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, text, parser.ParseComments)
	require.NoError(t, err)
	i := slices.IndexFunc(f.Decls, func(d ast.Decl) bool { _, ok := d.(*ast.FuncDecl); return ok })
	require.GreaterOrEqual(t, i, 0)
	fn := f.Decls[i].(*ast.FuncDecl)
	lines, err := format.Source(text[set.Position(fn.Doc.Pos()).Offset:set.Position(fn.End()).Offset])
	require.NoError(t, err)
	return string(lines) + "\n"
}

// features is the page whose names must exist.
const features = "../../docs/features.md"

var named = regexp.MustCompile("`([a-z][a-z/]*)\\.([A-Z]\\w*)(?:\\.([A-Z]\\w*))?`")

// TestFeatures finds every name that the pages give, as `lazy.Sync` or `optim.Adam.Step`.
func TestFeatures(t *testing.T) {
	dirs := map[string]string{"bundle": "lazy/bundle", "lazy": "lazy", "lazytest": "lazy/lazytest", "metrics": "lazy/metrics",
		"replay": "lazy/replay", "tensor": "tensor", "nn": "tensor/nn", "optim": "tensor/optim",
		"data": "tensor/data", "dtype": "base/dtype", "device": "device", "host": "device/host",
		"acap": "device/acap", "artifact": "device/artifact", "store": "device/store", "ops": "ops",
		"quantize": "device/quantize", "report": "translate/passes/report"}
	known := map[string]map[string]bool{}
	var count int
	for _, page := range []string{guide, features} {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			pkg, name := m[1], m[2]
			if m[3] != "" {
				name += "." + m[3]
			}
			require.Contains(t, dirs, pkg, "%s names a package %s", page, pkg)
			if known[pkg] == nil {
				known[pkg] = names(t, filepath.Join("../..", dirs[pkg]))
			}
			require.True(t, known[pkg][name], "%s: there is no %s.%s", page, pkg, name)
			count++
		}
	}
	require.Greater(t, count, 50)
}

// names returns what a package declares: "Name", and "Type.Member" for methods and fields.
func names(t *testing.T, dir string) map[string]bool {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	all := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					all[d.Name.Name] = true
					continue
				}
				receiver := strings.TrimPrefix(fmt.Sprint(typeName(d.Recv.List[0].Type)), "*")
				all[receiver+"."+d.Name.Name] = true
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.ValueSpec:
						for _, n := range s.Names {
							all[n.Name] = true
						}
					case *ast.TypeSpec:
						all[s.Name.Name] = true
						members(all, s)
					}
				}
			}
		}
	}
	return all
}

func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.IndexExpr: // with a type parameter
		return typeName(e.X)
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// members adds the fields of a struct and the methods of an interface.
func members(all map[string]bool, s *ast.TypeSpec) {
	var fields []*ast.Field
	switch u := s.Type.(type) {
	case *ast.StructType:
		fields = u.Fields.List
	case *ast.InterfaceType:
		fields = u.Methods.List
	}
	for _, f := range fields {
		for _, n := range f.Names {
			all[s.Name.Name+"."+n.Name] = true
		}
	}
}
