package report

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// node is an operation, an argument or the end of a function in its graph.
type node struct {
	label, kind string // the operation, and what it makes
	level, lane int
	from        []int
}

// graphOf returns the nodes of a function's blocks, each behind what it uses; values
// that regions capture count as used by the operation with the regions.
func graphOf(f *mlir.Operation) []node {
	var nodes []node
	made := map[*mlir.Value]int{}
	lanes := map[int]int{}
	add := func(label, kind string, uses, makes []*mlir.Value) {
		n := node{label: label, kind: kind}
		for _, v := range uses {
			if i, ok := made[v]; ok {
				n.from = append(n.from, i)
				n.level = max(n.level, nodes[i].level+1)
			}
		}
		n.lane = lanes[n.level]
		lanes[n.level]++
		for _, v := range makes {
			made[v] = len(nodes)
		}
		nodes = append(nodes, n)
	}
	for _, r := range f.Regions {
		for _, b := range r.Blocks {
			for i, v := range b.Args {
				add(fmt.Sprintf("argument %d", i), v.Type.String(), nil, []*mlir.Value{v})
			}
			for _, op := range b.Ops {
				kind := ""
				if len(op.Results) > 0 {
					kind = op.Results[0].Type.String()
				}
				add(op.Name, kind, op.Captured(), op.Results)
			}
		}
	}
	return nodes
}

// WriteDOT writes the graph of each function in the language of Graphviz. An error is one of w.
func WriteDOT(w io.Writer, module *mlir.Operation) error {
	var b strings.Builder
	b.WriteString("digraph module {\n  node [shape=box, fontname=monospace];\n")
	for k, f := range module.Funcs() {
		fmt.Fprintf(&b, "  subgraph cluster_%d {\n    label=%q;\n", k, f.Symbol())
		for i, n := range graphOf(f) {
			fmt.Fprintf(&b, "    f%dn%d [label=%q];\n", k, i, n.label+"\n"+n.kind)
			for _, from := range n.from {
				fmt.Fprintf(&b, "    f%dn%d -> f%dn%d;\n", k, from, k, i)
			}
		}
		b.WriteString("  }\n")
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// The extents of a box and the distances between boxes, in pixels.
const (
	boxWidth, boxHeight = 240, 40
	boxAcross, boxDown  = 264, 76
	margin              = 24
)

// WriteSVG draws the graph of each function, with the user of a value below its maker. An error is one of w.
func WriteSVG(w io.Writer, module *mlir.Operation) error {
	var b strings.Builder
	top, width := margin, 0
	for _, f := range module.Funcs() {
		fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">@%s</text>\n", margin, top, html.EscapeString(f.Symbol()))
		nodes := graphOf(f)
		place := func(n node) (x, y int) { return margin + n.lane*boxAcross, top + 16 + n.level*boxDown }
		bottom := top
		for _, n := range nodes {
			x, y := place(n)
			for _, from := range n.from {
				fx, fy := place(nodes[from])
				fmt.Fprintf(&b, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#888\"/>\n",
					fx+boxWidth/2, fy+boxHeight, x+boxWidth/2, y)
			}
			bottom, width = max(bottom, y+boxHeight), max(width, x+boxWidth)
		}
		for _, n := range nodes {
			x, y := place(n)
			fmt.Fprintf(&b, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#eef\" stroke=\"#447\"/>\n", x, y, boxWidth, boxHeight)
			for i, text := range []string{n.label, n.kind} {
				fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\">%s</text>\n", x+6, y+16+16*i, html.EscapeString(clipped(text)))
			}
		}
		top = bottom + 2*margin
	}
	_, err := fmt.Fprintf(w, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"monospace\" font-size=\"12\">\n%s</svg>\n",
		width+margin, top, b.String())
	return err
}

// clipped shortens a text to the width of a box.
func clipped(text string) string {
	const most = 31
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
