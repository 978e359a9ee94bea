package llm

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// fill takes pages for so many tokens, whose content is known afterwards.
func fill(p *pages, pages int, first byte) (list []int) {
	for i := range pages {
		last := 0
		if i > 0 {
			last = list[i-1]
		}
		page, ok := p.take(last, pages)
		if !ok {
			return list
		}
		list = append(list, page)
		p.keep(page, digest{first, byte(i), 1})
	}
	return list
}

// TestPagesInOrder: the pages of a sequence lie in order also when all of them have been used, and are those that were left longest ago.
func TestPagesInOrder(t *testing.T) {
	p := newPages(9)
	a, b, c := fill(p, 3, 1), fill(p, 2, 2), fill(p, 3, 3)
	require.Equal(t, [][]int{{1, 2, 3}, {4, 5}, {6, 7, 8}}, [][]int{a, b, c})
	_, ok := p.take(0, 1)
	require.False(t, ok)
	p.leave(c)
	p.leave(a)
	d := fill(p, 2, 4)
	require.Equal(t, []int{6, 7}, d, "c was left before a")
	_, ok = p.share(digest{1, 2, 1})
	require.True(t, ok, "a is there")
	_, ok = p.share(digest{3, 0, 1})
	require.False(t, ok, "c is overwritten")
	require.Equal(t, []int{8, 1, 2}, fill(p, 3, 5), "there are no three in a row")
	_, ok = p.take(3, 1)
	require.False(t, ok)
	p.leave(b)
	require.Equal(t, []int{4, 5}, fill(p, 2, 6))
}
