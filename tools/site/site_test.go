package main

import (
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	reference = regexp.MustCompile(`\b(?:href|src)="([^"]*)"`)
	anchor    = regexp.MustCompile(`\bid="([^"]*)"`)
)

// The site of this repository: every link of every page leads to a file of the site and, where it
// names one, to a heading there; nothing is loaded from elsewhere; every page is in the navigation.
func TestEveryLinkResolves(t *testing.T) {
	s, err := Read(filepath.Join("..", ".."))
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "site")
	require.NoError(t, s.Write(dir))
	text, ids := map[string]string{}, map[string]map[string]bool{}
	for _, p := range s.Pages {
		data, err := os.ReadFile(filepath.Join(dir, p.Name))
		require.NoError(t, err)
		text[p.Name], ids[p.Name] = string(data), map[string]bool{}
		for _, m := range anchor.FindAllStringSubmatch(string(data), -1) {
			ids[p.Name][html.UnescapeString(m[1])] = true
		}
	}
	guides, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	require.NoError(t, err)
	require.Greater(t, len(guides), 5)
	require.GreaterOrEqual(t, len(s.Pages), len(guides)+1)
	inside := 0
	for name, page := range text {
		for _, p := range s.Pages {
			require.Contains(t, page, `href="`+p.Name+`"`, name)
		}
		for _, m := range reference.FindAllStringSubmatch(page, -1) {
			to := html.UnescapeString(m[1])
			if strings.HasPrefix(m[0], "src") {
				require.NotContains(t, to, "//", name)
			}
			if strings.HasPrefix(to, "https://") || strings.HasPrefix(to, "http://") || to == "data:," {
				continue
			}
			file, id, _ := strings.Cut(to, "#")
			if file == "" {
				file = name
			}
			_, err := os.Stat(filepath.Join(dir, file))
			require.NoError(t, err, "%s: %s", name, to)
			if id != "" {
				require.True(t, ids[file][id], "%s: %s", name, to)
				inside++
			}
		}
	}
	require.Positive(t, inside)
	require.FileExists(t, filepath.Join(dir, "timeline.svg"), "the picture of the first page")
	require.NotRegexp(t, `href="[^":]*\.md"`, text["index.html"]) // of the site; files of the repository have an address
}

// Links that lead nowhere are errors, all of them at once, and nothing is written.
func TestBrokenLinks(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "docs"), 0o755))
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o600))
	}
	write("README.md", "# Start\n\n[good](docs/a.md#one-two) [file](LICENSE) [none](docs/b.md) [above](../x) [out](https://example.org/)\n")
	write("LICENSE", "as you like")
	write("docs/a.md", "# A\n\n## One, two\n\n[heading](#three) [back](../README.md#start)\n")
	_, err := Read(root)
	require.ErrorContains(t, err, "docs/b.md")
	require.ErrorContains(t, err, "../x")
	require.ErrorContains(t, err, "#three")
	require.NotContains(t, err.Error(), "one-two")
	write("README.md", "# Start\n\n[good](docs/a.md#one-two) [file](LICENSE) <script>alert(1)</script>\n")
	write("docs/a.md", "# A\n\n## One, two\n\nwords `code`\n\n```\nblock <b>\n```\n")
	s, err := Read(root)
	require.NoError(t, err)
	require.Contains(t, s.Pages[0].Body, `href="a.html#one-two"`)
	require.Contains(t, s.Pages[0].Body, repository+"LICENSE")
	require.NotContains(t, s.Pages[0].Body, "<script>")
	require.Equal(t, []Part{{"a", "A", ""}, {"one-two", "One, two", "words code block <b>"}}, s.Pages[1].Parts)
	dir := filepath.Join(root, "site")
	require.NoError(t, s.Write(dir))
	index, err := os.ReadFile(filepath.Join(dir, "index.js"))
	require.NoError(t, err)
	require.Contains(t, string(index), "One, two")
}
