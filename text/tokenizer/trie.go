package tokenizer

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// trie finds the tokens that a text begins with. The children of a node lie behind each other.
type trie struct {
	nodes  []trieNode
	tables [][256]int32 // the nodes behind a node with many children for a byte, or 0
}

type trieNode struct {
	first int32 // child
	count uint16
	label byte
	id    int32 // of the token that ends here, or -1
	table int32 // number of the table of the children; 0 for few children, but of the first node
}

// fewChildren is how many children of a node are searched without a table.
const fewChildren = 8

func newTrie(v *vocabulary) *trie {
	type key struct {
		text string
		id   int32
	}
	keys := make([]key, 0, len(v.ids))
	for text, id := range v.ids {
		keys = append(keys, key{text, id})
	}
	slices.SortFunc(keys, func(a, b key) int { return strings.Compare(a.text, b.text) })
	t := &trie{nodes: []trieNode{{id: -1}}}
	type part struct {
		node   int32
		lo, hi int
		depth  int
	}
	list := []part{{0, 0, len(keys), 0}}
	for len(list) > 0 {
		p := list[0]
		list = list[1:]
		lo := p.lo
		if lo < p.hi && len(keys[lo].text) == p.depth {
			t.nodes[p.node].id = keys[lo].id
			lo++
		}
		t.nodes[p.node].first = int32(len(t.nodes))
		for lo < p.hi {
			label, end := keys[lo].text[p.depth], lo+1
			for end < p.hi && keys[end].text[p.depth] == label {
				end++
			}
			t.nodes = append(t.nodes, trieNode{label: label, id: -1})
			t.nodes[p.node].count++
			list = append(list, part{int32(len(t.nodes) - 1), lo, end, p.depth + 1})
			lo = end
		}
	}
	t.tables = make([][256]int32, 1)
	for i := range t.nodes {
		n := &t.nodes[i]
		if i > 0 && n.count <= fewChildren {
			continue
		}
		n.table = int32(len(t.tables))
		t.tables = append(t.tables, [256]int32{})
		for child := n.first; child < n.first+int32(n.count); child++ {
			t.tables[n.table][t.nodes[child].label] = child
		}
	}
	return t
}

// child is the node behind another for a byte; 0 if there is none.
func (t *trie) child(node int32, label byte) int32 {
	n := &t.nodes[node]
	if n.table > 0 {
		return t.tables[n.table][label]
	}
	for i, c := range t.nodes[n.first : n.first+int32(n.count)] {
		if c.label == label {
			return n.first + int32(i)
		}
	}
	return 0
}

// node returns the node of a text, 0 for the empty text, and -1 if no token begins with the text.
func (t *trie) node(text string) (node int32) {
	for i := range len(text) {
		if node = t.child(node, text[i]); node == 0 {
			return -1
		}
	}
	return node
}

// longest returns the longest token that goes on behind a node with characters of a text, and how many bytes of the
// text are in the token. The number is -1 if there is none.
func (t *trie) longest(node int32, text string) (length int, id int32) {
	id = -1
	if node < 0 {
		return 0, -1
	}
	for i := range len(text) {
		if node = t.child(node, text[i]); node == 0 {
			break
		}
		if n := t.nodes[node].id; n >= 0 && (i+1 == len(text) || utf8.RuneStart(text[i+1])) {
			length, id = i+1, n
		}
	}
	return length, id
}

// prefixes calls f for each token that a text begins with, the shortest first.
func (t *trie) prefixes(text string, f func(length int, id int32)) {
	node := int32(0)
	for i := range len(text) {
		if node = t.child(node, text[i]); node == 0 {
			return
		}
		if id := t.nodes[node].id; id >= 0 {
			f(i+1, id)
		}
	}
}
