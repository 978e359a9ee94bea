package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	m := mutation{out: os.Stdout}
	f := flag.NewFlagSet("mutate", flag.ExitOnError)
	f.IntVar(&m.count, "n", 30, "how many changes to try, at least")
	f.Uint64Var(&m.seed, "seed", uint64(time.Now().UnixNano())&0xffff, "where the random choice starts")
	f.StringVar(&m.tests, "tests", "", "packages whose tests run, with commas between (default: those of the list)")
	f.StringVar(&m.flags, "flags", "-short", "flags of go test, with spaces between")
	f.StringVar(&m.only, "file", "", "change only files whose name contains this `text`")
	f.DurationVar(&m.timeout, "timeout", 5*time.Minute, "a test that runs longer counts as failed")
	f.IntVar(&m.parallel, "parallel", 2, "how many tests run at once")
	f.Float64Var(&m.want, "want", 0.9, "the least share of changes that must be noticed")
	f.BoolVar(&m.json, "json", false, "print JSON, a line for each change")
	f.Parse(os.Args[1:])
	m.packages = f.Args()
	if len(m.packages) == 0 {
		fmt.Fprintln(os.Stderr, "mutate: name a package, such as ./ops")
		os.Exit(2)
	}
	noticed, tried, err := m.run(ctx)
	if ctx.Err() != nil {
		os.Exit(130)
	}
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
	parallel           int
	json               bool
	out                io.Writer
}

// pkg is what go list says of a package.
type pkg struct {
	Dir, ImportPath, Name string
	GoFiles               []string
	Deps                  []string
	tested                []string // what its tests depend on, if it has any
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

// run tries changes until enough have been tried or ctx is done.
func (m *mutation) run(ctx context.Context) (noticed, tried int, err error) {
	packages, err := list(m.packages)
	if err != nil {
		return 0, 0, err
	}
	suites := packages
	if m.tests != "" {
		if suites, err = list(strings.Split(m.tests, ",")); err != nil {
			return 0, 0, err
		}
	}
	var places []place
	tests, names := map[string][]string{}, map[string]string{} // by folder
	for _, p := range packages {
		found, err := placesOf(p.Dir, p.GoFiles)
		if err != nil {
			return 0, 0, err
		}
		places = append(places, found...)
		tests[p.Dir], names[p.Dir] = testsOf(p, suites), p.Name
	}
	places = slices.DeleteFunc(places, func(p place) bool { return !strings.Contains(filepath.Base(p.file), m.only) })
	random := rand.New(rand.NewPCG(m.seed, 1))
	random.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	for len(places) > 0 && tried < m.count {
		// A quarter more than are wanted, since some do not compile.
		n := min(len(places), (m.count-tried)*5/4+1)
		verdicts, err := m.try(ctx, places[:n], tests, names)
		if err != nil {
			return noticed, tried, err
		}
		places = places[n:]
		for _, v := range verdicts { // all that were shown
			tried++
			if v.Noticed {
				noticed++
			}
		}
	}
	return noticed, tried, nil
}

// try tries changes: those in functions together, each of the others alone.
func (m *mutation) try(ctx context.Context, places []place, tests map[string][]string, names map[string]string) ([]verdict, error) {
	var verdicts []verdict
	together := map[int]place{}
	for k, p := range places {
		if p.in != nil {
			together[k] = p
		}
	}
	sets := []map[int]place{together}
	for k, p := range places {
		if p.in == nil {
			sets = append(sets, map[int]place{k: p})
		}
	}
	for _, set := range sets {
		found, err := m.tryBatch(ctx, set, tests, names)
		if err != nil {
			return nil, err
		}
		verdicts = append(verdicts, found...)
	}
	return verdicts, nil
}

func (m *mutation) tryBatch(ctx context.Context, places map[int]place, tests map[string][]string, names map[string]string) ([]verdict, error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	b, err := newBatch(dir, places, names)
	if err != nil {
		return nil, err
	}
	var suites []*suite
	byPath := map[string]*suite{}
	keys := slices.Sorted(maps.Keys(b.places))
	for _, k := range keys {
		for _, path := range tests[filepath.Dir(b.places[k].file)] {
			if byPath[path] != nil {
				continue
			}
			s, err := b.compile(path, len(suites))
			if err != nil {
				return nil, err
			}
			byPath[path] = s
			suites = append(suites, s)
		}
	}
	alone := len(keys) == 1 && b.places[keys[0]].in == nil
	for _, s := range suites {
		if alone {
			s.tests = []test{{name: ".*", took: m.timeout, reaches: map[int]bool{keys[0]: true}}}
		} else if err := s.measure(ctx, m, dir); err != nil {
			return nil, err
		}
	}
	verdicts := make([]verdict, len(keys))
	var print sync.Mutex
	m.each(len(keys), func(i int) {
		p, by := b.places[keys[i]], ""
		for _, path := range tests[filepath.Dir(p.file)] { // the nearest first: most are noticed there
			if s := byPath[path]; s.binary != "" && by == "" {
				by = s.notice(ctx, m, keys[i])
			}
		}
		if ctx.Err() != nil {
			return // it was no test that noticed
		}
		print.Lock()
		defer print.Unlock()
		verdicts[i] = m.report(p, by)
	})
	return verdicts, ctx.Err()
}

// testFlags returns the flags of go test as a compiled test takes them.
func (m *mutation) testFlags() []string {
	flags := strings.Fields(m.flags)
	for i, f := range flags {
		if name, ok := strings.CutPrefix(f, "-"); ok {
			flags[i] = "-test." + strings.TrimPrefix(name, "-")
		}
	}
	return flags
}

func (m *mutation) report(p place, by string) verdict {
	name := p.file
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, p.file); err == nil {
			name = rel
		}
	}
	v := verdict{name, p.line, p.before, p.after, by != "", by}
	if m.json {
		json.NewEncoder(m.out).Encode(v)
		return v
	}
	mark := "noticed  "
	if by == "" {
		mark = "SURVIVED "
	}
	fmt.Fprintf(m.out, "%s %s:%d: %s -> %s   %s\n", mark, name, p.line, short(p.before), short(p.after), by)
	return v
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

