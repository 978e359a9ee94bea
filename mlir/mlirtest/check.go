package mlirtest

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/go-acap/acap/mlir"
)

// Passes runs the pipeline that the first RUN line of a file names and checks the
// text. Run gets the names and the module.
func Passes(t *testing.T, path string, run func(names string, module *mlir.Operation) error) {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	module, err := mlir.Parse(path, src)
	if err != nil {
		t.Fatal(err)
	}
	names := RunLines(string(src))
	if len(names) == 0 {
		t.Fatalf("%s has no RUN line", path)
	}
	if err := run(names[0], module); err != nil {
		t.Fatal(err)
	}
	Check(t, module.Text(mlir.PrintOptions{Pretty: true}), string(src))
}

// RunLines returns what stands behind "// RUN:" in a file.
func RunLines(src string) []string {
	var lines []string
	for _, line := range strings.Split(src, "\n") {
		if run, ok := strings.CutPrefix(strings.TrimSpace(line), "// RUN:"); ok {
			lines = append(lines, strings.TrimSpace(run))
		}
	}
	return lines
}

// Check compares a text with the CHECK lines of a script.
func Check(t testing.TB, text, script string) {
	t.Helper()
	if err := Compare(text, script); err != nil {
		t.Errorf("%v in:\n%s", err, text)
	}
}

// checker is the state of a comparison.
type checker struct {
	text      string
	at        int // behind the last match
	not       []directive
	variables map[string]string
}

// directive is a line of a script.
type directive struct{ kind, want string }

// Compare reports the first CHECK line of a script that the text does not meet. The report is an error; a script
// without a CHECK line is an error as well.
func Compare(text, script string) error {
	c := &checker{text: text, variables: map[string]string{}}
	found := 0
	for _, line := range strings.Split(script, "\n") {
		d, ok := parseCheck(line)
		if !ok {
			continue
		}
		found++
		if d.kind == "NOT" {
			c.not = append(c.not, d)
			continue
		}
		if err := c.match(d); err != nil {
			return err
		}
	}
	if found == 0 {
		return fmt.Errorf("the file has no CHECK line")
	}
	return c.absent(len(text))
}

func parseCheck(line string) (directive, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), "// CHECK")
	if !ok {
		return directive{}, false
	}
	kind, want, ok := strings.Cut(rest, ":")
	return directive{strings.TrimPrefix(kind, "-"), strings.TrimSpace(want)}, ok
}

func (c *checker) match(d directive) error {
	if d.kind == "LABEL" {
		c.variables = map[string]string{}
	}
	re, names, err := c.pattern(d.want)
	if err != nil {
		return err
	}
	from, until := c.window(d.kind)
	m := re.FindStringSubmatchIndex(c.text[from:until])
	if m == nil {
		return fmt.Errorf("line %d on: no %q", 1+strings.Count(c.text[:from], "\n"), d.want)
	}
	if err := c.absent(from + m[0]); err != nil {
		return err
	}
	for i, name := range names {
		c.variables[name] = c.text[from+m[2*i+2] : from+m[2*i+3]]
	}
	c.at = from + m[1]
	return nil
}

// window is where a directive of a kind may match.
func (c *checker) window(kind string) (from, until int) {
	lineEnd := func(pos int) int {
		if i := strings.IndexByte(c.text[pos:], '\n'); i >= 0 {
			return pos + i
		}
		return len(c.text)
	}
	switch kind {
	case "SAME":
		return c.at, lineEnd(c.at)
	case "NEXT":
		from = min(lineEnd(c.at)+1, len(c.text))
		return from, lineEnd(from)
	}
	return c.at, len(c.text)
}

// absent checks that what must not occur does not, up to a position.
func (c *checker) absent(end int) error {
	for _, d := range c.not {
		re, _, err := c.pattern(d.want)
		if err != nil {
			return err
		}
		if m := re.FindString(c.text[c.at:end]); m != "" {
			return fmt.Errorf("%q should not occur behind line %d", d.want, strings.Count(c.text[:c.at], "\n"))
		}
	}
	c.not = nil
	return nil
}

// special is {{a regular expression}}, [[NAME:a regular expression]] or [[NAME]].
var special = regexp.MustCompile(`\{\{(.*?)\}\}|\[\[([A-Za-z_][A-Za-z0-9_]*)(:(?:[^\]]|\][^\]])*\]?)?\]\]`)

// pattern turns the text of a directive into a regular expression. It returns the
// names of the variables that the groups define.
func (c *checker) pattern(want string) (*regexp.Regexp, []string, error) {
	var b strings.Builder
	var names []string
	literal := func(text string) {
		for i, field := range strings.Split(text, " ") {
			if i > 0 {
				b.WriteString(`[ \t]+`)
			}
			b.WriteString(regexp.QuoteMeta(field))
		}
	}
	last := 0
	for _, m := range special.FindAllStringSubmatchIndex(want, -1) {
		literal(want[last:m[0]])
		last = m[1]
		switch {
		case m[2] >= 0:
			b.WriteString("(?:" + want[m[2]:m[3]] + ")")
		case m[6] >= 0:
			names = append(names, want[m[4]:m[5]])
			b.WriteString("(" + want[m[6]+1:m[7]] + ")")
		default:
			value, ok := c.variables[want[m[4]:m[5]]]
			if !ok {
				return nil, nil, fmt.Errorf("%q uses a variable that nothing defines", want)
			}
			literal(value)
		}
	}
	literal(want[last:])
	re, err := regexp.Compile(b.String())
	return re, names, err
}
