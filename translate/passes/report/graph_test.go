package report_test

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/passes/report"
)

const drawn = `func.func @first(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %a = "aten.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "aten.mul.Tensor"(%a, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %g = tensor.generate {
  ^bb0(%i: index):
    %v = tensor.extract %b[%n] : tensor<4xf32>
    tensor.yield %v : f32
  } : tensor<4xf32>
  return %g : tensor<4xf32>
}
func.func @second(%an_argument: tensor<1x2x3x4x5x6x7x8xf32>) -> tensor<1x2x3x4x5x6x7x8xf32> {
  return %an_argument : tensor<1x2x3x4x5x6x7x8xf32>
}`

// TestDOT: a node for each argument and operation, with its name and what it makes, and an edge from each to what
// uses it, in regions too.
func TestDOT(t *testing.T) {
	module, err := mlir.Parse("drawn.mlir", []byte(drawn))
	require.NoError(t, err)
	var b strings.Builder
	require.NoError(t, report.WriteDOT(&b, module))
	text := b.String()
	var nodes, edges []string
	for _, line := range strings.Split(text, "\n") {
		line = strings.Trim(line, " ;")
		switch {
		case strings.Contains(line, "->"):
			edges = append(edges, line)
		case strings.HasPrefix(line, "f"):
			nodes = append(nodes, line)
		}
	}
	require.Equal(t, []string{`f0n0 [label="argument 0\ntensor<4xf32>"]`, `f0n1 [label="argument 1\nindex"]`,
		`f0n2 [label="aten.neg\ntensor<4xf32>"]`, `f0n3 [label="aten.mul.Tensor\ntensor<4xf32>"]`,
		`f0n4 [label="tensor.generate\ntensor<4xf32>"]`, `f0n5 [label="func.return\n"]`,
		`f1n0 [label="argument 0\ntensor<1x2x3x4x5x6x7x8xf32>"]`, `f1n1 [label="func.return\n"]`}, nodes)
	require.ElementsMatch(t, []string{"f0n0 -> f0n2", "f0n2 -> f0n3", "f0n0 -> f0n3", "f0n3 -> f0n4", "f0n1 -> f0n4",
		"f0n4 -> f0n5", "f1n0 -> f1n1"}, edges)
	require.Contains(t, text, `label="first"`)
	require.Contains(t, text, `label="second"`)
	require.Equal(t, strings.Count(text, "{"), strings.Count(text, "}"))
}

// box is a rectangle of a drawing.
type box struct {
	X, Y, Width, Height int
	text                []string
}

// TestSVG reads the drawing: boxes do not overlap, lines go down from the bottom of one box to the top of another,
// every text is within its box, and all of it within the picture.
func TestSVG(t *testing.T) {
	module, err := mlir.Parse("drawn.mlir", []byte(drawn))
	require.NoError(t, err)
	var b strings.Builder
	require.NoError(t, report.WriteSVG(&b, module))
	var boxes []*box
	var lines [][4]int
	var width, height int
	var titles []string
	text := ""
	at := [2]int{}
	d := xml.NewDecoder(strings.NewReader(b.String()))
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		number := func(e xml.StartElement, name string) (n int) {
			for _, a := range e.Attr {
				if a.Name.Local == name {
					_, err := fmt.Sscan(a.Value, &n)
					require.NoError(t, err)
				}
			}
			return n
		}
		switch e := token.(type) {
		case xml.StartElement:
			text = ""
			switch e.Name.Local {
			case "svg":
				width, height = number(e, "width"), number(e, "height")
			case "rect":
				boxes = append(boxes, &box{number(e, "x"), number(e, "y"), number(e, "width"), number(e, "height"), nil})
			case "line":
				lines = append(lines, [4]int{number(e, "x1"), number(e, "y1"), number(e, "x2"), number(e, "y2")})
			case "text":
				at = [2]int{number(e, "x"), number(e, "y")}
			}
		case xml.CharData:
			text += string(e)
		case xml.EndElement:
			if e.Name.Local != "text" {
				break
			}
			if strings.HasPrefix(text, "@") {
				titles = append(titles, text)
				break
			}
			last := boxes[len(boxes)-1]
			last.text = append(last.text, text)
			require.True(t, last.X < at[0] && last.Y < at[1] && at[1] < last.Y+last.Height, "%s at %v of %v", text, at, last)
			require.LessOrEqual(t, len([]rune(text)), 31)
		}
	}
	require.Equal(t, []string{"@first", "@second"}, titles)
	require.Len(t, boxes, 8)
	require.Equal(t, []string{"argument 0", "tensor<4xf32>"}, boxes[0].text)
	require.Equal(t, []string{"aten.mul.Tensor", "tensor<4xf32>"}, boxes[3].text)
	require.Equal(t, "tensor<1x2x3x4x5x6x7x8xf32>", boxes[6].text[1])
	for i, x := range boxes {
		require.True(t, x.X >= 0 && x.Y >= 0 && x.X+x.Width <= width && x.Y+x.Height <= height)
		for _, y := range boxes[:i] {
			require.True(t, x.X+x.Width <= y.X || y.X+y.Width <= x.X || x.Y+x.Height <= y.Y || y.Y+y.Height <= x.Y, "%v over %v", x, y)
		}
	}
	require.Len(t, lines, 7)
	for _, l := range lines {
		require.Greater(t, l[3], l[1], "down")
		var from, to bool
		for _, x := range boxes {
			from = from || l[1] == x.Y+x.Height && l[0] == x.X+x.Width/2
			to = to || l[3] == x.Y && l[2] == x.X+x.Width/2
		}
		require.True(t, from && to, "%v", l)
	}
}

// TestClipped: a text that is longer than its box ends in three dots.
func TestClipped(t *testing.T) {
	for _, c := range []struct {
		dims, want string
	}{{"1x2x3x4x5x6x7x8x90", "tensor<1x2x3x4x5x6x7x8x90xf32>"}, {"1x2x3x4x5x6x7x8x900", "tensor<1x2x3x4x5x6x7x8x900xf32>"},
		{"1x2x3x4x5x6x7x8x9000", "tensor<1x2x3x4x5x6x7x8x9000xf3…"}} {
		module, err := mlir.Parse("one.mlir", []byte("func.func @main(%x: tensor<"+c.dims+"xf32>) {\nreturn\n}"))
		require.NoError(t, err)
		var b strings.Builder
		require.NoError(t, report.WriteSVG(&b, module))
		require.Contains(t, b.String(), ">"+strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(c.want)+"<")
	}
}
