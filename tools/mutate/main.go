package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	m := mutation{out: os.Stdout}
	f := flag.NewFlagSet("mutate", flag.ExitOnError)
	f.IntVar(&m.count, "n", 30, "how many changes to try")
	f.Uint64Var(&m.seed, "seed", uint64(time.Now().UnixNano())&0xffff, "where the random choice starts")
	f.StringVar(&m.tests, "tests", "", "packages whose tests run, with commas between (default: the changed one and "+
		"those of the list that import it)")
	f.StringVar(&m.flags, "flags", "-short", "flags of go test, with spaces between")
	f.StringVar(&m.only, "file", "", "change only files whose name contains this `text`")
	f.DurationVar(&m.timeout, "timeout", 5*time.Minute, "a test that runs longer counts as failed")
	f.Float64Var(&m.want, "want", 0.9, "the least share of changes that must be noticed")
	f.BoolVar(&m.json, "json", false, "print JSON, a line for each change")
	f.Parse(os.Args[1:])
	m.packages = f.Args()
	if len(m.packages) == 0 {
		fmt.Fprintln(os.Stderr, "mutate: name a package, such as ./ops")
		os.Exit(2)
	}
	noticed, tried, err := m.run()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
	if !m.json {
		fmt.Printf("%d of %d changes noticed (seed %d)\n", noticed, tried, m.seed)
	}
	if float64(noticed) < m.want*float64(tried) {
		os.Exit(1)
	}
}

type mutation struct {
	packages           []string
	tests, flags, only string
	count              int
	seed               uint64
	timeout            time.Duration
	want               float64
	json               bool
	out                io.Writer
}

// pkg is what go list says of a package.
type pkg struct {
	Dir, ImportPath                    string
	GoFiles                            []string
	Imports, TestImports, XTestImports []string
}

// verdict is what became of a change.
type verdict struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Before  string `json:"before"`
	After   string `json:"after"`
	Noticed bool   `json:"noticed"`
	By      string `json:"by,omitempty"` // the test, or "timeout"
}

var errDoesNotCompile = errors.New("does not compile")

func (m *mutation) run() (noticed, tried int, err error) {
	packages, err := list(m.packages)
	if err != nil {
		return 0, 0, err
	}
	var places []place
	tests := map[string][]string{} // by folder
	for _, p := range packages {
		found, err := placesOf(p.Dir, p.GoFiles)
		if err != nil {
			return 0, 0, err
		}
		places = append(places, found...)
		tests[p.Dir] = m.testsOf(p, packages)
	}
	places = slices.DeleteFunc(places, func(p place) bool { return !strings.Contains(filepath.Base(p.file), m.only) })
	random := rand.New(rand.NewPCG(m.seed, 1))
	random.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	for _, p := range places {
		if tried == m.count {
			break
		}
		by, err := m.try(p, tests[filepath.Dir(p.file)])
		if errors.Is(err, errDoesNotCompile) {
			continue
		}
		if err != nil {
			return noticed, tried, err
		}
		tried++
		if by != "" {
			noticed++
		}
		m.report(p, by)
	}
	return noticed, tried, nil
}

func (m *mutation) report(p place, by string) {
	name := p.file
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, p.file); err == nil {
			name = rel
		}
	}
	v := verdict{name, p.line, p.before, p.after, by != "", by}
	if m.json {
		json.NewEncoder(m.out).Encode(v)
		return
	}
	mark := "noticed  "
	if by == "" {
		mark = "SURVIVED "
	}
	fmt.Fprintf(m.out, "%s %s:%d: %s -> %s   %s\n", mark, name, p.line, short(p.before), short(p.after), by)
}

// short prints code in one line.
func short(code string) string {
	code = strings.Join(strings.Fields(code), " ")
	if code == "" {
		return "(nothing)"
	}
	if len(code) > 60 {
		code = code[:57] + "..."
	}
	return code
}

// testsOf returns the packages whose tests may notice a change of p.
func (m *mutation) testsOf(p pkg, all []pkg) []string {
	if m.tests != "" {
		return strings.Split(m.tests, ",")
	}
	tests := []string{p.ImportPath}
	for _, q := range all {
		if slices.Contains(slices.Concat(q.Imports, q.TestImports, q.XTestImports), p.ImportPath) &&
			q.ImportPath != p.ImportPath {
			tests = append(tests, q.ImportPath)
		}
	}
	return tests
}

func list(patterns []string) ([]pkg, error) {
	c := exec.Command("go", append([]string{"list", "-json=Dir,ImportPath,GoFiles,Imports,TestImports,XTestImports"},
		patterns...)...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var packages []pkg
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); err == io.EOF {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
}

// try makes one change and runs the tests. It returns what noticed it, or nothing.
func (m *mutation) try(p place, tests []string) (by string, err error) {
	changed, err := p.apply()
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	file, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
	table, err := json.Marshal(map[string]any{"Replace": map[string]string{p.file: file}})
	if err != nil {
		return "", err
	}
	if err := errors.Join(os.WriteFile(file, changed, 0o600), os.WriteFile(overlay, table, 0o600)); err != nil {
		return "", err
	}
	if err := exec.Command("go", "build", "-overlay", overlay, filepath.Dir(p.file)).Run(); err != nil {
		return "", errDoesNotCompile
	}
	args := []string{"test", "-overlay", overlay, "-vet=off", "-failfast", "-timeout", m.timeout.String()}
	args = append(args, strings.Fields(m.flags)...)
	// The nearest tests first: most changes are noticed there.
	for _, t := range tests {
		out, err := exec.Command("go", append(slices.Clip(args), t)...).CombinedOutput()
		if err != nil {
			return failed(string(out), t), nil
		}
	}
	return "", nil
}

// failed names the test that failed in an output of go test.
func failed(out, otherwise string) string {
	if strings.Contains(out, "panic: test timed out") {
		return "timeout"
	}
	for line := range strings.Lines(out) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "--- FAIL: "); ok {
			return strings.Fields(name)[0]
		}
	}
	return otherwise
}
