package tokenizer

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// reference reads behind a backslash what refers to a group: its number, or k with a number or a name. It returns nil
// if nothing does.
func (c *compiler) reference() (*node, error) {
	digits := len(c.text[c.at:]) - len(strings.TrimLeft(c.text[c.at:], "0123456789"))
	name := c.text[c.at : c.at+digits]
	switch {
	case digits > 0 && name[0] != '0':
		c.at += digits
		if len(c.names) > 0 {
			return nil, errors.New("groups have names and are referred to by number")
		}
	case c.has("k<"), c.has("k'"):
		end := strings.IndexAny(c.text[c.at:], ">'")
		if end < 0 {
			return nil, errors.New("a reference to a group does not end")
		}
		name = c.text[c.at : c.at+end]
		c.at += end + 1
	default:
		return nil, nil
	}
	number, known := c.names[name]
	if !known {
		var err error
		if number, err = strconv.Atoi(name); err != nil || number < 1 {
			return nil, fmt.Errorf("there is no group %q to refer to", name)
		}
	}
	n := &node{kind: nodeAgain, group: number, negative: c.ignore}
	c.references = append(c.references, n)
	return n, nil
}

// refer gives marks to the groups that are referred to.
func (c *compiler) refer(p *pattern) error {
	for _, n := range c.references {
		if n.group > c.groups {
			return fmt.Errorf("there is no group %d to refer to", n.group)
		}
		if p.groups[n.group] == 0 {
			p.groups[n.group] = p.marks + 1
			p.marks += 2
		}
	}
	return nil
}
