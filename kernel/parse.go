package kernel

import (
	"fmt"
	"strconv"
	"strings"
)

// maxText bounds what Parse reads.
const maxText = 16 << 20

// Parse reads the text form of one kernel. It checks the grammar alone; see
// [Verify] for the meaning. Errors start with the line number.
func Parse(text string) (Kernel, error) {
	list, err := ParseAll(text)
	if err != nil {
		return nil, err
	}
	if len(list) != 1 {
		return nil, fmt.Errorf("kernel: want one kernel, have %d", len(list))
	}
	return list[0], nil
}

// ParseAll is [Parse], with its errors, for the text of any number of kernels, one after the other.
func ParseAll(text string) ([]Kernel, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("kernel: text of %d bytes is too long", len(text))
	}
	root, err := items(text)
	if err != nil {
		return nil, err
	}
	list := make([]Kernel, len(root))
	for i, it := range root {
		d := decoder{}
		list[i] = d.kernel(it)
		d.unread(it)
		if d.err != nil {
			return nil, d.err
		}
	}
	return list, nil
}

// item is one line of the text form with the block that it opens.
type item struct {
	line  int
	words []string
	attrs map[string]string
	read  map[string]bool // of these
	block []*item
	open  bool
	taken bool // by a field
}

// attr returns an attribute, "" if there is none, and notes that the attribute has been read.
func (i *item) attr(key string) string {
	i.read[key] = true
	return i.attrs[key]
}

func (i *item) word() string {
	if len(i.words) == 0 {
		return ""
	}
	return i.words[0]
}

// items splits the text into a tree of lines.
func items(text string) ([]*item, error) {
	root := &item{}
	stack := []*item{root}
	for n, line := range strings.Split(text, "\n") {
		fields, err := split(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		if len(fields) == 0 {
			continue
		}
		top := stack[len(stack)-1]
		if fields[0] == "}" {
			if len(fields) > 1 || len(stack) == 1 {
				return nil, fmt.Errorf("line %d: unexpected }", n+1)
			}
			stack = stack[:len(stack)-1]
			continue
		}
		it := &item{line: n + 1, attrs: make(map[string]string), read: make(map[string]bool)}
		if last := len(fields) - 1; fields[last] == "{" {
			fields, it.open = fields[:last], true
			if len(stack) > 3 {
				return nil, fmt.Errorf("line %d: blocks too deep", n+1)
			}
			stack = append(stack, it)
		}
		for _, f := range fields {
			key, value, ok := strings.Cut(f, "=")
			if !ok || key == "" || f[0] == '"' {
				it.words = append(it.words, f)
			} else if _, twice := it.attrs[key]; twice {
				return nil, fmt.Errorf("line %d: %s given twice", n+1, key)
			} else {
				it.attrs[key] = value
			}
		}
		top.block = append(top.block, it)
	}
	if len(stack) > 1 {
		return nil, fmt.Errorf("line %d: block is not closed", stack[len(stack)-1].line)
	}
	return root.block, nil
}

// split cuts a line at spaces; a quoted string is one field, // starts a comment.
func split(line string) ([]string, error) {
	var fields []string
	for {
		line = strings.TrimLeft(line, " \t\r")
		if line == "" || strings.HasPrefix(line, "//") {
			return fields, nil
		}
		end := strings.IndexAny(line, " \t\r")
		if line[0] == '"' {
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				return nil, fmt.Errorf("string is not closed")
			}
			end = len(quoted)
		}
		if end < 0 {
			end = len(line)
		}
		fields = append(fields, line[:end])
		line = line[end:]
	}
}