// testsOf returns the packages whose tests may notice a change of p: p first, then packages that depend on p, small
// ones first.
func testsOf(p pkg, all []pkg) []string {
	near := func(q pkg) int {
		if q.ImportPath == p.ImportPath {
			return -1
		}
		return len(q.tested)
	}
	var tests []string
	for _, q := range slices.SortedStableFunc(slices.Values(all), func(a, b pkg) int { return cmp.Compare(near(a), near(b)) }) {
		if slices.Contains(q.tested, p.ImportPath) {
			tests = append(tests, q.ImportPath)
		}
	}
	return tests
}

// list returns the packages of patterns, with what their tests depend on.
func list(patterns []string) ([]pkg, error) {
	c := exec.Command("go", append([]string{"list", "-test", "-json=Dir,ImportPath,Name,GoFiles,Deps"}, patterns...)...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var packages []pkg
	tested := map[string][]string{} // by the package
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		if path, ok := strings.CutSuffix(p.ImportPath, ".test"); ok && p.Name == "main" { // a test binary
			for _, dep := range p.Deps {
				dep, _, _ = strings.Cut(dep, " [") // a package that is compiled again for the test
				tested[path] = append(tested[path], dep)
			}
		} else if !strings.Contains(p.ImportPath, " [") {
			packages = append(packages, p)
		}
	}
	for i := range packages {
		packages[i].tested = tested[packages[i].ImportPath]
	}
	return packages, nil
}

// failed names the test that failed in an output of go test.
func failed(out, otherwise string) string {
	for line := range strings.Lines(out) {
		if _, name, ok := strings.Cut(line, failure); ok {
			name, _, _ = strings.Cut(name, " ")
			return name
		}
	}
	return otherwise
}
