package lazy

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Coloured text is the text: without its marks nothing is missing, and nothing of it is markup.
func TestColoredMLIR(t *testing.T) {
	text := MLIR("module { // <script>\n  %0 = \"aten.add\"(%arg0) {a = \"\\\"<b>&\"} : (tensor<1x2x!q<i8>>) -> tensor<1xf32> // 1.5\n  func.func @f }\n")
	r := text.SimpleRender()
	require.Equal(t, string(text), r["text/plain"])
	page := strings.TrimPrefix(r["text/html"].(string), wordStyles)
	tags := regexp.MustCompile(`</?(?:i|b|pre)(?: class="[^"]*")?>`)
	require.Equal(t, string(text), html.UnescapeString(tags.ReplaceAllString(page, "")))
	for _, want := range []string{`<b>func.func</b>`, `<i class="w3">%0</i>`, `<i class="w4">tensor&lt;1xf32&gt;</i>`, `<i class="w1">// &lt;script&gt;</i>`} {
		require.Contains(t, page, want)
	}
}
