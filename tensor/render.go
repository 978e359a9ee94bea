package tensor

import (
	"fmt"
	"html"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
)

// renderLimit is the number of rows and of columns that a table shows.
const renderLimit = 20

// SimpleRender implements the display protocol of Go notebook kernels: the text
// of [Tensor.String] and an HTML table.
func (t *Tensor) SimpleRender() map[string]any {
	return map[string]any{"text/plain": t.String(), "text/html": t.table()}
}

// table shows the last two dimensions of the first matrix.
func (t *Tensor) table() string {
	b := t.mustBuffer()
	rows, cols := 1, 1
	if n := len(b.Shape); n > 0 {
		cols = b.Shape[n-1]
		if n > 1 {
			rows = b.Shape[n-2]
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, "<div><code>%v%s on %s</code><table>", t.DType(),
		shape.String(b.Shape), html.EscapeString(t.Device().Name()))
	if b.Len() > 0 {
		writeRows(&out, b, rows, cols)
	}
	out.WriteString("</table></div>")
	return out.String()
}

func writeRows(out *strings.Builder, b *buf.Buffer, rows, cols int) {
	for i := range min(rows, renderLimit) {
		out.WriteString("<tr>")
		for j := range min(cols, renderLimit) {
			fmt.Fprintf(out, "<td>%.4g</td>", b.Float64(i*cols+j))
		}
		if cols > renderLimit {
			out.WriteString("<td>…</td>")
		}
		out.WriteString("</tr>")
	}
	if rows > renderLimit {
		out.WriteString("<tr><td>…</td></tr>")
	}
}
