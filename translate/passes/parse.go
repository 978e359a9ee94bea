package passes

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/ops"
)

// Parse makes a pipeline of its text: names separated by commas, options in braces, and
// operations with what runs on each of them:
//
//	canonicalize{max-iterations=5},cse
//	builtin.module(inline,func.func(canonicalize,cse))
//
// A named pipeline stands for its text. Spaces do not count, and no names make an empty
// pipeline. An unknown name or option is an error with its position in the text.
func Parse(text string) (*Pipeline, error) {
	r := &pipelineReader{text: text}
	steps, err := r.all(onModule, 0)
	if err != nil {
		return nil, err
	}
	if len(steps) == 1 && steps[0].Anchor == onModule && steps[0].Steps != nil {
		steps = steps[0].Steps // the module itself
	}
	return &Pipeline{Steps: steps}, nil
}

// marks end a name in a pipeline's text.
const marks = ",(){}"

// maxPipelineDepth bounds how deep operations nest in a pipeline's text.
const maxPipelineDepth = 16

type pipelineReader struct {
	text string
	pos  int
}

func (r *pipelineReader) errorf(format string, args ...any) error {
	return fmt.Errorf("passes: pipeline %q, column %d: %s", r.text, r.pos+1, fmt.Sprintf(format, args...))
}

func (r *pipelineReader) skip() {
	for r.pos < len(r.text) && strings.IndexByte(" \t\n", r.text[r.pos]) >= 0 {
		r.pos++
	}
}

func (r *pipelineReader) accept(c byte) bool {
	r.skip()
	if r.pos < len(r.text) && r.text[r.pos] == c {
		r.pos++
		return true
	}
	return false
}

// until reads up to one of some bytes.
func (r *pipelineReader) until(stops string) string {
	r.skip()
	n := strings.IndexAny(r.text[r.pos:], stops)
	if n < 0 {
		n = len(r.text) - r.pos
	}
	word := strings.TrimSpace(r.text[r.pos : r.pos+n])
	r.pos += n
	return word
}

// all reads the whole text.
func (r *pipelineReader) all(anchor string, depth int) ([]Step, error) {
	steps, err := r.list(anchor, depth)
	if err == nil && r.pos < len(r.text) {
		err = r.errorf("unexpected %q", r.text[r.pos:r.pos+1])
	}
	return steps, err
}

// list reads steps that run on the given operation, up to the end or a closing bracket.
func (r *pipelineReader) list(anchor string, depth int) ([]Step, error) {
	if depth > maxPipelineDepth {
		return nil, r.errorf("nested more than %d levels deep", maxPipelineDepth)
	}
	steps := []Step{}
	for {
		if r.skip(); r.pos == len(r.text) || r.text[r.pos] == ')' {
			return steps, nil
		}
		if name := r.until(marks); name != "" {
			more, err := r.step(name, anchor, depth)
			if err != nil {
				return nil, err
			}
			steps = append(steps, more...)
		}
		if !r.accept(',') {
			return steps, nil
		}
	}
}

// step reads what follows a name.
func (r *pipelineReader) step(name, anchor string, depth int) ([]Step, error) {
	if r.accept('(') {
		if !strings.Contains(name, ".") {
			return nil, r.errorf("%q is no operation; those have a dialect, such as func.func", name)
		}
		inner, err := r.list(name, depth+1)
		if err == nil && !r.accept(')') {
			err = r.errorf("no ')'")
		}
		return []Step{{Anchor: name, Steps: inner}}, err
	}
	options := ""
	if r.accept('{') {
		options = r.until("}")
		if !r.accept('}') {
			return nil, r.errorf("no '}'")
		}
	}
	for _, n := range pipelines {
		if n.Name == name {
			if options != "" {
				return nil, r.errorf("pipeline %s has no options", name)
			}
			return (&pipelineReader{text: n.Text}).all(anchor, depth+1)
		}
	}
	p, ok := Lookup(name)
	if !ok {
		return nil, unknownPass(name)
	}
	if p.Anchor != "" && p.Anchor != anchor {
		return nil, fmt.Errorf("passes: pass %s runs on %s, and not on %s", name, p.Anchor, anchor)
	}
	p, err := p.configured(options)
	return []Step{{Pass: p}}, err
}

// unknownPass is the error of a name that is no pass and no pipeline.
func unknownPass(name string) error {
	var list []string
	for _, p := range table {
		list = append(list, p.Name)
	}
	for _, n := range pipelines {
		list = append(list, n.Name)
	}
	if near := ops.Nearest(name, list); near != "" {
		return fmt.Errorf("passes: unknown pass %q; did you mean %s?", name, near)
	}
	return fmt.Errorf("passes: unknown pass %q; there are %s", name, strings.Join(list, ", "))
}
