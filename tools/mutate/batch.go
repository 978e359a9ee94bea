package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// batch is a set of changes that are compiled together, each behind a switch.
type batch struct {
	dir     string // for the files that it makes
	places  map[int]place
	overlay string
	names   map[string]string // of packages by folder
}

// switches is the file that each changed package gets besides. Tests learn by the environment
// which change is on; without one, the functions that are reached are noted in a file.
const switches = `package %s

import (
	"os"
	"strconv"
	"sync"
)

var changeNumber, changeNotes = func() (int, string) {
	k, err := strconv.Atoi(os.Getenv("MUTATE_CHANGE"))
	if err != nil {
		k = -1
	}
	return k, os.Getenv("MUTATE_NOTES")
}()

var changeNoted sync.Map

func changeOn(k int) bool {
	if changeNotes != "" {
		changeNote(k)
	}
	return k == changeNumber
}

func changeNote(k int) {
	if _, again := changeNoted.LoadOrStore(k, true); again {
		return
	}
	if f, err := os.OpenFile(changeNotes, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		f.WriteString(strconv.Itoa(k) + "\n")
		f.Close()
	}
}
`

// newBatch compiles the packages with the changes and leaves out those that do not compile.
// A place that is in no function makes a batch of its own, whose change is always on.
func newBatch(dir string, places map[int]place, names map[string]string) (*batch, error) {
	b := &batch{dir: dir, places: maps.Clone(places), overlay: filepath.Join(dir, "overlay.json"), names: names}
	for len(b.places) > 0 {
		if err := b.write(); err != nil {
			return nil, err
		}
		out, err := exec.Command("go", append([]string{"build", "-gcflags=-e", "-overlay", b.overlay}, b.folders()...)...).
			CombinedOutput()
		if err == nil {
			return b, nil
		}
		if !b.dropBroken(string(out)) {
			return nil, fmt.Errorf("the changed code does not compile: %s", out)
		}
	}
	return b, nil
}

func (b *batch) folders() []string {
	var all []string
	for _, p := range b.places {
		all = append(all, filepath.Dir(p.file))
	}
	sort.Strings(all)
	return slices.Compact(all)
}

var changeLine = regexp.MustCompile(`\bchange(\d+)\.go:\d+`)

// dropBroken drops the changes that errors of the compiler name.
func (b *batch) dropBroken(out string) bool {
	before := len(b.places)
	for _, m := range changeLine.FindAllStringSubmatch(out, -1) {
		k, _ := strconv.Atoi(m[1])
		delete(b.places, k)
	}
	for k, p := range b.places { // what is in no function is alone
		if p.in == nil {
			delete(b.places, k)
		}
	}
	return len(b.places) < before
}

// write writes the changed files and the overlay that puts them in place.
func (b *batch) write() error {
	files := map[string][]int{}
	for k, p := range b.places {
		files[p.file] = append(files[p.file], k)
	}
	replace := map[string]string{}
	put := func(path, text string) error {
		file := filepath.Join(b.dir, fmt.Sprintf("%d.go", len(replace)))
		replace[path] = file
		return os.WriteFile(file, []byte(text), 0o600)
	}
	for path, changes := range files {
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		sort.Ints(changes)
		if err := put(path, b.rewritten(path, string(source), changes)); err != nil {
			return err
		}
	}
	for _, dir := range b.folders() {
		if err := put(filepath.Join(dir, "zchanges.go"), fmt.Sprintf(switches, b.names[dir])); err != nil {
			return err
		}
	}
	table, err := json.Marshal(map[string]any{"Replace": replace})
	return errors.Join(err, os.WriteFile(b.overlay, table, 0o600))
}

// rewritten returns a file with its functions that call their changed bodies.
func (b *batch) rewritten(path, source string, changes []int) string {
	var edits []insertion
	bodies := map[*function]string{}
	for _, k := range changes {
		p := b.places[k]
		if p.in == nil {
			return source[:p.start] + p.after + source[p.end:]
		}
		bodies[p.in] += p.changed(k, source)
	}
	for fn, text := range bodies {
		edits = append(edits, fn.naming...)
		edits = append(edits, insertion{fn.open, 0, fmt.Sprintf("%s//line %s:%d\n", text, path, fn.line)})
	}
	slices.SortFunc(edits, func(a, b insertion) int { return a.at - b.at })
	var out strings.Builder
	at := 0
	for _, e := range edits {
		out.WriteString(source[at:e.at] + e.text)
		at = e.at + e.cut
	}
	return out.String() + source[at:]
}
