package notation

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression of what rows say. It is compiled at its first use: most programs read no rows.
type Pattern struct {
	text     string
	once     sync.Once
	compiled *regexp.Regexp
}

// Match returns the pattern of a regular expression in the syntax of package regexp.
func Match(text string) *Pattern { return &Pattern{text: text} }

func (p *Pattern) expression() *regexp.Regexp {
	p.once.Do(func() { p.compiled = regexp.MustCompile(p.text) })
	return p.compiled
}

// The methods are the methods of [regexp.Regexp] with the same names.

func (p *Pattern) MatchString(s string) bool              { return p.expression().MatchString(s) }
func (p *Pattern) FindStringSubmatch(s string) []string   { return p.expression().FindStringSubmatch(s) }
func (p *Pattern) FindString(s string) string             { return p.expression().FindString(s) }
func (p *Pattern) FindAllString(s string, n int) []string { return p.expression().FindAllString(s, n) }
func (p *Pattern) ReplaceAllString(s, replace string) string {
	return p.expression().ReplaceAllString(s, replace)
}
