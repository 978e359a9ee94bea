package explorer

import (
	"bufio"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"sync"

	"github.com/go-acap/acap/base/parallel"
)

//go:embed assets
var assets embed.FS

// scripts are the parts of the page's program, in order. The first is a comment, the licence of the second, which every
// copy of it has to have.
var scripts = []string{"dagre/dagre.min.js.LEGAL.txt", "dagre/dagre.min.js", "page.js", "layers.js", "graph.js", "code.js",
	"kernels.js", "array.js", "timeline.js", "charts.js", "whatif.js", "compare.js", "start.js"}

func asset(name string) string {
	text, err := fs.ReadFile(assets, "assets/"+name)
	if err != nil {
		panic("BUG: explorer: " + err.Error())
	}
	s, _, _ := strings.Cut(string(text), "//# sourceMappingURL")
	return s
}

// WritePage writes the page with all its parts as one HTML file. A part that cannot be made
// is there with its error.
func (e *Explorer) WritePage(ctx context.Context, w io.Writer) error {
	return e.write(ctx, w, e.Parts())
}

// write writes the page with some of its parts.
func (e *Explorer) write(ctx context.Context, w io.Writer, parts []string) error {
	b := bufio.NewWriter(w)
	head, tail, _ := strings.Cut(asset("page.html"), "{{parts}}")
	// One pass: what a name or a style has in it stands for nothing.
	_, _ = strings.NewReplacer("{{title}}", html.EscapeString(e.program.Name), "{{style}}", asset("style.css")).WriteString(b, head)
	var wait sync.WaitGroup
	defer wait.Wait()
	for i, name := range parts {
		if e.OnPart != nil && len(parts) > 1 {
			e.OnPart(name, i+1, len(parts))
		}
		text, err := e.partText(ctx, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "<script type=\"application/json\" data-part=\"%s\">%s</script>\n", html.EscapeString(name), text)
		if name == "measured" { // which wants the processors for itself
			wait.Go(func() { e.ahead(ctx, parts[i+1:]) })
		}
	}
	head, tail, _ = strings.Cut(tail, "{{scripts}}")
	b.WriteString(head)
	for _, name := range scripts {
		fmt.Fprintf(b, "<script>\n%s\n</script>\n", asset(name))
	}
	b.WriteString(tail)
	return b.Flush()
}

// ahead makes parts beside each other.
func (e *Explorer) ahead(ctx context.Context, parts []string) {
	parallel.For(len(parts), func(i int) {
		if ctx.Err() == nil {
			_, _ = e.Part(ctx, parts[i]) // the page has its error
		}
	})
}

// partText is a part as JSON, or its error as {"error": …}; the characters of HTML are escaped.
func (e *Explorer) partText(ctx context.Context, name string) ([]byte, error) {
	value, err := e.Part(ctx, name)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil {
		var text []byte
		if text, err = json.Marshal(value); err == nil {
			return text, nil
		}
	}
	return json.Marshal(map[string]string{"error": err.Error()})
}

// ServeHTTP serves the page at /, its parts at /part/NAME, and the page with all parts, to be
// kept, at /saved.html.
func (e *Explorer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		http.Error(w, "the page is only read", http.StatusMethodNotAllowed)
		return
	}
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Content-Type", "text/html; charset=utf-8")
	name, isPart := strings.CutPrefix(r.URL.Path, "/part/")
	var err error
	switch {
	case isPart:
		e.servePart(w, r, name)
	case r.URL.Path == "/":
		err = e.write(r.Context(), w, []string{"model"})
	case r.URL.Path == "/saved.html":
		header.Set("Content-Disposition", `attachment; filename="explorer.html"`)
		err = e.WritePage(r.Context(), w)
	default:
		http.NotFound(w, r)
	}
	if err != nil && r.Context().Err() == nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func (e *Explorer) servePart(w http.ResponseWriter, r *http.Request, name string) {
	value, err := e.Part(r.Context(), name)
	status := http.StatusOK
	switch {
	case errors.Is(err, errNoPart):
		status = http.StatusNotFound
	case err != nil:
		status = http.StatusUnprocessableEntity
	}
	if err != nil {
		value = map[string]string{"error": err.Error()}
	}
	text, err := json.Marshal(value)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text) // the reader may have gone
}
