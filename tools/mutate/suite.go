package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// suite is a compiled test package with what its tests reach.
type suite struct {
	path, dir, binary string
	tests             []test
}

type test struct {
	name    string
	took    time.Duration
	reaches map[int]bool // changes whose functions it calls
}

// compile compiles the tests of a package with the changes of a batch.
func (b *batch) compile(path string, number int) (*suite, error) {
	s := &suite{path: path, binary: filepath.Join(b.dir, fmt.Sprintf("%d.test", number))}
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", path).Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", path, err)
	}
	s.dir = strings.TrimSpace(string(dir))
	out, err := exec.Command("go", "test", "-c", "-vet=off", "-overlay", b.overlay, "-o", s.binary, path).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("the tests of %s do not compile: %s", path, out)
	}
	if _, err := os.Stat(s.binary); err != nil {
		s.binary = "" // it has no tests
	}
	return s, nil
}

// run runs tests of the suite until one fails; it returns their output and an error then. No process
// that they started goes on after it.
func (s *suite) run(ctx context.Context, m *mutation, timeout time.Duration, pattern string, env ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout+10*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, s.binary, append([]string{"-test.failfast", "-test.v", "-test.run", pattern,
		"-test.timeout", timeout.String()}, m.testFlags()...)...)
	c.Dir, c.Env, c.WaitDelay = s.dir, append(os.Environ(), env...), time.Second
	out := &untilFailure{stop: cancel}
	c.Stdout, c.Stderr = out, out
	err := runGroup(c)
	return out.text.String(), err
}

// untilFailure is the output of tests, which stops them at the first failure: failfast lets parallel ones go on.
// Only its Write is known to who writes: a copy into the buffer itself would not look for failures.
type untilFailure struct {
	text bytes.Buffer
	stop func()
}

func (o *untilFailure) Write(b []byte) (int, error) {
	seen := max(0, o.text.Len()-len(failure))
	n, err := o.text.Write(b)
	if bytes.Contains(o.text.Bytes()[seen:], []byte(failure)) {
		o.stop()
	}
	return n, err
}

// failure starts what go test says of a test that failed.
const failure = "--- FAIL: "

// measure runs each test once without a change: what fails then is left out, with a word about it.
func (s *suite) measure(ctx context.Context, m *mutation, notes string) error {
	if s.binary == "" {
		return nil
	}
	c := exec.Command(s.binary, "-test.list", ".")
	c.Dir = s.dir
	out, err := c.Output()
	if err != nil {
		return fmt.Errorf("the tests of %s cannot be listed: %w", s.path, err)
	}
	names := strings.Fields(string(out))
	found := make([]*test, len(names))
	m.each(len(names), func(i int) {
		if strings.HasPrefix(names[i], "Benchmark") {
			return
		}
		file := filepath.Join(notes, fmt.Sprintf("%s.%d", filepath.Base(s.binary), i))
		start := time.Now()
		if out, err := s.run(ctx, m, m.timeout, "^"+names[i]+"$", "MUTATE_NOTES="+file); ctx.Err() != nil {
			return
		} else if err != nil {
			fmt.Fprintf(os.Stderr, "mutate: %s of %s fails without a change and is left out: %v\n%s", names[i], s.path, err, out)
			return
		}
		t := &test{name: names[i], took: time.Since(start), reaches: map[int]bool{}}
		text, _ := os.ReadFile(file) // there is none if nothing was reached
		for _, line := range strings.Fields(string(text)) {
			k, _ := strconv.Atoi(line)
			t.reaches[k] = true
		}
		found[i] = t
	})
	for _, t := range found {
		if t != nil {
			s.tests = append(s.tests, *t)
		}
	}
	return nil
}

// notice runs the tests that reach change k with the change in place, and names a test that fails, or nothing.
func (s *suite) notice(ctx context.Context, m *mutation, k int) string {
	var names []string
	took := time.Duration(0)
	for _, t := range s.tests {
		if t.reaches[k] {
			names, took = append(names, t.name), took+t.took
		}
	}
	if len(names) == 0 {
		return ""
	}
	timeout := min(m.timeout, 20*time.Second+10*took)
	out, err := s.run(ctx, m, timeout, "^("+strings.Join(names, "|")+")$", "MUTATE_CHANGE="+strconv.Itoa(k))
	if err == nil {
		return ""
	}
	if out == "" || strings.Contains(out, "panic: test timed out") {
		return "timeout"
	}
	return failed(out, s.path)
}

// each calls f for the numbers below n, several at once.
func (m *mutation) each(n int, f func(i int)) {
	var wait sync.WaitGroup
	gate := make(chan bool, max(m.parallel, 1))
	for i := range n {
		gate <- true
		wait.Go(func() {
			f(i)
			<-gate
		})
	}
	wait.Wait()
}
