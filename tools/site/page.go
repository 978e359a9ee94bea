package main

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Page is a page of the site.
type Page struct {
	Source string // its path in the repository, with slashes
	Name   string // of its file
	Title  string
	Parts  []Part // its headings, with the text below each
	Body   string

	document ast.Node
	text     []byte
	ids      map[string]bool
}

// Part is a heading and the words below it, for the search.
type Part struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// readPage parses a page.
func readPage(root, source, name string) (*Page, error) {
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(source)))
	if err != nil {
		return nil, err
	}
	p := &Page{Source: source, Name: name, text: data, ids: map[string]bool{}, document: markdown.Parser().Parse(text.NewReader(data))}
	for n := p.document.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok {
			if len(p.Parts) > 0 {
				last := &p.Parts[len(p.Parts)-1]
				last.Text = strings.TrimSpace(last.Text + " " + words(n, data))
			}
			continue
		}
		id, _ := h.AttributeString("id")
		idText, _ := id.([]byte)
		p.ids[string(idText)] = true
		p.Parts = append(p.Parts, Part{ID: string(idText), Title: words(h, data)})
	}
	if len(p.Parts) == 0 {
		return nil, fmt.Errorf("%s: the page has no heading", source)
	}
	p.Title = p.Parts[0].Title
	return p, nil
}

// words is the text of a node without its marks.
func words(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			if n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Segment.Value(source))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			for i := range n.Lines().Len() {
				line := n.Lines().At(i)
				b.Write(line.Value(source))
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// repository is where links to files that are no pages go.
const repository = "https://github.com/go-acap/acap/blob/main/"

// link turns the links of a page into links of the site and returns what is wrong with them.
func (s *Site) link(p *Page) (problems []error) {
	_ = ast.Walk(p.document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			to, err := s.target(p, string(n.Destination))
			if err != nil {
				problems = append(problems, err)
			}
			n.Destination = []byte(to)
		case *ast.Image:
			name, err := s.picture(p, string(n.Destination))
			if err != nil {
				problems = append(problems, err)
			}
			n.Destination = []byte(name)
		}
		return ast.WalkContinue, nil
	})
	return problems
}

// picture reads a picture of the repository, which is written beside the pages, and returns the name of its file there.
func (s *Site) picture(p *Page, to string) (string, error) {
	source := path.Join(path.Dir(p.Source), to)
	data, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(source)))
	if err != nil || strings.HasPrefix(source, "..") {
		return to, fmt.Errorf("%s: the picture %s: there is no such file", p.Source, to)
	}
	s.pictures[path.Base(source)] = data
	return path.Base(source), nil
}

// target is where a link of a page leads in the site.
func (s *Site) target(p *Page, to string) (string, error) {
	if strings.Contains(to, "://") || strings.HasPrefix(to, "mailto:") {
		return to, nil
	}
	file, id, _ := strings.Cut(to, "#")
	page := p
	if file != "" {
		source := path.Join(path.Dir(p.Source), file)
		page = s.page(source)
		if page == nil {
			if _, err := os.Stat(filepath.Join(s.root, filepath.FromSlash(source))); err != nil || strings.HasPrefix(source, "..") {
				return to, fmt.Errorf("%s: the link to %s: there is no such file", p.Source, to)
			}
			return repository + source, nil
		}
	}
	if id != "" && !page.ids[id] {
		return to, fmt.Errorf("%s: the link to %s: %s has no such heading", p.Source, to, page.Source)
	}
	switch {
	case id == "":
		return page.Name, nil
	case page == p:
		return "#" + id, nil
	}
	return page.Name + "#" + id, nil
}

// render makes the HTML of a page whose links are done.
func (p *Page) render() error {
	var b bytes.Buffer
	if err := markdown.Renderer().Render(&b, p.text, p.document); err != nil {
		return fmt.Errorf("%s: %w", p.Source, err)
	}
	p.Body = b.String()
	return nil
}
