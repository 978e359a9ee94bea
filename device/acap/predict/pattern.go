package predict

import (
	"regexp"
	"strconv"
	"sync"
)

// pattern is a regular expression of what rows say. It is compiled at its first use: most programs read no rows.
type pattern struct {
	text     string
	once     sync.Once
	compiled *regexp.Regexp
}

func match(text string) *pattern { return &pattern{text: text} }

func (p *pattern) expression() *regexp.Regexp {
	p.once.Do(func() { p.compiled = regexp.MustCompile(p.text) })
	return p.compiled
}

func (p *pattern) MatchString(s string) bool              { return p.expression().MatchString(s) }
func (p *pattern) FindStringSubmatch(s string) []string   { return p.expression().FindStringSubmatch(s) }
func (p *pattern) FindString(s string) string             { return p.expression().FindString(s) }
func (p *pattern) FindAllString(s string, n int) []string { return p.expression().FindAllString(s, n) }
func (p *pattern) ReplaceAllString(s, replace string) string {
	return p.expression().ReplaceAllString(s, replace)
}

// numbers returns the groups of a match as integers.
func numbers(re *pattern, s string) []int {
	g := re.FindStringSubmatch(s)
	if g == nil {
		return nil
	}
	v := make([]int, len(g)-1)
	for i := range v {
		n, err := strconv.Atoi(g[i+1])
		if err != nil || n < 1 || n > maxExtent {
			return nil
		}
		v[i] = n
	}
	return v
}
