package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed assets
var assets embed.FS

// Site is all pages, in the order of the navigation.
type Site struct {
	Pages    []*Page
	root     string
	pictures map[string][]byte // by the name of their file
}

// first are the guides that come before the others, which follow by name.
var first = []string{"quickstart", "training", "importing", "lazy", "explorer", "notebooks"}

// Read reads the pages of a repository and resolves their links. All that is wrong with them is one
// error.
func Read(root string) (*Site, error) {
	s := &Site{root: root, pictures: map[string][]byte{}}
	guides, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, g := range guides {
		names = append(names, strings.TrimSuffix(filepath.Base(g), ".md"))
	}
	rank := func(name string) int {
		if i := slices.Index(first, name); i >= 0 {
			return i
		}
		return len(first)
	}
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	add := func(source, name string) error {
		p, err := readPage(root, source, name)
		if err == nil {
			s.Pages = append(s.Pages, p)
		}
		return err
	}
	if err := add("README.md", "index.html"); err != nil {
		return nil, err
	}
	for _, n := range names {
		if err := add(path.Join("docs", n+".md"), n+".html"); err != nil {
			return nil, err
		}
	}
	if _, err := os.Stat(filepath.Join(root, "RATIONALE.md")); err == nil {
		if err := add("RATIONALE.md", "rationale.html"); err != nil {
			return nil, err
		}
	}
	var problems []error
	for _, p := range s.Pages {
		problems = append(problems, s.link(p)...)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	for _, p := range s.Pages {
		if err := p.render(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// page returns the page of a source, nil if there is none.
func (s *Site) page(source string) *Page {
	for _, p := range s.Pages {
		if p.Source == source {
			return p
		}
	}
	return nil
}

// Write writes the site into a folder, which is made.
func (s *Site) Write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	layout, err := template.ParseFS(assets, "assets/page.html")
	if err != nil {
		return err
	}
	for i, p := range s.Pages {
		var b bytes.Buffer
		data := map[string]any{"Site": s, "Page": p, "Body": template.HTML(p.Body)}
		if i > 0 {
			data["Before"] = s.Pages[i-1]
		}
		if i+1 < len(s.Pages) {
			data["Next"] = s.Pages[i+1]
		}
		if err := layout.Execute(&b, data); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, p.Name), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	for name, data := range s.pictures {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	for _, name := range []string{"style.css", "search.js"} {
		text, err := assets.ReadFile("assets/" + name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	return s.writeIndex(filepath.Join(dir, "index.js"))
}

// writeIndex writes what the search looks through, as a script: pages that are opened as files may not
// read others.
func (s *Site) writeIndex(file string) error {
	type entry struct {
		Page  string `json:"page"`
		Title string `json:"title"`
		Parts []Part `json:"parts"`
	}
	var list []entry
	for _, p := range s.Pages {
		list = append(list, entry{p.Name, p.Title, p.Parts})
	}
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return os.WriteFile(file, fmt.Appendf(nil, "const pages = %s;\n", text), 0o644)
}
